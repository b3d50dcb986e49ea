// The ledger's types: accounts, movements between them, orders to post them, and their outcomes.
import type { Read, Rows } from '../db/keyed-lookup.ts';
import type { OutboxRow, OutboxTable } from '../db/outbox-table.ts';
import type { AccountKind } from './account-kinds.ts';
import type { MovementType } from './movement-types.ts';
import type { RuleSide, Triggered, VelocityCheck } from './velocity/rules.ts';

/** A locked account. */
export interface Account {
  id: string;
  kind: AccountKind;
  balance: number;
  /** The part of the balance that holds reserve. */
  held: number;
  /** Null: no bound. */
  floor: number | null;
  ceiling: number | null;
  dailyLimit: number | null;
  dailyUsed: number;
  /** The UTC day of dailyUsed, in days since 1970. */
  dailyOn: number;
  frozen: boolean;
  disabledTypes: readonly MovementType[];
  /** Serials of this account's blocked cards. */
  blockedCards: readonly string[];
  lastSeq: number;
  /** The encoded activity window (velocity/activity-window.ts) of the payments that count for the account. */
  recent: string;
  /** The same for the payments that a wallet received. Not used for other kinds. */
  received: string;
  /** Until this time, in milliseconds, less can leave the account than usual: its PIN was reset. */
  reducedUntil: number | null;
  /** For floats: minimum balance until then. */
  reducedFloor: number | null;
  /** Where its row is while it is locked. */
  ctid?: string;
}

/** The account whose payments a compliance rule counts. */
export type Subject = Pick<Account, 'id' | 'kind'>;
/** The accounts that the rules of each side are applied to. */
export type Subjects = Readonly<Record<RuleSide, Subject>>;

/** The effect of a movement on one account. Each account has one leg, and the legs sum to zero. */
export interface Leg {
  accountId: string;
  /** If set, an account of any other kind is refused as missing. */
  kind?: AccountKind | undefined;
  /** Positive: the account receives. */
  amount: number;
  /** The part that is a fee charged to the account. */
  fee?: number;
  /** The amount that counts towards the account's daily limit. */
  dailyUse?: number;
  /** The serial of the card that was used. */
  card?: string;
  /** Checks that this leg skips, for refunds and reversals. */
  ignoresFrozen?: boolean;
  ignoresCeiling?: boolean;
  ignoresFloor?: boolean;
  /** Do not store 'frozen' refusals for this account. */
  retryWhenFrozen?: boolean;
}

/** The caller that moves the money. `notification`: the sender of a signed notification, by the name of its secret. */
export interface MovementActor {
  type: (typeof ACTOR_TYPES)[number];
  id: string;
}

const ACTOR_TYPES = ['user', 'subscriber', 'key', 'service', 'notification', 'system'] as const;

export interface Movement {
  id: string;
  type: MovementType;
  actor: MovementActor;
  fromAccount: string;
  toAccount: string;
  /** Without fees. */
  amount: number;
  fee: number;
  legs: readonly Leg[];
  request: MovementRequest | null;
  reference: string | null;
  narration: string | null;
  /** JSON text; null when absent. */
  metadata: string | null;
  relatedId: string | null;
  details: Record<string, unknown>;
  /** The compliance rules that apply. */
  velocityCheck?: VelocityCheck;
  /** Running totals, each with its own limit. Each id occurs once. */
  allowances?: readonly AllowanceUse[];
  /** It is refused from this instant on, in milliseconds since 1970, by the time of its batch. */
  validUntil?: number;
  /**
   * Every check is made as if it were posted; instead, this much of the payer's balance is reserved. `countsWhenDrawn`: for
   * compliance rules, what is drawn from it counts, not the hold.
   */
  opensHold?: { reserved: number; countsWhenDrawn?: true };
  endsHold?: EndedHold;
  /** The hold of the payer's account that pays it, fee included. Its total of draws is one of the allowances. */
  drawsFrom?: { holdId: string; accountId: string };
  /**
   * Set if legs and fee depend on what was used of the first allowance before this movement, or on balances, which are
   * known only under their locks. `legs` then names all accounts that may have one.
   */
  termsAt?(usedBefore: number, balanceOf: (accountId: string) => number): DecidedTerms;
  /**
   * The caller refused it already, and the ledger only stores the reply and its rows, once per request. Such a movement
   * has no legs and needs `storesRefusal`.
   */
  isRefused?: boolean;
  /** It moves no money: it uses running totals, stores its reply and writes rows of other tables. It has no legs. */
  isRecord?: boolean;
  /** Of a record: the account whose movements use the same totals. */
  locks?: string | undefined;
  /** A refusal is stored like a payment: a repeated request is refused again with the same reply. */
  storesRefusal?: boolean;
  /** Every check is made and nothing is posted: a movement that would be posted is refused with the reason `check_only`. */
  checkOnly?: boolean;
}

