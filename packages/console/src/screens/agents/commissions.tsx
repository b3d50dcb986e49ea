// What an agent earned: not settled yet by period, and the settlements.
import { Trans, useLingui } from '@lingui/react/macro';
import { Stack } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { SmallTable } from '../../components/small-table.tsx';
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
            <Trans>Commission paid at once is included in the payments.</Trans>
          </Empty>
        ) : (
          <SmallTable
            rows={settlements}
            columns={[
              {
                title: t`Period`,
                cell: ({ transaction_id, period }) => (
                  <Link to={`/transactions/${transaction_id}`}>{period ?? transaction_id}</Link>
                ),
              },
              { title: t`Settled`, cell: ({ settled_at }) => <Instant at={settled_at} /> },
              { title: t`Amount (SLE)`, end: true, cell: ({ amount }) => <Money value={amount} /> },
            ]}
          />
        )}
      </Panel>
    </Stack>
  );
}
