// Writes traits.gen.ts: the traits of operations that differ from the default, and the error codes.
import type { DescribedOperation } from './document.ts';

export function traitsFile(operations: readonly DescribedOperation[], errors: readonly string[]): string {
  const lines = operations
    .filter(({ traits }) => Object.keys(traits).length > 0)
    .map(({ method, url, traits }) => `  '${method} ${url}': ${literal(traits)},`);
  return `import type { Traits } from '../traits.ts';

/** By method and path. */
export const TRAITS: Record<string, Traits> = {
${lines.join('\n')}
};

/** The codes of docs/errors.md. */
export type ErrorCode =
${errors.map((code) => `  | '${code}'`).join('\n')};
`;
}

function literal(value: object): string {
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${JSON.stringify(field).replaceAll('"', "'")}`);
  return `{ ${fields.join(', ')} }`;
}
