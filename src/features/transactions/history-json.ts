// A page of history as JSON text. Metadata is inserted as the stored text, without parsing.
import type { Page } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';
import { withMember } from '../../kernel/json-text.ts';
import type { HistoryPage, TransactionRecord } from './record.ts';

/** `more`: additional fields of the reply. */
export function historyJson(history: HistoryPage, page: Page, more: object = {}): string {
  const { transactions, total, isMinimum, nextCursor, archivedBefore } = history;
  const minimum = isMinimum ? { total_is_minimum: true } : {};
  const archived = archivedBefore === undefined ? {} : { archived_before: iso(archivedBefore) };
  const rest = JSON.stringify({
    total_count: total,
    ...minimum,
    ...page,
    next_cursor: nextCursor,
    ...archived,
    ...more,
  });
  return `{"transactions":[${transactions.map(recordJson).join(',')}],${rest.slice(1)}`;
}

function recordJson({ metadata, ...seen }: TransactionRecord): string {
  return withMember(JSON.stringify(seen), 'metadata', metadata ?? 'null');
}
