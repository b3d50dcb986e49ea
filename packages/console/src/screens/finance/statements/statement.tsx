// One bank statement: its figures, its file, and its entries in the order of the file.
import type { BankEntry, BankStatement } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Download } from '../../../components/download.tsx';
import { Facts } from '../../../components/facts.tsx';
import { Icon } from '../../../components/icon.tsx';
import type { ListDefinition } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { Waiting } from '../../../components/states.tsx';
import { Absent, Id, Instant, Money } from '../../../components/values.tsx';
import { count, money } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';

export default function StatementScreen() {
  const { account = '', statement = '' } = useParams({ strict: false }) as { account?: string; statement?: string };
  const { data, error, refetch } = useRead(['statements', account, statement], (options) =>
    Promise.all([
      kissi.trustAccounts.statement(account, statement, options),
      kissi.trustAccounts.get(account, options),
    ]),
  );
  if (!data) return <Waiting error={error} retry={refetch} />;
  return <Content statement={data[0].statement} bank={data[1].trust_account.bank} />;
}

const ENDINGS = { 'camt.053': 'xml', mt940: 'txt', csv: 'csv' };

function Content({ statement, bank }: { statement: BankStatement; bank: string }) {
  const { t } = useLingui();
  const { from, to, opening_balance, closing_balance, entry_count, format } = statement;
  const days = from === to ? date(from) : `${date(from)} – ${date(to)}`;
  return (
    <Page
      title={`${bank}, ${days}`}
      above={[{ title: t`Bank statements`, to: '/finance/statements' }]}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon name="scale" size={16} />}
            renderRoot={(root) => (
              <Link to="/finance/reconciliation" search={{ statement: statement.id } as never} {...root} />
            )}
          >
            <Trans>Match its entries</Trans>
          </Button>
          <Download
            call={(client) => client.trustAccounts.downloadStatement(statement.trust_account_id, statement.id)}
            name={`statement-${to}-${statement.id}.${ENDINGS[format]}`}
            label={t`Download the file`}
          />
        </>
      }
    >
      <Panel>
        <Facts
          facts={[
            [t`Opening balance`, money(opening_balance)],
            [t`Closing balance`, <strong key="closing">{money(closing_balance)}</strong>],
            [t`Change`, <Money key="change" value={closing_balance - opening_balance} signed />],
            [t`Entries`, count(entry_count)],
            [t`Format`, format],
            [t`Recorded`, <Instant key="recorded" at={statement.uploaded_at} />],
            [t`SHA-256 of the file`, <Id key="sha" value={statement.file_sha256} short />],
          ]}
        />
      </Panel>
      <RecordList definition={useEntries(statement)} />
    </Page>
  );
}

function useEntries({ trust_account_id, id, to }: BankStatement): ListDefinition<BankEntry> {
  const { t } = useLingui();
  return {
    resource: `entries-${id}`,
    noun: t`entries`,
    fileName: `entries-${to}`,
    items: 'entries',
    pageSize: 50,
    read: (client, query, options) => client.trustAccounts.entries(trust_account_id, id, query as never, options),
    keyOf: (entry) => entry.id,
    columns: [
      { title: t`Booked`, cell: ({ booked_on }) => date(booked_on) },
      {
        title: t`Description`,
        keep: 'title',
        cell: ({ counterparty, description }) => (
          <>
            <Text inherit fw={600}>
              {counterparty ?? description ?? '–'}
            </Text>
            {counterparty && description && (
              <Text size="xs" c="dimmed">
                {description}
              </Text>
            )}
          </>
        ),
      },
      { title: t`Reference`, cell: ({ reference }) => reference ?? <Absent /> },
      { title: t`Amount (SLE)`, align: 'end', cell: (row) => <Money value={row.amount} signed /> },
    ],
  };
}
