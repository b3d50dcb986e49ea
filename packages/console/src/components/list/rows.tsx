// The records of a list: a table, or cards on a phone, and what can be done with the selected ones.
import { Paper, Stack } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../lazy-part.ts';
import { useIsPhone } from '../use-is-phone.ts';
import { Cards } from './cards.tsx';
import type { ListDefinition } from './definition.ts';
import type { Sorting } from './header.tsx';
import classes from './list.module.css';
import { RowTable } from './row-table.tsx';
import { useTicks } from './ticks.tsx';

/** Loaded where rows can be selected. */
const BulkBar = lazyPart(() => import('./bulk-bar.tsx'));

interface RowsProps<Row> {
  definition: ListDefinition<Row>;
  rows: Row[];
  /** Shown instead of a list without rows. The dialog of an action stays, with what became of the rows that left. */
  empty?: ReactNode;
  isBusy?: boolean;
  /** The user chose the columns: they are shown whatever the width. */
  isChosen?: boolean;
  sorting?: Sorting | undefined;
}

export function Rows<Row>({ definition, rows, empty, isBusy = false, isChosen = false, sorting }: RowsProps<Row>) {
  const isPhone = useIsPhone();
  const { ticks, selected } = useTicks(definition, rows);
  const shown = { definition, rows, isChosen, ticks };
  return (
    <Stack gap="sm">
      {ticks && (
        <Suspense>
          <BulkBar definition={definition as never} selected={selected as never} ticks={ticks} />
        </Suspense>
      )}
      {rows.length === 0 && empty}
      {rows.length > 0 && (
        <Paper withBorder radius="md" className={classes.rows ?? ''} aria-busy={isBusy}>
          {isPhone ? <Cards {...shown} /> : <RowTable {...shown} sorting={sorting} />}
        </Paper>
      )}
    </Stack>
  );
}
