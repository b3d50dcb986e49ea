// The words of the ledger: accounts, movements of money between them, and how a movement can end.
import type { MovementType } from './movement-types.ts';
import type { ActivityWindow } from './velocity/activity-window.ts';
import type { Triggered, VelocityCheck } from './velocity/rules.ts';

export type AccountKind =
  | 'wallet'
  | 'agent_float'
  | 'processor'
  | 'partner_clearing'
  | 'fee_income'
  | 'treasury'
  | 'suspense';

/** An account as a decision sees it: locked, so nobody else changes it meanwhile. */
export interface Account {
  id: string;
  balance: number;
  /** Null: no bound. */
  floor: number | null;
  ceiling: number | null;
  dailyLimit: number | null;
  dailyUsed: number;
  /** The UTC day dailyUsed speaks of, in days since 1970. */
  dailyOn: number;
  frozen: boolean;
  disabledTypes: readonly MovementType[];
  /** Cards of this account that nothing passes through. */
  blockedCards: readonly string[];
  lastSeq: number;
  /** What it lately did, as recent.ts writes it. */
  recent: string;
}

/** What a movement does to one account: one leg for each account, all legs together zero. */
export interface Leg {
  accountId: string;
  /** Positive: the account receives. */
  amount: number;
  /** What of it is a fee that the account bears. */
  fee?: number;
  /** What counts against the account's limit of a day. */
  dailyUse?: number;
  /** The card by which the account takes part. */
  card?: string;
  /** A leg that undoes what was done may pass where a new payment may not. */
  passFrozen?: boolean;
  passCeiling?: boolean;
  passFloor?: boolean;
  /** That the account is frozen is no outcome: such a refusal is not remembered, even where others are. */
  retryWhenFrozen?: boolean;
}

export interface Movement {
  id: string;
  type: MovementType;
  fromAccount: string;
  toAccount: string;
  /** What the movement is about, without fees. */
  amount: number;
  fee: number;
  legs: readonly Leg[];
  request: MovementRequest | null;
  reference: string | null;
  narration: string | null;
  /** JSON text; null when the caller gave none. */
  metadata: string | null;
  relatedId: string | null;
  details: Record<string, unknown>;
  /** The compliance rules it is held against. */
  velocityCheck?: VelocityCheck;
  /** Running totals that this movement is counted against, besides the accounts' own limits; each id once. */
  allowances?: readonly AllowanceUse[];
  /** A refusal is remembered like a payment: the same request is then refused again, whatever has changed. */
  storesRefusal?: boolean;
}

/** What a movement takes of a total that others take from too: what is left to refund of a payment, a card's day. */
export interface AllowanceUse {
  id: string;
  amount: number;
  /** What all movements together may take. */
  limit: number;
}

/** Who asked, under which id, and for what: the same request again is answered as it was. */
export interface MovementRequest {
  /** The credential that asked: request ids are its own. */
  scope: string;
  id: string;
  /** Of the details that make two requests the same. */
  hash: string;
}

export interface Posting {
  accountId: string;
  seq: number;
  amount: number;
  fee: number;
  balanceAfter: number;
}

/** In order of precedence: of several reasons the first one is given. */
export type RefusalReason =
  | 'account_missing'
  | 'account_frozen'
  | 'type_disabled'
  | 'card_blocked'
  | 'compliance'
  | 'daily_limit'
  | 'allowance'
  | 'ceiling'
  | 'floor';

export type Outcome =
  | Posted
  | { outcome: 'replayed'; movementId: string; reply: string | null }
  | { outcome: 'conflict' }
  | Refused;

export interface Posted {
  outcome: 'posted';
  at: number;
  postings: Posting[];
  /** How much is taken of each allowance of the movement, this time included. */
  used: readonly number[];
  /** The rules that flag it; none where there are none. */
  triggered?: readonly Triggered[];
}

/** What there was, and what would have been needed. */
export interface Shortfall {
  available: number;
  required: number;
}

export interface Refused extends Shortfall {
  outcome: 'refused';
  reason: RefusalReason;
  /** The id of the account, or of the allowance, that it was refused for. */
  subject: string;
  /** What the accounts of the legs held, in their order; told of a refusal that is remembered. */
  balances?: readonly number[];
  /** Where compliance refused it: the rules that block it, and those that would have flagged it. */
  triggered?: readonly Triggered[];
}

/** A request that was answered before. */
export interface KnownRequest {
  hash: string;
  movementId: string;
  /** The bytes of the reply; null while they are still being made in the same batch. */
  reply: string | null;
}

export interface BatchState {
  accounts: ReadonlyMap<string, Account>;
  /** Keyed by requestMapKey. */
  known: ReadonlyMap<string, KnownRequest>;
  /** How much is taken of the allowances that the batch names; what is missing is untouched. */
  allowances: ReadonlyMap<string, number>;
  /** What accounts lately did, where that was read anew or looked at already; else it is as their rows have it. */
  recents?: ReadonlyMap<string, ActivityWindow>;
  /** Milliseconds since 1970. */
  now: number;
}
