// The commissions of one agent: what it earned and is not settled yet, and all settlements.
import type { CommissionSettlement, ListAgentCommissionsReply } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Facts } from '../../../components/facts.tsx';
import { Link } from '../../../components/link.tsx';
import type { ListDefinition, Listing } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { Waiting } from '../../../components/states.tsx';
import { Absent, Instant, label, Money, Status } from '../../../components/values.tsx';
import { money } from '../../../format/money.ts';
import { zoneName } from '../../../format/time.ts';
import classes from '../finance.module.css';

export default function AgentCommissions() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRead(['commissions', id], (options) =>
    Promise.all([kissi.agents.get(id, options), kissi.agents.commissions(id, { limit: '1' }, options)]),
  );
  if (!data) return <Waiting error={error} retry={refetch} />;
  const [{ agent }, commissions] = data;
  return (
    <Page
      title={agent.business_name}
      above={[{ title: t`Commissions`, to: '/finance/commissions' }]}
      description={<Link to={`/agents/${id}`}>{t`Open the agent`}</Link>}
    >
      <Panel>
        <Facts
          facts={[
            [t`Accrued, not settled`, <strong key="accrued">{money(commissions.accrued)}</strong>],
            [t`Settled so far`, money(commissions.settled_total)],
            [t`Settled`, label(commissions.settlement_mode)],
            [t`Tier`, label(agent.commission_tier)],
          ]}
        />
      </Panel>
      <Accrued commissions={commissions} />
      <Settlements id={id} />
    </Page>
  );
}

function Accrued({ commissions: { accrued_by_period } }: { commissions: ListAgentCommissionsReply }) {
  const { t } = useLingui();
  if (accrued_by_period.length === 0) return null;
  return (
    <Panel title={t`Accrued by period`} flush>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t`Period`}</th>
            <th scope="col">{t`State`}</th>
            <th scope="col" className={classes.wide}>{t`Ends`}</th>
            <th scope="col" className={classes.end}>{t`Amount (SLE)`}</th>
          </tr>
        </thead>
        <tbody>
          {accrued_by_period.map(({ period, status, ends_at, amount }) => (
            <tr key={period}>
              <th scope="row">{period}</th>
              <td>
                <Status value={status} />
              </td>
              <td className={classes.wide}>
                <Instant at={ends_at} />
              </td>
              <td className={classes.end}>
                <Money value={amount} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Settlements({ id }: { id: string }) {
  const { t } = useLingui();
  const zone = zoneName();
  const definition: ListDefinition<CommissionSettlement> = {
    resource: `settlements-${id}`,
    noun: t`settlements`,
    fileName: 'settlements',
    items: 'settlements',
    read: (client, query, options) => client.agents.commissions(id, query as never, options) as unknown as Listing,
    keyOf: ({ transaction_id }) => transaction_id,
    linkOf: ({ transaction_id }) => `/transactions/${transaction_id}`,
    columns: [
      { title: t`Period`, keep: 'title', cell: ({ period }) => period ?? <Absent /> },
      { title: t`Settled (${zone})`, cell: ({ settled_at }) => <Instant at={settled_at} /> },
      { title: t`Amount (SLE)`, align: 'end', cell: (row) => <Money value={row.amount} /> },
    ],
  };
  return <RecordList definition={definition} embedded />;
}
