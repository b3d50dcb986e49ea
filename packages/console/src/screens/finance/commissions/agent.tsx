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
import { SmallTable } from '../../../components/small-table.tsx';
import { Waiting } from '../../../components/states.tsx';
import { Absent, Instant, label, Money, Status } from '../../../components/values.tsx';
import { money } from '../../../format/money.ts';
import { zoneName } from '../../../format/time.ts';

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
      <SmallTable
        rows={accrued_by_period}
        columns={[
          { title: t`Period`, cell: ({ period }) => period },
          { title: t`State`, cell: ({ status }) => <Status value={status} /> },
          { title: t`Ends`, rare: true, cell: ({ ends_at }) => <Instant at={ends_at} /> },
          { title: t`Amount (SLE)`, end: true, cell: ({ amount }) => <Money value={amount} /> },
        ]}
      />
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
