// Exports the whole list as a CSV file, with the filters that are set.
import { useLingui } from '@lingui/react/macro';
import { today } from '../../format/time.ts';
import { Download } from '../download.tsx';
import type { ListDefinition, Query } from './definition.ts';

export function ExportButton<Row>({ definition, query }: { definition: ListDefinition<Row>; query: Query }) {
  const { t } = useLingui();
  return (
    <Download
      label={t`Export CSV`}
      name={`${definition.fileName ?? definition.resource}-${periodOf(query)}.csv`}
      call={(client) => definition.read(client, query, {}).csv()}
    />
  );
}

/** The period of the list, such as `from-2026-11-01-to-2026-11-15`; without one, today. */
function periodOf({ from, to }: Query): string {
  if (from === undefined && to === undefined) return today();
  return [from && `from-${from}`, to && `to-${to}`].filter(Boolean).join('-');
}
