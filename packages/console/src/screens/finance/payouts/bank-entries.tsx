// What the bank's statements say about a pay-out: entries with its reference, and those that were matched with it.
import type { PayoutBankEntry } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Group, Stack, Text } from '@mantine/core';
import { useCan } from '../../../api/user.ts';
import { Link } from '../../../components/link.tsx';
import { Money, Status } from '../../../components/values.tsx';
import { date } from '../../../format/time.ts';

export const entryText = ({ reference, counterparty, description }: PayoutBankEntry) =>
  [reference, counterparty, description].filter(Boolean).join(' · ');

interface BankEntriesProps {
  entries: PayoutBankEntry[];
  /** What it means that the request names the entry. */
  named?: string;
  /** What it is matched with. */
  matched?: string;
}

export function BankEntries({ entries, named, matched }: BankEntriesProps) {
  const { t } = useLingui();
  const words: Record<PayoutBankEntry['relations'][number], string> = {
    matched: matched ?? t`Matched with this pay-out`,
    match_undone: t`It was matched, and the match was undone`,
    reference: t`Has its reference`,
    amount: t`Open, with the same amount`,
    named: named ?? t`The bank credit for this return`,
  };
  return (
    <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600}>
              {date(entry.date)}
            </Text>
            <Group gap="xs">
              <Status value={entry.status} />
              <Text size="sm" fw={600}>
                <Money value={entry.amount} signed />
              </Text>
            </Group>
          </Group>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {entryText(entry)}
          </Text>
          <Source entry={entry} />
          <StatementLink entry={entry} />
          <Text size="sm" fs="italic">
            {entry.relations.map((relation) => words[relation]).join('. ')}
          </Text>
        </li>
      ))}
    </Stack>
  );
}

/** Whose word it is that the bank booked this. */
function Source({ entry }: { entry: PayoutBankEntry }) {
  const { trust_account: account, uploaded_by, uploaded_by_name } = entry;
  const { t } = useLingui();
  const registeredBy = account.created_by_name ?? account.created_by ?? t`Nobody is recorded`;
  const uploadedBy = uploaded_by_name ?? uploaded_by;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {account.bank} · {account.account_number} ·{' '}
      <Trans>
        account registered by {registeredBy}, statement uploaded by {uploadedBy}
      </Trans>
    </Text>
  );
}

/** Whose page has the bank's file. */
function StatementLink({ entry: { trust_account: account, statement_id } }: { entry: PayoutBankEntry }) {
  if (!useCan()('trust-accounts:read')) return null;
  return (
    <Link to={`/finance/statements/${account.id}/${statement_id}`} size="sm" display="block">
      <Trans>Show the statement</Trans>
    </Link>
  );
}
