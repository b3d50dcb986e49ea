// Exports the whole list as a CSV file, with the filters that are set.
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { saveFile } from '../../api/save-file.ts';
import { today } from '../../format/time.ts';
import { Icon } from '../icon.tsx';
import { notifyFailure } from '../notices.tsx';
import type { ListDefinition, Query } from './definition.ts';

export function ExportButton<Row>({ definition, query }: { definition: ListDefinition<Row>; query: Query }) {
  const [size, setSize] = useState<number | null>(null);
  const name = `${definition.fileName ?? definition.resource}-${today()}.csv`;
  const run = async () => {
    setSize(0);
    try {
      await saveFile(await definition.read(query, {}).csv(), name, setSize);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setSize(null);
    }
  };
  return (
    <Button variant="default" leftSection={<Icon name="download" size={16} />} loading={size !== null} onClick={run}>
      <Trans>Export CSV</Trans>
    </Button>
  );
}
