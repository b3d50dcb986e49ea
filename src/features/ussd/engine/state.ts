// What a session remembers between two pages, what the engine asks of the service, and what the service answers.
import type { Language } from '../../../http/pages/language.ts';

/** Who holds the number that dials. */
export interface Person {
  /** Null: the number has no wallet. */
  customer: PinHolder | null;
  agent: PinHolder | null;
  /** What an agent entered for a number without a wallet. */
  invitation: { firstName: string; lastName: string; agentName: string } | null;
}

export interface PinHolder {
  id: string;
  /** Of the PIN when the number dialled, in base64: a new PIN ends the session. */
  pinSalt: string;
}

/** What was entered, and what the service answered. Never a PIN. */
export interface Values {
  /** A phone or account number. */
  to?: string;
  code?: string;
  merchantNumber?: string;
  request?: WaitingRequest;
  requests?: WaitingRequest[];
  amount?: number;
  quote?: Quote;
  firstName?: string;
  lastName?: string;
  /** What the account menu shows after the PIN. */
  shows?: 'balance' | 'history' | 'limits';
  history?: HistoryLine[];
  transfers?: SentTransfer[];
  transfer?: SentTransfer;
  cases?: ShownCase[];
  case?: ShownCase;
  /** Of the PIN that was checked. */
  pinVersion?: number;
  /** A keyed hash of the new PIN, to compare its repetition with. */
  pinMark?: string;
}

export interface WaitingRequest {
  id: string;
  payeeName: string;
  /** Null: the payer chooses. */
  amount: number | null;
}

export interface SentTransfer {
  id: string;
  at: string;
  amount: number;
  /** Of the recipient. */
  name: string;
}

export interface ShownCase {
  id: string;
  number: string;
  state: 'open' | 'waiting_customer' | 'waiting_other_party' | 'investigating' | 'resolved' | 'rejected';
  /** answer: somebody asks this customer for money back. confirmation: staff opened it on a call. */
  waitsFor: 'answer' | 'confirmation' | null;
  /** The other party of the transfer. */
  name: string;
  amount: number;
  /** The last day. */
  answerBy: string;
}

export interface Quote {
  /** Null: nothing is stored for it. */
  id: string | null;
  name: string;
  amount: number;
  fee: number;
  total: number;
}

export interface HistoryLine {
  at: string;
  /** Positive: received. */
  amount: number;
  name: string;
}

export interface State {
  screen: string;
  language: Language;
  person: Person;
  values: Values;
  /** The first line that a list shows, and how many it shows. */
  offset: number;
  shown: number;
}

interface Receipt {
  transactionId: string;
  /** Null: not known. */
  balance: number | null;
}

type Payee =
  | { type: 'transfer'; to: string }
  | { type: 'merchant'; merchantNumber: string }
  | { type: 'payment_request'; requestId: string };

/** What the engine asks for, and the answers. */
interface Exchanges {
  quote: [Payee & { amount?: number }, { quote: Quote }];
  pay: [{ type: Payee['type']; requestId?: string; quoteId: string; pin: string }, { receipt: Receipt }];
  cashOutQuote: [{ amount: number }, { quote: Quote }];
  cashOutCode: [{ amount: number; total: number; pin: string }, { code: string; minutes: number }];
  findRequest: [{ code: string }, { request: WaitingRequest }];
  requests: [object, { requests: WaitingRequest[] }];
  decline: [{ requestId: string }, object];
  balance: [{ pin: string }, { available: number; held: number }];
  history: [{ pin: string }, { history: HistoryLine[] }];
  limits: [{ pin: string }, { leftToday: number; daily: number; maxBalance: number }];
  checkPin: [{ pin: string }, { pinVersion: number }];
  changePin: [{ pinVersion: number; pin: string }, object];
  report: [{ problem: 'failed_payment' | 'fraud' | 'agent' | 'other' }, { number: string }];
  cases: [object, { cases: ShownCase[] }];
  transfers: [{ pin: string }, { transfers: SentTransfer[] }];
  /** staff: they decide, or nothing is left to return. */
  recall: [{ transferId: string; pin: string }, { number: string; state: 'asked' | 'staff' }];
  confirmRecall: [{ caseId: string; pin: string }, { number: string; state: 'asked' | 'staff' }];
  accept: [{ caseId: string; pin: string }, { amount: number; receipt: Receipt }];
  contest: [{ caseId: string }, object];
  setLanguage: [{ language: Language }, { language: Language }];
  loginCode: [object, { code: string; minutes: number }];
  register: [{ firstName: string; lastName: string; pin: string }, object];
  invite: [{ phone: string; firstName: string; lastName: string; pin: string }, object];
  cashInQuote: [{ phone: string; amount: number }, { quote: Quote }];
  cashIn: [{ phone: string; amount: number; pin: string }, { receipt: Receipt }];
  redeem: [{ phone: string; code: string; pin: string }, { name: string; amount: number; transactionId: string }];
  float: [{ pin: string }, { float: number }];
}

export type EffectKind = keyof Exchanges;
export type EffectOf<Kind extends EffectKind> = { kind: Kind } & Exchanges[Kind][0];
export type AnswerOf<Kind extends EffectKind> = { kind: Kind } & Exchanges[Kind][1];
export type Effect = { [Kind in EffectKind]: EffectOf<Kind> }[EffectKind];

export interface RefusedAnswer {
  kind: 'refused';
  code: string;
  /** Wrong PINs that are left. */
  attemptsLeft?: number;
  /** HH:MM; absent: until the PIN is reset. */
  lockedUntil?: string;
  /** The price has changed. */
  quote?: Quote;
}

export type Answer = { [Kind in EffectKind]: AnswerOf<Kind> }[EffectKind] | RefusedAnswer;

/** They change something or count an attempt, so each runs once per step; the others only read. */
const ACTS: ReadonlySet<EffectKind> = new Set([
  ...(['pay', 'cashOutCode', 'decline', 'balance', 'history', 'limits', 'checkPin', 'changePin'] as const),
  ...(['report', 'transfers', 'recall', 'confirmRecall', 'accept', 'contest'] as const),
  ...(['setLanguage', 'loginCode', 'register', 'invite', 'cashIn', 'redeem', 'float'] as const),
]);

export function acts({ kind }: Effect): boolean {
  return ACTS.has(kind);
}
