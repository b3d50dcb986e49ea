// Row types of the tables, from the generated schema.
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { DB } from './generated.ts';

export type Tables = DB;

/** A row as it is read. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
/** A row as it is inserted: columns with a default are optional. */
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>;
/** The changes of an update. */
export type RowChange<Table extends keyof Tables> = Updateable<Tables[Table]>;
