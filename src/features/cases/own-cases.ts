// Cases for customers, on every channel of their own: /me, USSD and the chat call the same functions.
import type { Actor, CustomerActor } from '../../audit/log.ts';
import type { Page } from '../../http/paging.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { Refusal, refuseForNow } from '../../kernel/refusal.ts';
import { shortName } from '../../kernel/text.ts';
import type { StoredMovement } from '../../ledger/queries/movement-lookup.ts';
import type { Executed } from '../../payments/plan.ts';
import type { Changes } from './changes.ts';
import { type CasesContext, caseClosed, noRecall, noSuchCase } from './context.ts';
import { caseExists, findOwnPayment, type OpenCase } from './opening.ts';
import { type Acceptance, createAnswers } from './recalls/answers.ts';
import { createRequests, needsTransaction } from './recalls/requests.ts';
import { isTransferOf } from './recalls/rules.ts';
import type { Settling } from './recalls/settling.ts';
import { findRecall, isRecalled, recallsOf } from './recalls/store.ts';
import * as store from './store.ts';
import type { CaseKind, RecallRule } from './tables.ts';
import { canHaveRecall, ownCaseView, ownTimeline } from './views.ts';

/** Cases and messages that a customer writes in a day. */
const MOST_A_DAY = 20;

export interface NewOwnCase {
  kind: CaseKind;
  transaction_id?: string;
  description: string;
  /** For a wrong transfer: the customer wants it back. */
  pin?: string;
}

interface ChatCase extends Pick<NewOwnCase, 'kind' | 'description'> {
  subscriberId: string;
  /** Delivered twice, a message opens one case. */
  messageId: string;
}

interface Parts {
  open: OpenCase;
  changes: Changes;
  settling: Settling;
}

export type OwnCases = ReturnType<typeof createOwnCases>;
export type OwnCaseDetails = Exclude<Awaited<ReturnType<OwnCases['get']>>, Refusal>;

