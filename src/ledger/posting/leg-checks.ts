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
    check(account, leg, { endsHold }) {
      if (!account || leg.amount >= 0) return null;
      const { balance, held } = account;
      const floor = leg.ignoresFloor ? null : account.floor;
      // A capture is paid from what it releases.
      const own = endsHold?.accountId === account.id ? endsHold.reserved : 0;
      const found = shortfall(balance - (floor ?? Number.MIN_SAFE_INTEGER) - (held - own), -leg.amount);
      return found && held > 0 ? { ...found, held } : found;
    },
  },
];

function isExpected(account: Account | undefined, { kind }: Leg): boolean {
  return account !== undefined && (kind === undefined || account.kind === kind);
}
