// The list of all agents.
import type { ListAgentsResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Instant, label, Money, Status, Titled } from '../../components/values.tsx';

type Agent = ListAgentsResponse['agents'][number];

export const AgentList = () => <RecordList definition={useDefinition()} />;

function useDefinition(): ListDefinition<Agent> {
  const { t } = useLingui();
  return {
    resource: 'agents',
    noun: t`agents`,
    items: 'agents',
    read: (client, query, options) => client.agents.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/agents/${id}`,
    defaultSort: 'newest',
    filters: [
      { kind: 'text', name: 'search', label: t`Name or phone number` },
      { kind: 'choice', name: 'type', label: t`Type`, options: ['super_agent', 'sub_agent'] },
      { kind: 'choice', name: 'status', label: t`Status`, options: ['active', 'suspended', 'terminated'] },
      { kind: 'party', name: 'parent_agent_id', label: t`Super-agent`, types: ['agent'] },
    ],
    columns: [
      {
        title: t`Business`,
        keep: 'title',
        sort: { up: 'name' },
        cell: ({ business_name }) => <Titled name={business_name} />,
      },
      { title: t`Type`, keep: 'tablet', cell: ({ type }) => label(type) },
      { title: t`Person`, keep: 'desktop', cell: (row) => `${row.first_name} ${row.last_name}` },
      { title: t`Phone number`, cell: ({ phone_number }) => phone_number },
      { title: t`Location`, keep: 'tablet', cell: ({ location }) => location },
      {
        title: t`Registered`,
        keep: 'desktop',
        sort: { up: 'oldest', down: 'newest' },
        cell: ({ created_at }) => <Instant at={created_at} />,
      },
      {
        title: t`Float (SLE)`,
        align: 'end',
        cell: ({ float_balance_formatted }) => <Money value={float_balance_formatted} />,
      },
      { title: t`Status`, cell: ({ status }) => <Status value={status} /> },
    ],
  };
}
