// Groups of movement types that reports count and lists filter by.
import { ALL_TYPES, MOVEMENT_TYPES, type MovementType } from './movement-types.ts';

/** Refunds and reversals undo payments. */
const CORRECTIONS: readonly MovementType[] = ['pos_refund', 'inbound_reversal', 'suspense_refund'];

const hasWallet = (type: MovementType) =>
  MOVEMENT_TYPES[type].accounts.some((kinds) => (kinds as readonly string[]).includes('wallet'));

export const MOVEMENT_GROUPS = {
  /** Customers' payments: types with a wallet, without corrections. Floats and settlements are not payments. */
  payments: ALL_TYPES.filter((type) => hasWallet(type) && !CORRECTIONS.includes(type)),
  refunds: CORRECTIONS,
} as const;

export type MovementGroup = keyof typeof MOVEMENT_GROUPS;
