// What the bank says about a request: the pay-out whose return waits for approval, or the entries to be written off.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Panel } from '../../components/page.tsx';
import { BankEntries } from '../finance/payouts/bank-entries.tsx';

export function ApprovalBankEntries({ approval: { bank_entries: entries, action } }: { approval: Approval }) {
  const { t } = useLingui();
  if (!entries) return null;
  return (
    <Panel
      title={
        action === 'processors.payout'
          ? t`What the bank says about this pay-out (SLE)`
          : t`What the bank says about these entries (SLE)`
      }
    >
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          <Trans>No bank statement mentions it.</Trans>
        </Text>
      ) : (
        <BankEntries entries={entries} {...(action === 'processors.payout' ? {} : { named: t`To be written off` })} />
      )}
    </Panel>
  );
}
