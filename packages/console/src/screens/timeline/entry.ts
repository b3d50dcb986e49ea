// What the timeline shows of one thing that happened, and the lists that it comes from.
import type { ReactNode } from 'react';
import type { Source } from './merge.ts';

/** In the order of the filters. */
export const KINDS = ['payments', 'refusals', 'messages', 'changes', 'notes', 'approvals', 'cases'] as const;
export type Kind = (typeof KINDS)[number];

export interface Entry {
  what: string;
  note?: ReactNode;
  /** Who did it, by name. */
  by?: ReactNode;
  /** The screen of what happened. */
  to?: string | undefined;
  status?: ReactNode;
  /** Minor units, with the sign that it has for the record's account. */
  amount?: number | null | undefined;
  isSigned?: boolean;
}

export interface TimelineSource<Row = never> extends Source<Row> {
  kind: Kind;
  show(row: Row): Entry;
}

/** The record whose timeline it is. */
export interface TimelineRecord {
  kind: 'customer' | 'agent' | 'merchant' | 'partner' | 'transaction';
  id: string;
  phone?: string | null | undefined;
  /** The key of the record's query, if its reader's access may end while it is shown: it is read again with each page. */
  protectedBy?: readonly string[] | undefined;
}

interface CountedReply {
  total_count: number;
}

const PAGE_SIZE = 10;

interface PageQuery {
  limit: string;
  offset: string;
}

/** Reads a list by limit and offset. */
export const paged =
  <Reply extends CountedReply, Row>(
    call: (page: PageQuery, options: { signal: AbortSignal }) => PromiseLike<Reply>,
    rowsOf: (reply: Reply) => Row[],
  ): Source<Row>['read'] =>
  async (position, options) => {
    const offset = Number(position);
    const reply = await call({ limit: String(PAGE_SIZE), offset: String(offset) }, options);
    const end = offset + PAGE_SIZE;
    return { rows: rowsOf(reply), next: end < reply.total_count ? String(end) : undefined };
  };

interface CursorReply {
  next_cursor: string | null;
}

/** Reads a history, which has a cursor: its later pages do not read the earlier ones again. */
export const continued =
  <Reply extends CursorReply, Row>(
    call: (page: { limit: string; cursor?: string }, options: { signal: AbortSignal }) => PromiseLike<Reply>,
    rowsOf: (reply: Reply) => Row[],
  ): Source<Row>['read'] =>
  async (cursor, options) => {
    const reply = await call({ limit: String(PAGE_SIZE), ...(cursor ? { cursor } : {}) }, options);
    return { rows: rowsOf(reply), next: reply.next_cursor ?? undefined };
  };
