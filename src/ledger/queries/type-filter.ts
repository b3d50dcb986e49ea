// The filter by one movement type or several, as the parameter of a statement.
import { textArray } from '../../db/driver/binary-arrays.ts';

/** Null: all types. */
export function typeValues({ type, types }: { type?: string | undefined; types?: readonly string[] | undefined }) {
  if (types !== undefined) return textArray([...types]);
  return type === undefined ? null : textArray([type]);
}
