// A payment that was refused, as those see it whom it concerns. Most refusals come before the ledger and leave no other trace.
import type { Refusal } from '../kernel/refusal.ts';
import type { MovementType } from '../ledger/movement-types.ts';
import type { Requester } from './plan.ts';

export interface RefusedPayment {
  type: MovementType;
  caller: Requester['caller'];
  /** Ids of the accounts that the payment was about. Those that came with the request may not exist. */
  about: readonly string[];
  /** Minor units. Null: there was no valid one. */
  amount: number | null;
  refusal: Refusal;
}

/** Returns at once: a refusal waits for nothing. */
export type NoteRefusal = (refused: RefusedPayment) => void;
