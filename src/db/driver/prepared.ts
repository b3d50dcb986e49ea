// Deprecated: import from statement.ts.
export type { Columns } from './statement.ts';
