// What the bank says about the pay-out of which the return waits for approval.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Panel } from '../../components/page.tsx';
import { BankEntries } from '../finance/payouts/bank-entries.tsx';

export function ApprovalBankEntries({ approval: { bank_entries: entries } }: { approval: Approval }) {
  const { t } = useLingui();
  if (!entries) return null;
  return (
    <Panel title={t`What the bank says about this pay-out (SLE)`}>
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          <Trans>No bank statement mentions it.</Trans>
        </Text>
      ) : (
        <BankEntries entries={entries} />
      )}
    </Panel>
  );
}