/** The hold that a movement ends. A capture posts its legs; any other end has one leg without an amount, which locks the payer. */
export interface EndedHold {
  id: string;
  accountId: string;
  /** What becomes available again, less what was drawn. */
  reserved: number;
  /** The allowance that counts the draws. Absent: nothing draws from it. */
  draws?: string;
  /** The part that is not captured and was counted towards the daily limit, on the UTC day `day` (days since 1970). */
  givenBack: number;
  day: number;
}

/** The terms of a movement that are decided under the locks. */
export type DecidedTerms = Pick<Movement, 'legs' | 'fee' | 'details'>;

/** The part of an allowance that a movement uses: of a payment's refundable amount, a card's daily limit, or a number of uses. */
export interface AllowanceUse {
  id: string;
  amount: number;
  /** The maximum for all movements together. */
  limit: number;
}

/** An idempotency key: a repeated request gets the stored reply. */
export interface MovementRequest {
  /** The party for whom the request acts; request ids are unique per party. */
  scope: string;
  id: string;
  /** Hash of the details that a repeated request must match. */
  hash: string;
}

export interface Posting {
  accountId: string;
  seq: number;
  amount: number;
  fee: number;
  balanceAfter: number;
}

/** In order of precedence. */
export type RefusalReason =
  | 'refused_before'
  | 'account_missing'
  | 'account_frozen'
  | 'type_disabled'
  | 'card_blocked'
  | 'hold_ended'
  | 'expired'
  | 'compliance'
  | 'daily_limit'
  | 'allowance'
  | 'ceiling'
  | 'floor'
  | 'check_only';

export type Outcome =
  | Posted
  | { outcome: 'replayed'; movementId: string; reply: string | null }
  | { outcome: 'conflict' }
  | Refused;

export interface Posted {
  outcome: 'posted';
  at: number;
  postings: Posting[];
  /** The total used of each allowance, this movement included. */
  used: readonly number[];
  /** Nothing was posted: a hold was opened, or ended without a capture. `postings` are what a capture would post. */
  isUnposted?: true;
  /** For a new hold: the UTC day that it counts for. */
  day?: number;
  /** The rules that flag it, and the accounts they were applied to; absent when no rule does. */
  triggered?: readonly Triggered[];
  triggeredFor?: Subjects;
}

/** The available amount and the required one. */
export interface Shortfall {
  available: number;
  required: number;
  /** Until when a PIN reset reduces the limit that was exceeded. Milliseconds since 1970. */
  reducedUntil?: number;
  /** Of a balance that is too low: what holds reserve of it, if anything. */
  held?: number;
}

export interface Refused extends Shortfall {
  outcome: 'refused';
  reason: RefusalReason;
  /** The id of the account or allowance that caused the refusal. */
  subject: string;
  /** The balances of the legs' accounts, in order; set when the refusal is stored, and for `check_only`. */
  balances?: readonly number[];
  /** For a compliance refusal: the rules that block or would flag it, and the accounts they were applied to. */
  triggered?: readonly Triggered[];
  triggeredFor?: Subjects;
}

/** A request with a stored reply. */
export interface KnownRequest {
  hash: string;
  movementId: string;
  /** Null for a request earlier in the same batch, whose reply does not exist yet. */
  reply: string | null;
}

/** A movement, and what is written with it in the same commit. */
export interface Order {
  movement: Movement;
  /** The reply, which is stored and returned again to a repeated request, and rows for other tables. */
  onPosted(posted: Posted): Recorded & { reply: string };
  /** The reply and rows of a refusal. A reply is stored only for a movement with `storesRefusal`. */
  onRefused?(refused: Refused, at: number): Recorded;
}

/**
 * An order that is completed by rows which are read in the round trip that locks its accounts. If the rows do not complete
 * it, or name an account that was not locked, nothing is done.
 */
export interface Draft<Completed extends Order = Order> {
  request: MovementRequest | null;
  reads: readonly Read<unknown>[];
  accountIds: readonly string[];
  /**
   * Only totals of movements between the same accounts: one that does not exist yet is not locked itself. Totals that only
   * the completed order names are locked afterwards: batches that share them but no account may deadlock, and are repeated.
   */
  allowanceIds: readonly string[];
  /** Called again if the batch is repeated. */
  complete(rows: Rows): Completed | null;
}

export function isDraft(entry: Order | Draft): entry is Draft {
  return 'complete' in entry;
}

/** An order with its result. */
export interface Settled<Completed extends Order = Order> {
  order: Completed;
  result: Result;
}

/** Rows for other tables in the commit of a batch, by table. */
export type OutboxRows = ReadonlyMap<OutboxTable, readonly object[]>;

export interface Recorded {
  /** Null: nothing is stored under the idempotency key, and a retry is decided afresh. */
  reply: string | null;
  rows: readonly OutboxRow[];
}

export type Result =
  | (Pick<Posted, 'outcome' | 'at' | 'postings' | 'triggered'> & { reply: string })
  | { outcome: 'replayed'; movementId: string; reply: string }
  | (Refused & { reply: string | null })
  | { outcome: 'conflict' };
