// Every posting of a transaction with the balance after it; together they are zero.
import type { Posting, TransactionDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Table } from '@mantine/core';
import { Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Absent, Id, Money } from '../../components/values.tsx';
import classes from './transaction.module.css';

export function Postings({ transaction }: { transaction: TransactionDetails }) {
  const { t } = useLingui();
  const { postings } = transaction;
  const sum = postings.reduce((total, { amount }) => total + amount, 0);
  return (
    <Panel title={t`Postings (SLE)`} flush>
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing="xs" horizontalSpacing="md" className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Account`}</Table.Th>
              <Table.Th ta="end">{t`Amount`}</Table.Th>
              <Table.Th ta="end" className={classes.wide}>{t`Fee included`}</Table.Th>
              <Table.Th ta="end">{t`Balance after`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {postings.map((posting) => (
              <Row key={posting.account_id} posting={posting} transaction={transaction} />
            ))}
          </Table.Tbody>
          {postings.length > 1 && (
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th>{t`Sum`}</Table.Th>
                <Table.Th ta="end">
                  <Money value={sum} />
                </Table.Th>
                <Table.Th className={classes.wide} />
                <Table.Th />
              </Table.Tr>
            </Table.Tfoot>
          )}
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}

function Row({ posting, transaction }: { posting: Posting; transaction: TransactionDetails }) {
  const { account_id, amount, fee, balance_after } = posting;
  const name = useAccountName(account_id, transaction);
  return (
    <Table.Tr>
      <Table.Td>
        <div>
          <Party id={account_id} name={name} />
        </div>
        <Id value={account_id} short />
      </Table.Td>
      <Table.Td ta="end">
        <Money value={amount} signed />
      </Table.Td>
      <Table.Td ta="end" className={classes.wide}>
        {fee === 0 ? <Absent /> : <Money value={fee} />}
      </Table.Td>
      <Table.Td ta="end">{balance_after === null ? <Absent /> : <Money value={balance_after} />}</Table.Td>
    </Table.Tr>
  );
}

function useAccountName(id: string, { payer, payee }: TransactionDetails): string | null {
  const { t } = useLingui();
  if (id === payer.id) return payer.name;
  if (id === payee.id) return payee.name;
  if (id.startsWith('commission_')) return t`Commission account of the agent`;
  if (id.startsWith('sys_fees')) return t`Fee income of the operator`;
  return null;
}
