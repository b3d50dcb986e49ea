// Inbound credits for staff: lists by cursor, and single records. Records of politically exposed persons are protected.
import type { Actor } from '../../../audit/log.ts';
import type { Database } from '../../../db/database.ts';
import { readRange } from '../../../http/date-range.ts';
import type { Page } from '../../../http/paging.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { PepGuard } from '../../../parties/pep-access.ts';
import type { PepPayments } from '../../../parties/pep-payments.ts';
import * as store from './store.ts';

export interface InboundRecordsDependencies {
  database: Database;
  pep: PepGuard;
  pepPayments: PepPayments;
}

export interface InboundQuery extends Page {
  status?: store.Status;
  partner_id?: string;
  reference?: string;
  subscriber_id?: string;
  from?: string;
  to?: string;
  cursor?: string;
}

/** Null where it would reveal the amount of a credit that the caller may not see. */
export type VisibleCredit = Omit<store.ReviewedCredit, 'partner_outstanding'> & { partner_outstanding: number | null };

export interface ListedCredits {
  rows: VisibleCredit[];
  total: number;
  isMinimum: boolean;
  nextCursor: string | null;
}

export type InboundRecords = ReturnType<typeof createInboundRecords>;

/** The skipped records are read one by one in an index. */
const MAX_OFFSET = 10_000;

const CURSOR = /^(inb_[0-9A-Z]{26})\.(\d{1,5})$/;

/** Where the page before ended, and the count of the first page: later pages do not count again. */
interface Position {
  before: string;
  count: number;
}

export function createInboundRecords({ database, pep, pepPayments }: InboundRecordsDependencies) {
  async function visible({ caller }: Actor, rows: store.ReviewedCredit[]): Promise<VisibleCredit[]> {
    const partners = [...new Set(rows.map(({ partner_id }) => partner_id))];
    const hides = await Promise.all(partners.map((id) => pepPayments.hidesBalances(caller, id)));
    const hiding = new Set(partners.filter((_, index) => hides[index]));
    return rows.map((row) => (hiding.has(row.partner_id) ? { ...row, partner_outstanding: null } : row));
  }

  return {
    async list(actor: Actor, query: InboundQuery): Promise<ListedCredits | Refusal> {
      const selection = readSelection(query);
      if (selection instanceof Refusal) return selection;
      const pepRefusal = await pep.refusalOf(actor, query.subscriber_id ?? null, 'payment');
      if (pepRefusal) return pepRefusal;
      const { position } = selection;
      const filter = { ...selection.filter, withoutPeps: !(await pep.hasAccess(actor.caller)) };
      const [{ rows, next }, count] = await Promise.all([
        store.pageOfCredits(database.queries, filter, {
          before: position?.before ?? null,
          limit: query.limit,
          offset: query.offset,
        }),
        position?.count ?? store.countCredits(database.queries, filter),
      ]);
      // With a subscriber filter, PEP access was checked above.
      const others = query.subscriber_id === undefined ? rows.map(({ subscriber_id }) => subscriber_id) : [];
      // Audits that they were shown: without access there are none in the list.
      await pep.hidden(actor, others);
      return {
        rows: await visible(actor, rows),
        total: Math.min(count, store.COUNTED_AT_MOST),
        isMinimum: count > store.COUNTED_AT_MOST,
        nextCursor: next && writeCursor({ before: next, count }),
      };
    },

    async get(actor: Actor, id: string): Promise<VisibleCredit | Refusal> {
      const row = await store.creditById(database.queries, id);
      const notFound = refuse('NOT_FOUND', 'There is no such inbound transaction.');
      if (!row) return notFound;
      const refusal = await pep.concealing(actor, [row.subscriber_id], 'payment', notFound);
      return refusal ?? (await visible(actor, [row]))[0] ?? notFound;
    },
  };
}

function writeCursor({ before, count }: Position): string {
  return Buffer.from(`${before}.${count}`, 'latin1').toString('base64url');
}

/** Null for text that is not a cursor of this list. */
function readCursor(text: string): Position | null {
  const [, before, count] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return before === undefined || count === undefined ? null : { before, count: Number(count) };
}

function readSelection(
  query: InboundQuery,
): { filter: Omit<store.CreditFilter, 'withoutPeps'>; position: Position | null } | Refusal {
  const { status, partner_id, reference, subscriber_id, from, to, cursor, offset } = query;
  const range = readRange({ from, to });
  if (range instanceof Refusal) return range;
  if (offset > MAX_OFFSET) {
    const most = MAX_OFFSET.toLocaleString('en');
    return refuse('INVALID_REQUEST', `offset may be at most ${most}. Use cursor to read on.`);
  }
  const position = cursor === undefined ? null : readCursor(cursor);
  if (cursor !== undefined && position === null)
    return refuse('INVALID_REQUEST', 'cursor is not a cursor of this list.');
  const filter = {
    ...(status ? { status } : {}),
    ...(partner_id !== undefined ? { partnerId: partner_id } : {}),
    ...(reference !== undefined ? { reference } : {}),
    ...(subscriber_id !== undefined ? { subscriberId: subscriber_id } : {}),
    ...range,
  };
  return { filter, position };
}
