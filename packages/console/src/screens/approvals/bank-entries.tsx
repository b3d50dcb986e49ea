// What the bank says about a request: a pay-out that is returned, entries to be written off, or money that is booked.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Panel } from '../../components/page.tsx';
import { BankEntries } from '../finance/payouts/bank-entries.tsx';

export function ApprovalBankEntries({ approval: { bank_entries: entries, action } }: { approval: Approval }) {
  const { t } = useLingui();
  if (!entries) return null;
  const titles: Partial<Record<Approval['action'], string>> = {
    'processors.payout': t`What the bank says about this pay-out (SLE)`,
    'reconciliation.write_off': t`What the bank says about these entries (SLE)`,
  };
  const isPayout = action === 'processors.payout';
  return (
    <Panel title={titles[action] ?? t`What the bank says about this amount (SLE)`}>
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          {isPayout ? (
            <Trans>No bank statement mentions it.</Trans>
          ) : (
            <Trans>No statement of the last month has an open entry of this amount.</Trans>
          )}
        </Text>
      ) : (
        <BankEntries
          entries={entries}
          {...(isPayout ? {} : { named: t`To be written off`, matched: t`Matched with this transaction` })}
        />
      )}
    </Panel>
  );
}
