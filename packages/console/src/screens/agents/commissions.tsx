// What an agent earned: not settled yet by period, and the settlements.
import { Trans, useLingui } from '@lingui/react/macro';
import { Stack, Table } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { Instant, Money, Status } from '../../components/values.tsx';
import { money } from '../../format/money.ts';

const SHOWN = '50';

export function Commissions({ id }: { id: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['agent-commissions', id], (options) =>
    kissi.agents.commissions(id, { limit: SHOWN }, options),
  );
  if (!data) return <Waiting error={error} retry={refetch} />;
  const { accrued, settled_total, settlements, accrued_by_period = [] } = data;
  return (
    <Stack gap="lg">
      <Panel>
        <Facts
          facts={[
            [t`Not settled yet`, money(accrued)],
            [t`Settled in total`, money(settled_total)],
            ...accrued_by_period.map(
              ({ period, amount, status }) =>
                [
                  period,
                  <span key={period}>
                    {money(amount)} <Status value={status} />
                  </span>,
                ] as [string, React.ReactNode],
            ),
          ]}
        />
      </Panel>
      <Panel title={t`Settlements`} flush>
        {settlements.length === 0 ? (
          <Empty icon="clock" title={<Trans>No settlements yet</Trans>}>
            <Trans>Commission that is paid at once is in the payments.</Trans>
          </Empty>
        ) : (
          <Table.ScrollContainer minWidth={300} type="native">
            <Table verticalSpacing="xs" horizontalSpacing="md">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t`Period`}</Table.Th>
                  <Table.Th>{t`Settled`}</Table.Th>
                  <Table.Th ta="end">{t`Amount (SLE)`}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {settlements.map(({ transaction_id, period, settled_at, amount }) => (
                  <Table.Tr key={transaction_id}>
                    <Table.Td>
                      <Link to={`/transactions/${transaction_id}`}>{period ?? transaction_id}</Link>
                    </Table.Td>
                    <Table.Td>
                      <Instant at={settled_at} />
                    </Table.Td>
                    <Table.Td ta="end">
                      <Money value={amount} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Panel>
    </Stack>
  );
}
