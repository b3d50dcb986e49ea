// Movements that a list leaves out for its reader: neither pages nor counts nor cursors depend on them.
import { textArray } from '../../db/driver/binary-arrays.ts';

export interface LeftOut {
  /** All movements of these accounts. */
  accounts: readonly string[];
  movements: readonly string[];
}

/** In SQL, of a row of movements; the parameters are arrays. Each row is looked up in a hash, however long they are. */
export function notLeftOut(accounts: string, movements: string, row = ''): string {
  const among = (values: string) => `(select unnest(${values}::text[]))`;
  return `${row}from_account not in ${among(accounts)} and ${row}to_account not in ${among(accounts)}
    and ${row}id not in ${among(movements)}`;
}

/** The values of the parameters. By default nothing is left out. */
export function leftOutValues({ accounts, movements }: LeftOut = { accounts: [], movements: [] }) {
  return [textArray([...accounts]), textArray([...movements])] as const;
}
