// What a kind of protected records is: its table, columns and parts.
/** How a column becomes a JSON value: as it is, in milliseconds, in hexadecimal digits, or as text. */
export type ColumnType = 'value' | 'time' | 'bytes' | 'text';

/** Rows of another table that belong to the record. */
export interface Part {
  table: string;
  /** The column with the record's id. */
  by: string;
  /** Only these rows. */
  where?: string;
  columns: Record<string, ColumnType>;
}

export interface KindDefinition {
  table: string;
  /** The expression that audit entries use as the resource's id. */
  id: string;
  /** Rows for which this is false count as absent. */
  scope?: string;
  columns: Record<string, ColumnType>;
  parts?: Record<string, Part>;
  /** Records that change together with this one: their column `by` has its id. */
  related?: { kind: string; by: string }[];
  /** This kind's records can be deleted. */
  deletable?: boolean;
}

export const values = <Name extends string>(...names: Name[]) => ofType('value', names);
export const times = <Name extends string>(...names: Name[]) => ofType('time', names);
const ofType = <Name extends string>(type: ColumnType, names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, type])) as Record<Name, ColumnType>;
