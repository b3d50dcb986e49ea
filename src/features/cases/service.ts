// Cases for staff: the queue, one case with all that belongs to it, and its changes.
import type { Actor } from '../../audit/log.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { readRange } from '../../http/date-range.ts';
import type { Page } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { createChanges } from './changes.ts';
import { complexDeadline, createClocks } from './clocks/clocks.ts';
import { type CasesContext, caseClosed, noSuchCase, pepRefusal } from './context.ts';
import { createFiles } from './files.ts';
import { readCaseNumber } from './numbers.ts';
import { createOpening, findOwnPayment } from './opening.ts';
import { createOwnCases } from './own-cases.ts';
import { createDecisions } from './recalls/decisions.ts';
import { createRecallHolds } from './recalls/holds.ts';
import { createLegalOrder } from './recalls/legal-order.ts';
import { createSettling } from './recalls/settling.ts';
import { findRecall } from './recalls/store.ts';
import * as store from './store.ts';
import { type CaseKind, type CaseState, isClosed } from './tables.ts';
import { caseDetails, caseView } from './views.ts';

export type { CasesContext } from './context.ts';
export type { OwnCaseDetails, OwnCases } from './own-cases.ts';
export type { CaseKind } from './tables.ts';
export { KINDS as CASE_KINDS } from './tables.ts';

export type Cases = ReturnType<typeof createCases>;
export type CaseDetails = ReturnType<typeof caseDetails>;

interface NewStaffCase {
  kind: CaseKind;
  subscriber_id: string;
  transaction_id?: string;
  description: string;
}

type ListQuery = Page & Omit<store.CaseFilters, 'from' | 'to'> & { from?: string; to?: string };
type Change = (trx: DatabaseTransaction, row: store.CaseRow) => Promise<Refusal | null>;

