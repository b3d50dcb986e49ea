// Rows that other layers add to a ledger commit: each layer declares its table once, the ledger inserts into it.

/** A row of another table, written in the same commit as the movement. */
export interface OutboxRow {
  table: OutboxTable;
  row: object;
}

export class OutboxTable {
  readonly name: string;
  /** Takes one parameter: a JSON array of rows. */
  readonly insert: string;

  /** `ignoreDuplicates`: a row whose key exists already is skipped. */
  constructor(name: string, { ignoreDuplicates = false } = {}) {
    const onConflict = ignoreDuplicates ? ' on conflict do nothing' : '';
    this.name = name;
    this.insert = `insert into ${name} select * from json_populate_recordset(null::${name}, $1)${onConflict}`;
  }
}