export function createOwnCases(context: CasesContext, { open, changes, settling }: Parts) {
  const { database, audit, holders, movements, notices, clock } = context;
  const { queries } = database;
  const requests = createRequests(context);
  const answers = createAnswers(context, settling);

  async function find({ caller }: CustomerActor, id: string): Promise<store.FoundCase | Refusal> {
    const found = await store.findCase(queries, id);
    if (!found) return noSuchCase();
    if (found.subscriber_id === caller.id) return found;
    const recall = await findRecall(queries, id);
    return recall?.recipient_id === caller.id && recall.asked_at !== null ? found : noSuchCase();
  }

  async function nameOf(recall: store.Recall, subscriberId: string): Promise<string> {
    const other = recall.sender_id === subscriberId ? recall.recipient_id : recall.sender_id;
    const holder = await holders.byId(other);
    return holder ? shortName(holder) : '';
  }

  async function view(row: store.FoundCase, subscriberId: string, recall: store.Recall | null) {
    const [counterparty, canConfirm] = await Promise.all([
      recall ? nameOf(recall, subscriberId) : '',
      recall === null && row.subscriber_id === subscriberId && canBeConfirmed(row),
    ]);
    return ownCaseView(row, { subscriberId, recall, counterparty, canConfirm }, clock.now());
  }

  /** The payment that the case is about is a transfer that its customer made, and was not recalled. */
  async function canBeConfirmed(row: store.FoundCase): Promise<boolean> {
    const { transaction_id, subscriber_id } = row;
    if (!canHaveRecall(row) || transaction_id === null) return false;
    const payment = await movements.byId(transaction_id);
    return isTransferOf(payment, subscriber_id) && !(await isRecalled(queries, transaction_id));
  }

  async function get(actor: CustomerActor, id: string) {
    const found = await find(actor, id);
    if (found instanceof Refusal) return found;
    const subscriberId = actor.caller.id;
    const [recall, events] = await Promise.all([findRecall(queries, id), store.eventsOf(queries, id)]);
    const isCustomer = found.subscriber_id === subscriberId;
    return { ...(await view(found, subscriberId, recall)), timeline: ownTimeline(events, subscriberId, isCustomer) };
  }

  /** Of what a customer writes: staff must not be flooded. The transaction has locked the customer. */
  async function tooManyRefusal(trx: Parameters<typeof store.writtenSince>[0], subscriberId: string, most: number) {
    const written = await store.writtenSince(trx, subscriberId, new Date(clock.now() - DAY_MS));
    if (written <= most) return null;
    return refuseForNow('RATE_LIMITED', `A customer writes at most ${MOST_A_DAY} times in 24 hours.`, DAY_MS);
  }

  /** The transfer that the customer wants back, after the PIN; null: it cannot be recalled. */
  async function confirmedTransfer(actor: CustomerActor, payment: StoredMovement, pin: string) {
    const refusal = await requests.confirmationRefusal(actor, pin);
    if (refusal) return refusal;
    if (!isTransferOf(payment, actor.caller.id) || (await isRecalled(queries, payment.id))) return null;
    return { transfer: payment, rule: await requests.ruleOf(payment) };
  }

  async function openOwn(actor: CustomerActor, input: NewOwnCase) {
    const { kind, transaction_id, description, pin } = input;
    const subscriberId = actor.caller.id;
    const payment = await findOwnPayment(context, subscriberId, transaction_id);
    if (payment instanceof Refusal) return payment;
    let recall: { transfer: StoredMovement; rule: RecallRule | null } | null = null;
    if (kind === 'wrong_transfer' && pin !== undefined) {
      if (!payment) return needsTransaction();
      const confirmed = await confirmedTransfer(actor, payment, pin);
      if (confirmed instanceof Refusal) return confirmed;
      recall = confirmed;
    }
    const channel = actor.caller.channel === 'ussd' ? 'ussd' : 'wallet';
    const row = await database.transact(async (trx) => {
      const opened = await open(trx, actor, {
        ...{ kind, subscriberId, transactionId: payment?.id ?? null, description, channel },
      });
      if (opened instanceof Refusal) return opened;
      // The case that was just opened is counted.
      const tooMany = await tooManyRefusal(trx, subscriberId, MOST_A_DAY);
      if (tooMany) return tooMany;
      if (recall) await requests.add(trx, actor, opened, recall.transfer, recall.rule);
      return opened;
    });
    if (row instanceof Refusal) return row;
    await settling.settleSoon(row.id);
    return get(actor, row.id);
  }

  return {
    open: openOwn,
    get,

    /** For the chat, which knows the number and takes no PIN: a transfer is confirmed on a channel of the customer's own. */
    async openFromChat(actor: Actor, input: ChatCase) {
      const { subscriberId, messageId } = input;
      const opened = await database.transact(async (trx) => {
        await store.lockCustomer(trx, subscriberId);
        const before = await store.caseOfMessage(trx, subscriberId, messageId);
        if (before) return before;
        const row = await open(trx, actor, { ...input, transactionId: null, channel: 'chat' });
        return row instanceof Refusal ? row : ((await tooManyRefusal(trx, subscriberId, MOST_A_DAY)) ?? row);
      });
      return opened instanceof Refusal ? opened : { id: opened.id, number: opened.number };
    },

    async list({ caller }: CustomerActor, page: Page) {
      const { rows, total } = await store.listOwnCases(queries, caller.id, page);
      const recalls = await recallsOf(
        queries,
        rows.map(({ id }) => id),
      );
      return { rows: await Promise.all(rows.map((row) => view(row, caller.id, recalls.get(row.id) ?? null))), total };
    },

    async addMessage(actor: CustomerActor, id: string, text: string) {
      const found = await find(actor, id);
      if (found instanceof Refusal) return found;
      if (found.subscriber_id !== actor.caller.id) return noSuchCase();
      const refusal = await database.transact(async (trx) => {
        await store.lockCustomer(trx, actor.caller.id);
        const row = await store.lockCase(trx, id);
        if (!row || row.closed_at) return caseClosed();
        const tooMany = await tooManyRefusal(trx, actor.caller.id, MOST_A_DAY - 1);
        if (tooMany) return tooMany;
        const event = { kind: 'message', text: text.trim(), isShown: true };
        await store.addEvent(trx, clock, id, actor.caller, event);
        // The customer has answered: staff go on.
        if (row.state === 'waiting_customer') {
          await changes.setState(trx, row, { state: 'investigating', by: actor.caller });
        }
        await audit.record(trx, actor, { action: 'case.message', resourceType: 'case', resourceId: id });
        return null;
      });
      return refusal ?? get(actor, id);
    },

    /** What a case is about that its customer can confirm. Null: there is nothing to confirm. */
    async transferToConfirm({ caller }: CustomerActor, id: string): Promise<{ name: string; amount: number } | null> {
      const row = await store.findCase(queries, id);
      const transfer =
        row?.subscriber_id === caller.id && row.transaction_id ? await movements.byId(row.transaction_id) : null;
      if (!isTransferOf(transfer, caller.id)) return null;
      const recipient = await holders.byId(transfer.toAccount);
      return { name: recipient ? shortName(recipient) : '', amount: transfer.amount };
    },

    /** A case that staff opened on a call, or that the customer opened without the PIN. */
    async confirm(actor: CustomerActor, id: string, pin: string) {
      const found = await find(actor, id);
      if (found instanceof Refusal) return found;
      const { transaction_id, subscriber_id } = found;
      if (subscriber_id !== actor.caller.id) return noSuchCase();
      if (found.closed_at) return caseClosed();
      const payment = canHaveRecall(found) && transaction_id !== null ? await movements.byId(transaction_id) : null;
      if (!payment) return noRecall();
      const confirmed = await confirmedTransfer(actor, payment, pin);
      if (confirmed instanceof Refusal) return confirmed;
      if (!confirmed) return (await findRecall(queries, id)) ? get(actor, id) : noRecall();
      const refusal = await database.transact(async (trx) => {
        await store.lockCustomer(trx, subscriber_id);
        const row = await store.lockCase(trx, id);
        if (!row || row.closed_at) return caseClosed();
        const added = await requests.add(trx, actor, row, confirmed.transfer, confirmed.rule);
        if (added || (await findRecall(trx, id))) return null;
        return caseExists(row);
      });
      if (refusal) return refusal;
      await settling.settleSoon(id);
      return get(actor, id);
    },

    async accept(actor: CustomerActor, id: string, input: Acceptance): Promise<Executed | Refusal> {
      return answers.accept(actor, id, input);
    },

    async contest(actor: CustomerActor, id: string, reason: string | undefined) {
      const refusal = await answers.contest(actor, id, reason);
      notices.wake();
      return refusal ?? get(actor, id);
    },
  };
}
