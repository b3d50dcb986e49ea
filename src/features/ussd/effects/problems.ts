// Cases and recalls by USSD: the functions that /me calls.
import type { CustomerActor } from '../../../audit/log.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Cases, OwnCaseDetails } from '../../cases/service.ts';
import type { Transactions } from '../../transactions/service.ts';
import type { Answer, AnswerOf, EffectKind, EffectOf, ShownCase } from '../engine/state.ts';
import { receiptIn } from './receipt.ts';

export interface ProblemsContext {
  cases: { own: Cases['own'] };
  transactions: Pick<Transactions, 'accountHistory'>;
  /** Runs `read` once the PIN is right. */
  unlocked<Shown extends Answer>(
    actor: CustomerActor,
    pin: string,
    read: (id: string) => Promise<Shown | Refusal>,
  ): Promise<Shown | Refusal>;
}

type ProblemKind = Extract<
  EffectKind,
  'report' | 'cases' | 'transfers' | 'recall' | 'confirmRecall' | 'accept' | 'contest'
>;
type Asks = {
  [Kind in ProblemKind]: (effect: EffectOf<Kind>, actor: CustomerActor) => Promise<AnswerOf<Kind> | Refusal>;
};
type OwnCase = Omit<OwnCaseDetails, 'timeline'>;

const SHOWN_CASES = 20;
const SHOWN_TRANSFERS = 5;
/** Received transfers among them are left out. */
const READ_TRANSFERS = 50;
/** Nobody types sentences on a keypad: staff call back. */
const REPORTED = 'Reported by USSD.';

export type ProblemAsks = ReturnType<typeof createProblemAsks>;

export function createProblemAsks({ cases: { own }, transactions, unlocked }: ProblemsContext) {
  async function recall(actor: CustomerActor, transferId: string, pin: string) {
    const about = { kind: 'wrong_transfer' as const, transaction_id: transferId };
    const opened = await own.open(actor, { ...about, description: REPORTED, pin });
    const exists = opened instanceof Refusal && opened.code === 'CASE_EXISTS' ? opened.details.case_id : undefined;
    // Staff opened it on a call, or the customer without the PIN.
    return typeof exists === 'string' ? own.confirm(actor, exists, pin) : opened;
  }

  async function transfersOf(actor: CustomerActor, id: string): Promise<AnswerOf<'transfers'> | Refusal> {
    const page = { limit: READ_TRANSFERS, offset: 0, type: 'transfer_p2p' };
    const found = await transactions.accountHistory(actor, id, page, null);
    if (found instanceof Refusal) return found;
    const sent = found.transactions.filter(({ direction }) => direction === 'debit').slice(0, SHOWN_TRANSFERS);
    const transfers = sent.map(({ transaction_id, created_at, amount, payee_name }) => ({
      ...{ id: transaction_id, at: dayOf(created_at), amount, name: payee_name ?? '' },
    }));
    return { kind: 'transfers', transfers };
  }

  /** A case that waits for a confirmation has no recall yet, which would name the recipient. */
  async function shown(actor: CustomerActor, row: OwnCase): Promise<ShownCase> {
    const shownRow = shownCase(row);
    const transfer = row.can_confirm ? await own.transferToConfirm(actor, row.id) : null;
    return transfer ? { ...shownRow, ...transfer } : shownRow;
  }

  const asks: Asks = {
    async report({ problem }, actor) {
      const opened = await own.open(actor, { kind: problem, description: REPORTED });
      return opened instanceof Refusal ? opened : { kind: 'report', number: opened.number };
    },
    async cases(_effect, actor) {
      const { rows } = await own.list(actor, { limit: SHOWN_CASES, offset: 0 });
      const cases = await Promise.all(rows.map((row) => shown(actor, row)));
      return { kind: 'cases', cases: cases.sort(byWaiting) };
    },
    transfers: ({ pin }, actor) => unlocked(actor, pin, (id) => transfersOf(actor, id)),
    async recall({ transferId, pin }, actor) {
      const details = await recall(actor, transferId, pin);
      return details instanceof Refusal ? details : { kind: 'recall', ...recallIn(details) };
    },
    async confirmRecall({ caseId, pin }, actor) {
      const details = await own.confirm(actor, caseId, pin);
      return details instanceof Refusal ? details : { kind: 'confirmRecall', ...recallIn(details) };
    },
    async accept({ caseId, pin }, actor) {
      const returned = await own.accept(actor, caseId, { pin, requestId: actor.requestId });
      if (returned instanceof Refusal) return returned;
      const { amount } = JSON.parse(returned.json) as { amount: number };
      return { kind: 'accept', amount, receipt: receiptIn(returned) };
    },
    async contest({ caseId }, actor) {
      const details = await own.contest(actor, caseId, undefined);
      return details instanceof Refusal ? details : { kind: 'contest' };
    },
  };
  return asks;
}

const dayOf = (at: string) => `${at.slice(8, 10)}/${at.slice(5, 7)}`;

function recallIn({ number, recall }: OwnCase) {
  return { number, state: recall?.state === 'asked' ? ('asked' as const) : ('staff' as const) };
}

function shownCase({ id, number, state, role, recall, can_confirm }: OwnCase): ShownCase {
  const isAsked = role === 'recipient' && recall?.state === 'asked' && recall.contested_at === null;
  return {
    ...{ id, number, state },
    waitsFor: isAsked ? 'answer' : can_confirm ? 'confirmation' : null,
    name: recall?.counterparty ?? '',
    amount: recall?.amount ?? 0,
    answerBy: recall?.answer_by ? dayOf(recall.answer_by) : '',
  };
}

/** What waits for the customer first. */
function byWaiting(one: ShownCase, other: ShownCase): number {
  return Number(one.waitsFor === null) - Number(other.waitsFor === null);
}