export function createCases(context: CasesContext) {
  const { database, audit, holders, pep, notices, clock } = context;
  const { queries } = database;
  const clocks = createClocks(context);
  const open = createOpening(context, clocks);
  const changes = createChanges(context);
  const holds = createRecallHolds(context);
  const settling = createSettling(context, changes, holds);
  const decisions = createDecisions(context, changes);
  const files = createFiles(context, findVisible);

  async function findVisible(actor: Actor, id: string): Promise<store.FoundCase | Refusal> {
    const found = await store.findCase(queries, id);
    if (!found) return noSuchCase();
    return (await pepRefusal(pep, actor, found)) ?? found;
  }

  async function get(actor: Actor, id: string): Promise<CaseDetails | Refusal> {
    const found = await findVisible(actor, id);
    return found instanceof Refusal ? found : detailsOf(found);
  }

  /** As it is now, after the caller was allowed to see it. */
  async function reread(id: string): Promise<CaseDetails> {
    const found = await store.findCase(queries, id);
    if (!found) throw new Error(`the case ${id} is not there any more`);
    return detailsOf(found);
  }

  async function detailsOf(found: store.FoundCase): Promise<CaseDetails> {
    const { id } = found;
    const [recall, events, stored, holder] = await Promise.all([
      findRecall(queries, id),
      store.eventsOf(queries, id),
      files.list(id),
      holders.byId(found.subscriber_id),
    ]);
    const customerName = holder ? `${holder.first_name} ${holder.last_name}` : '';
    return caseDetails(found, { customerName, recall, events, files: stored }, clock.now());
  }

  /** Runs a change on the locked case, and returns the case as it is then. */
  async function change(actor: Actor, id: string, run: Change): Promise<CaseDetails | Refusal> {
    const found = await findVisible(actor, id);
    if (found instanceof Refusal) return found;
    const refusal = await database.transact(async (trx) => {
      const row = await store.lockCase(trx, id);
      return row ? run(trx, row) : noSuchCase();
    });
    if (refusal) return refusal;
    notices.wake();
    return reread(id);
  }

  async function note(
    trx: DatabaseTransaction,
    actor: Actor,
    row: store.CaseRow,
    event: store.NewEvent & { kind: string },
    details: Record<string, unknown> = {},
  ): Promise<null> {
    await store.addEvent(trx, clock, row.id, actor.caller, event);
    await changes.acknowledge(trx, row);
    const about = { resourceType: 'case', resourceId: row.id, details: { number: row.number, ...details } };
    await audit.record(trx, actor, { action: `case.${event.kind}`, ...about });
    return null;
  }

  return {
    clocks,
    files,
    own: createOwnCases(context, { open, changes, settling }),
    recalls: {
      async decide(actor: Actor, id: string, reason: string): Promise<CaseDetails | Refusal> {
        const decided = await change(actor, id, (trx, row) => decisions.decide(trx, actor, row, tidy(reason)));
        if (decided instanceof Refusal) return decided;
        await settling.settleSoon(id);
        return reread(id);
      },
      extension: decisions.extension,
      legalOrder: createLegalOrder(context, settling),
      settleDue: settling.settleDue,
    },
    get,
    counts: () => store.countCases(queries, clock.now()),

    async list(actor: Actor, { from, to, number, ...query }: ListQuery) {
      const range = readRange({ from, to });
      if (range instanceof Refusal) return range;
      const { limit, offset, after, ...filters } = query;
      const page = { limit, offset, ...(after === undefined ? {} : { after }) };
      const hidden = (await pep.hasAccess(actor.caller)) ? [] : await pep.all();
      const now = clock.now();
      const { rows, total } = await store.listCases(
        queries,
        { ...filters, ...range, number: number && readCaseNumber(number) },
        { page, now: new Date(now), hidden },
      );
      await pep.hidden(
        actor,
        rows.flatMap(({ subscriber_id, recipient_id }) => [subscriber_id, recipient_id]),
      );
      return { cases: rows.map((row) => caseView(row, now)), total };
    },

    async open(actor: Actor, input: NewStaffCase): Promise<CaseDetails | Refusal> {
      const { kind, subscriber_id: subscriberId, transaction_id, description } = input;
      const refusal = await pep.refusalOf(actor, subscriberId, 'case');
      if (refusal) return refusal;
      const payment = await findOwnPayment(context, subscriberId, transaction_id);
      if (payment instanceof Refusal) return payment;
      const row = await database.transact((trx) =>
        open(trx, actor, { kind, subscriberId, transactionId: payment?.id ?? null, description, channel: 'staff' }),
      );
      return row instanceof Refusal ? row : reread(row.id);
    },

    assign: (actor: Actor, id: string, assigneeId: string | null) =>
      change(actor, id, async (trx, row) => {
        if (row.closed_at) return caseClosed();
        if (assigneeId !== null && !(await store.canWork(trx, assigneeId))) return noSuchUser();
        await store.updateCase(trx, id, { assignee_id: assigneeId });
        const details = { from: row.assignee_id, to: assigneeId };
        return note(trx, actor, row, { kind: 'assign', details }, details);
      }),

    addNote: (actor: Actor, id: string, text: string) =>
      change(actor, id, (trx, row) => note(trx, actor, row, { kind: 'note', text: text.trim() })),

    addMessage: (actor: Actor, id: string, text: string) =>
      change(actor, id, async (trx, row) => {
        if (row.closed_at) return caseClosed();
        const { subscriber_id: subscriberId, number } = row;
        await notices.tell(trx, { subscriberId, kind: 'case_message', values: { case: number } });
        return note(trx, actor, row, { kind: 'message', text: text.trim(), isShown: true });
      }),

    changeState: (actor: Actor, id: string, { state, reason }: { state: CaseState; reason: string }) =>
      change(actor, id, async (trx, row) => {
        if (row.closed_at) return caseClosed();
        const recall = await findRecall(trx, id);
        const isRecalling = recall?.settled_at === null && recall.state !== 'staff_decides';
        if (isClosed(state) && isRecalling) return recallOpen();
        await changes.setState(trx, row, { state, by: actor.caller, reason: tidy(reason) });
        await changes.acknowledge(trx, row);
        const details = { number: row.number, from: row.state, to: state };
        await audit.record(trx, actor, { action: 'case.state', resourceType: 'case', resourceId: id, details });
        return null;
      }),

    markComplex: (actor: Actor, id: string, reason: string) =>
      change(actor, id, async (trx, row) => {
        if (row.closed_at) return caseClosed();
        if (row.is_complex) return refuse('ALREADY_DECIDED', 'The case has more time already.');
        const openedAt = row.created_at.getTime();
        const resolve_by = complexDeadline(await clocks.at(trx, openedAt), openedAt);
        await store.updateCase(trx, id, { is_complex: true, resolve_by });
        const { subscriber_id: subscriberId, number } = row;
        await notices.tell(trx, {
          subscriberId,
          kind: 'case_complex',
          values: { case: number, until: dayOf(resolve_by) },
        });
        const details = { resolve_by: iso(resolve_by) };
        return note(trx, actor, row, { kind: 'complex', text: tidy(reason), details, isShown: true }, details);
      }),
  };
}

/** The last day of the time: the deadline is its end. */
function dayOf(deadline: Date): string {
  return new Date(deadline.getTime() - 1).toISOString().slice(0, 10);
}

function noSuchUser(): Refusal {
  return refuse('USER_NOT_FOUND', 'There is no active user with this id who works on cases.');
}

function recallOpen(): Refusal {
  return refuse('RECALL_OPEN', 'The recall waits for its recipient: the case stays open until it has ended.');
}
