// What lists of transactions are read with.
import type { StatementRunner } from '../../db/driver/statement.ts';
import { createMovementList } from './movement-list.ts';
import { createFilteredSums } from './movement-sums.ts';
import { createAccountTotals } from './totals.ts';

export function createListQueries(pool: StatementRunner) {
  return {
    movementList: createMovementList(pool),
    filteredSums: createFilteredSums(pool),
    totals: createAccountTotals(pool),
  };
}
