// The words of the ledger: accounts, movements of money between them, and how a movement can end.
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
  kind: AccountKind;
  balance: number;
  /** Null: no bound. */
  floor: number | null;
  ceiling: number | null;
  dailyLimit: number | null;
  dailyUsed: number;
  /** The UTC day dailyUsed speaks of, in days since 1970. */
  dailyOn: number;
  frozen: boolean;
  disabledTypes: readonly string[];
  lastSeq: number;
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
  /** A leg that undoes what was done may pass where a new payment may not. */
  passFrozen?: boolean;
  passCeiling?: boolean;
  passFloor?: boolean;
}

export interface Movement {
  id: string;
  type: string;
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
  | 'daily_limit'
  | 'ceiling'
  | 'floor';

export type Outcome =
  | { outcome: 'posted'; at: number; postings: Posting[] }
  | { outcome: 'replayed'; movementId: string; reply: string | null }
  | { outcome: 'conflict' }
  | { outcome: 'refused'; reason: RefusalReason; accountId: string; available: number; required: number };

/** A request that moved money before. */
export interface KnownRequest {
  hash: string;
  movementId: string;
  /** The bytes of the reply; null while they are still being made in the same batch. */
  reply: string | null;
}

export interface BatchState {
  accounts: ReadonlyMap<string, Account>;
  /** By requestKey. */
  known: ReadonlyMap<string, KnownRequest>;
  /** Milliseconds since 1970. */
  now: number;
}

export function requestKey(request: { scope: string; id: string }): string {
  return `${request.scope}\n${request.id}`;
}
