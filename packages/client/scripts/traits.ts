// Writes traits.gen.ts: the traits of operations that differ from the default, the error codes, and the webhooks.
import type { DescribedOperation, Document } from './document.ts';

export function traitsFile(
  { webhooks }: Document,
  operations: readonly DescribedOperation[],
  errors: readonly string[],
): string {
  const payloads = Object.values(webhooks).map(({ post }) =>
    nameOf(post.requestBody.content['application/json'].schema),
  );
  const lines = operations
    .filter(({ traits }) => Object.keys(traits).length > 0)
    .map(({ method, url, traits }) => `  '${method} ${url}': ${literal(traits)},`);
  return `import type { Traits } from '../traits.ts';
import type { ${payloads.join(', ')} } from './types.gen.ts';

/** By method and path. */
export const TRAITS: Record<string, Traits> = {
${lines.join('\n')}
};

/** The codes of docs/errors.md. */
export type ErrorCode =
${errors.map((code) => `  | '${code}'`).join('\n')};

/** A webhook's body; \`event\` tells which. */
export type WebhookPayload = ${payloads.join(' | ')};
`;
}

const nameOf = ({ $ref }: { $ref: string }) => $ref.slice($ref.lastIndexOf('/') + 1);

function literal(value: object): string {
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${JSON.stringify(field).replaceAll('"', "'")}`);
  return `{ ${fields.join(', ')} }`;
}
