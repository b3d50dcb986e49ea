// What becomes of a batch of movements, given the locked accounts: a pure function, the heart of the ledger.
import { DAY_MS } from '../kernel/clock.ts';
import {
  type Account,
  type BatchState,
  type KnownRequest,
  type Leg,
  type Movement,
  type Outcome,
  type Posting,
  type RefusalReason,
  requestKey,
} from './types.ts';

export interface Decision {
  /** One for each movement, in order. */
  outcomes: Outcome[];
  /** The accounts that changed, as they are after the batch. */
  changed: Account[];
}

/** No input or output, no clock, no chance: the same state and batch always end the same way. */
export function decide(state: BatchState, batch: readonly Movement[]): Decision {
  const book = new Book(state);
  const outcomes = batch.map((movement) => book.take(movement));
  return { outcomes, changed: book.changed() };
}

class Book {
  private readonly state: BatchState;
  private readonly day: number;
  /** Working copies, made when an account is first changed. */
  private readonly written = new Map<string, Account>();
  private readonly requestsOfBatch = new Map<string, KnownRequest>();

  constructor(state: BatchState) {
    this.state = state;
    this.day = Math.floor(state.now / DAY_MS);
  }

  changed(): Account[] {
    return [...this.written.values()];
  }

  take(movement: Movement): Outcome {
    const before = this.knownRequest(movement);
    if (before) return sameRequest(movement, before);
    const refusal = this.refusalOf(movement);
    if (refusal) return refusal;
    return this.post(movement);
  }

  private knownRequest({ request }: Movement): KnownRequest | undefined {
    if (!request) return undefined;
    const key = requestKey(request);
    return this.state.known.get(key) ?? this.requestsOfBatch.get(key);
  }

  private account(id: string): Account | undefined {
    return this.written.get(id) ?? this.state.accounts.get(id);
  }

  /** Reason by reason over all legs, so that the order of reasons holds whichever leg has them. */
  private refusalOf(movement: Movement): Outcome | null {
    for (const reason of REASONS) {
      for (const leg of movement.legs) {
        const found = reason.check(this.account(leg.accountId), leg, movement.type, this.day);
        if (found) return { outcome: 'refused', reason: reason.name, accountId: leg.accountId, ...found };
      }
    }
    return null;
  }

  private post(movement: Movement): Outcome {
    const postings = movement.legs.map((leg) => this.apply(leg));
    if (movement.request) {
      const { hash } = movement.request;
      this.requestsOfBatch.set(requestKey(movement.request), { hash, movementId: movement.id, reply: null });
    }
    return { outcome: 'posted', at: this.state.now, postings };
  }

  private apply(leg: Leg): Posting {
    const account = { ...(this.account(leg.accountId) as Account) };
    const use = leg.dailyUse ?? 0;
    account.balance += leg.amount;
    account.dailyUsed = usedOn(account, this.day) + use;
    account.dailyOn = Math.max(account.dailyOn, this.day);
    account.lastSeq = Math.max(this.state.now * 1_000, account.lastSeq + 1);
    this.written.set(account.id, account);
    const { id, lastSeq, balance } = account;
    return { accountId: id, seq: lastSeq, amount: leg.amount, fee: leg.fee ?? 0, balanceAfter: balance };
  }
}

function sameRequest({ request }: Movement, before: KnownRequest): Outcome {
  if (before.hash !== request?.hash) return { outcome: 'conflict' };
  return { outcome: 'replayed', movementId: before.movementId, reply: before.reply };
}

/** A clock that went back over midnight does not give yesterday's allowance twice. */
function usedOn(account: Account, day: number): number {
  return account.dailyOn >= day ? account.dailyUsed : 0;
}

interface Shortfall {
  available: number;
  required: number;
}

interface Reason {
  name: RefusalReason;
  check(account: Account | undefined, leg: Leg, type: string, day: number): Shortfall | null;
}

const NOTHING: Shortfall = { available: 0, required: 0 };

const REASONS: readonly Reason[] = [
  { name: 'account_missing', check: (account) => (account ? null : NOTHING) },
  { name: 'account_frozen', check: (account, leg) => (account?.frozen && !leg.passFrozen ? NOTHING : null) },
  {
    name: 'type_disabled',
    check: (account, leg, type) => (account?.disabledTypes.includes(type) && !leg.passFrozen ? NOTHING : null),
  },
  {
    name: 'daily_limit',
    check(account, leg, _type, day) {
      if (!account || !leg.dailyUse) return null;
      return beyond((account.dailyLimit ?? Number.MAX_SAFE_INTEGER) - usedOn(account, day), leg.dailyUse);
    },
  },
  {
    name: 'ceiling',
    check(account, leg) {
      if (!account || leg.amount <= 0) return null;
      const ceiling = leg.passCeiling ? null : account.ceiling;
      return beyond((ceiling ?? Number.MAX_SAFE_INTEGER) - account.balance, leg.amount);
    },
  },
  {
    name: 'floor',
    check(account, leg) {
      if (!account || leg.amount >= 0) return null;
      const floor = leg.passFloor ? null : account.floor;
      return beyond(account.balance - (floor ?? Number.MIN_SAFE_INTEGER), -leg.amount);
    },
  },
];

function beyond(available: number, required: number): Shortfall | null {
  return required > available ? { available: Math.max(0, available), required } : null;
}

/** Whoever builds a movement builds it so; anything else is a defect, and is stopped before it joins others in a batch. */
export function assertBalanced({ id, legs }: Movement): void {
  let sum = 0;
  for (const { amount } of legs) {
    if (!Number.isSafeInteger(amount)) throw new Error(`movement ${id} has a leg of ${amount}`);
    sum += amount;
  }
  if (sum !== 0 || legs.length < 2) throw new Error(`the legs of movement ${id} do not sum to zero`);
  if (new Set(legs.map((leg) => leg.accountId)).size !== legs.length) {
    throw new Error(`movement ${id} has two legs on one account`);
  }
}
