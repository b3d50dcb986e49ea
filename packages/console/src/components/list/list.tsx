// A list of records with filters, pages, export and saved views: a table, and cards on a phone.
import { Trans, useLingui } from '@lingui/react/macro';
import { Group, Paper, Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { count } from '../../format/money.ts';
import { Archived } from '../archived.tsx';
import { lazyPart } from '../lazy-part.ts';
import { Empty, Failed, Loading } from '../states.tsx';
import type { ListDefinition } from './definition.ts';
import { Filters } from './filters.tsx';
import classes from './list.module.css';
import { PageButtons } from './pages.tsx';
import { Rows } from './rows.tsx';
import { type ColumnChoice, useColumns } from './use-columns.ts';
import { type ListState, useList } from './use-list.ts';

/** Loaded beside the records. */
const Tools = lazyPart(() => import('./tools.tsx'));
const Sums = lazyPart(() => import('./sums.tsx'));

interface ListProps<Row> {
  definition: ListDefinition<Row>;
  /** Without export and saved views, for a short list inside another screen. */
  embedded?: boolean;
}

export function RecordList<Row>({ definition, embedded = false }: ListProps<Row>) {
  const state = useList(definition);
  const choice = useColumns(definition);
  const { filters = [] } = definition;
  return (
    <Stack gap="sm">
      {(filters.length > 0 || !embedded) && (
        <Group justify="space-between" align="flex-end" gap="xs">
          <Filters
            filters={filters}
            values={state.filters}
            onChange={state.change}
            onClear={() => state.setFilters({})}
          />
          {!embedded && (
            <Suspense fallback={<div className={classes.tools} />}>
              <Tools definition={definition as never} state={state as never} choice={choice as never} />
            </Suspense>
          )}
        </Group>
      )}
      {definition.sums && (
        <Suspense>
          <Sums definition={definition as never} query={state.query} />
        </Suspense>
      )}
      <Content definition={definition} state={state} choice={choice} />
      <Archived before={state.archivedBefore} />
      <Group justify="space-between">
        <Total definition={definition} state={state} />
        <PageButtons previous={state.previous} next={state.next} />
      </Group>
    </Stack>
  );
}

interface ContentProps<Row> {
  definition: ListDefinition<Row>;
  state: ListState<Row>;
  choice: ColumnChoice<Row>;
}

function Content<Row>({ definition, state, choice }: ContentProps<Row>) {
  const { rows, error, isFetching, retry, sorting } = state;
  if (error) return <Failed error={error} retry={retry} />;
  if (!rows) return <Loading rows={8} />;
  return (
    <Rows
      definition={{ ...definition, columns: choice.shown }}
      rows={rows}
      empty={<NothingFound definition={definition} isFiltered={Object.keys(state.filters).length > 0} />}
      isBusy={isFetching}
      isChosen={choice.isChosen}
      sorting={sorting}
    />
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
