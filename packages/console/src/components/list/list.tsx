// A list of records with filters, pages, export and saved views: a table, and cards on a phone.
import { Trans, useLingui } from '@lingui/react/macro';
import { Group, Paper, Stack, Text } from '@mantine/core';
import { count } from '../../format/money.ts';
import { Archived } from '../archived.tsx';
import { Empty, Failed, Loading } from '../states.tsx';
import { useIsPhone } from '../use-is-phone.ts';
import { Cards } from './cards.tsx';
import type { ListDefinition } from './definition.ts';
import { ExportButton } from './export.tsx';
import { Filters } from './filters.tsx';
import classes from './list.module.css';
import { PageButtons } from './pages.tsx';
import { RowTable } from './row-table.tsx';
import { SavedViews } from './saved-views.tsx';
import { type ListState, useList } from './use-list.ts';

interface ListProps<Row> {
  definition: ListDefinition<Row>;
  /** Without export and saved views, for a short list inside another screen. */
  embedded?: boolean;
}

export function RecordList<Row>({ definition, embedded = false }: ListProps<Row>) {
  const state = useList(definition);
  const { filters = [] } = definition;
  return (
    <Stack gap="sm">
      {(filters.length > 0 || !embedded) && (
        <Group justify="space-between" align="flex-end" gap="xs">
          <Filters
            filters={filters}
            values={state.filters}
            onChange={state.setFilter}
            onClear={() => state.setFilters({})}
          />
          {!embedded && (
            <Group gap="xs">
              <SavedViews list={definition.name} filters={state.filters} onOpen={state.setFilters} />
              <ExportButton definition={definition} query={state.query} />
            </Group>
          )}
        </Group>
      )}
      <Content definition={definition} state={state} />
      <Archived before={state.archivedBefore} />
      <Group justify="space-between">
        <Total definition={definition} state={state} />
        <PageButtons previous={state.previous} next={state.next} />
      </Group>
    </Stack>
  );
}

function Content<Row>({ definition, state }: { definition: ListDefinition<Row>; state: ListState<Row> }) {
  const isPhone = useIsPhone();
  const { rows, error, isFetching, retry } = state;
  if (error) return <Failed error={error} retry={retry} />;
  if (!rows) return <Loading rows={8} />;
  if (rows.length === 0)
    return <NothingFound definition={definition} isFiltered={Object.keys(state.filters).length > 0} />;
  return (
    <Paper withBorder radius="md" className={classes.rows ?? ''} aria-busy={isFetching}>
      {isPhone ? <Cards definition={definition} rows={rows} /> : <RowTable definition={definition} rows={rows} />}
    </Paper>
  );
}

function NothingFound<Row>({ definition, isFiltered }: { definition: ListDefinition<Row>; isFiltered: boolean }) {
  const { noun, empty } = definition;
  const { t } = useLingui();
  return (
    <Paper withBorder radius="md">
      {isFiltered || !empty ? (
        <Empty icon="search" title={isFiltered ? t`No ${noun} match these filters` : t`There are no ${noun} yet`} />
      ) : (
        empty
      )}
    </Paper>
  );
}

function Total<Row>({ definition, state }: { definition: ListDefinition<Row>; state: ListState<Row> }) {
  const { rows, offset, total, totalIsMinimum } = state;
  if (!rows || rows.length === 0) return <span />;
  const [first, last, noun] = [count(offset + 1), count(offset + rows.length), definition.noun];
  const all = total === null ? null : `${count(total)}${totalIsMinimum ? '+' : ''}`;
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {all === null ? (
        <Trans>
          {first}–{last}
        </Trans>
      ) : (
        <Trans>
          {first}–{last} of {all} {noun}
        </Trans>
      )}
    </Text>
  );
}
