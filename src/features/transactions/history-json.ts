// A page of history as JSON text: metadata goes in as the text it is kept as, parsed by nobody on the way.
import type { Page } from '../../http/paging.ts';
import { withMember } from '../../kernel/json-text.ts';
import type { DiscreetPage } from './pep-masking.ts';

/** `more` is what a family adds to the reply. */
export function historyJson(history: DiscreetPage, page: Page, more: object = {}): string {
  const { transactions, total, isMinimum, nextCursor } = history;
  const minimum = isMinimum ? { total_is_minimum: true } : {};
  const rest = JSON.stringify({ total_count: total, ...minimum, ...page, next_cursor: nextCursor, ...more });
  return `{"transactions":[${transactions.map(recordJson).join(',')}],${rest.slice(1)}`;
}

function recordJson(record: DiscreetPage['transactions'][number]): string {
  if (!('metadata' in record)) return JSON.stringify(record);
  const { metadata, ...seen } = record;
  return withMember(JSON.stringify(seen), 'metadata', metadata ?? 'null');
}
