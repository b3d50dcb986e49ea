// The floats that the overview counts as running dry, the most urgent first.
import type { ListAgentFloatsResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Empty } from '../../components/states.tsx';
import { label, Money, Titled } from '../../components/values.tsx';
import { DRY_WITHIN_HOURS } from './dry-hours.ts';
import { Hours } from './hours.tsx';

type Float = ListAgentFloatsResponse['floats'][number];

export const DryFloats = () => <RecordList definition={useDefinition()} />;

function useDefinition(): ListDefinition<Float> {
  const { t } = useLingui();
  return {
    resource: 'agent-floats',
    noun: t`agents`,
    items: 'floats',
    fileName: 'floats-running-dry',
    fixed: { hours_left_below: String(DRY_WITHIN_HOURS) },
    everyMs: 30_000,
    read: (client, query, options) => client.reports.agentFloats(query as never, options),
    keyOf: ({ agent_id }) => agent_id,
    linkOf: ({ agent_id }) => `/agents/${agent_id}`,
    empty: <Empty icon="approve" title={<Trans>No float runs dry</Trans>} />,
    columns: [
      { title: t`Business`, keep: 'title', cell: ({ business_name }) => <Titled name={business_name} /> },
      { title: t`Type`, keep: 'tablet', cell: ({ type }) => label(type) },
      {
        title: t`Taken out in 24 hours (SLE)`,
        align: 'end',
        keep: 'tablet',
        cell: ({ outflow_24_hours }) => <Money value={outflow_24_hours} />,
      },
      { title: t`Float (SLE)`, align: 'end', cell: ({ balance }) => <Money value={balance} /> },
      { title: t`Lasts`, align: 'end', cell: ({ hours_left }) => <Hours value={hours_left} /> },
    ],
  };
}
