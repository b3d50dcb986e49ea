// What can refuse a leg of a movement: the account's status, its daily limit, and the bounds of its balance.
import type { Account, Leg, Movement, RefusalReason, Shortfall } from '../types.ts';
import { dailyShortfall, type Instant, shortfall } from './limits.ts';

export interface Reason {
  name: RefusalReason;
  check(account: Account | undefined, leg: Leg, movement: Movement, at: Instant): Shortfall | null;
}

export const NOTHING: Shortfall = { available: 0, required: 0 };

export const STATUS: readonly Reason[] = [
  { name: 'account_missing', check: (account, leg) => (isExpected(account, leg) ? null : NOTHING) },
  { name: 'account_frozen', check: (account, leg) => (account?.frozen && !leg.ignoresFrozen ? NOTHING : null) },
  {
    name: 'type_disabled',
    check: (account, leg, { type }) => (account?.disabledTypes.includes(type) && !leg.ignoresFrozen ? NOTHING : null),
  },
  {
    name: 'card_blocked',
    check: (account, leg) => (leg.card !== undefined && account?.blockedCards.includes(leg.card) ? NOTHING : null),
  },
];

export const LIMIT: readonly Reason[] = [
  {
    name: 'daily_limit',
    check: (account, leg, _movement, at) => (account ? dailyShortfall(account, leg, at) : null),
  },
];

export const BOUNDS: readonly Reason[] = [
  {
    name: 'ceiling',
    check(account, leg) {
      if (!account || leg.amount <= 0) return null;
      const ceiling = leg.ignoresCeiling ? null : account.ceiling;
      return shortfall((ceiling ?? Number.MAX_SAFE_INTEGER) - account.balance, leg.amount);
    },
  },
  {
    name: 'floor',
    check(account, leg, movement) {
      if (!account || leg.amount >= 0) return null;
      const { balance, held } = account;
      const floor = leg.ignoresFloor ? null : account.floor;
      const own = released(movement, account.id);
      const found = shortfall(balance - (floor ?? Number.MIN_SAFE_INTEGER) - (held - own), -leg.amount);
      return found && held > 0 ? { ...found, held } : found;
    },
  },
];

/** A capture is paid from what it releases, and a draw from what it takes out of its hold. */
function released(movement: Movement, accountId: string): number {
  const { endsHold, drawsFrom } = movement;
  if (drawsFrom?.accountId === accountId) return drawn(movement, accountId);
  return endsHold?.accountId === accountId ? endsHold.reserved : 0;
}

/** What a movement takes out of the hold that it draws from: all that leaves the account. */
export function drawn({ legs }: Movement, accountId: string): number {
  return -(legs.find((leg) => leg.accountId === accountId)?.amount ?? 0);
}

function isExpected(account: Account | undefined, { kind }: Leg): boolean {
  return account !== undefined && (kind === undefined || account.kind === kind);
}
