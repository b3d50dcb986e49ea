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
      name={`${definition.fileName ?? definition.resource}-${today()}.csv`}
      call={(client) => definition.read(client, query, {}).csv()}
    />
  );
}
