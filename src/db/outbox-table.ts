// Rows that other layers add to a ledger commit: each layer declares its table once, the ledger inserts into it.
import { type Statement, statement } from './driver/statement.ts';

/** A row of another table, written in the same commit as the movement. */
export interface OutboxRow {
  table: OutboxTable;
  row: object;
}

export class OutboxTable {
  /** Takes one parameter: a JSON array of rows. */
  readonly insert: Statement<unknown>;

  /** `ignoreDuplicates`: a row whose key exists already is skipped. */
  constructor(name: string, { ignoreDuplicates = false } = {}) {
    const onConflict = ignoreDuplicates ? ' on conflict do nothing' : '';
    const text = `insert into ${name} select * from json_populate_recordset(null::${name}, $1)${onConflict}`;
    this.insert = statement(`ledger-outbox-${name}`, text);
  }
}
