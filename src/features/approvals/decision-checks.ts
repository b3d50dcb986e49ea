// Whether a user can decide about a request now. All checks read locked rows.
import { areIndependent } from '../../audit/independence.ts';
import type { Actor } from '../../audit/log.ts';
import { isStaff, type UserCaller } from '../../auth/caller.ts';
import { recoveryRefusal } from '../../auth/password-recovery.ts';
import { isAllowed } from '../../auth/permissions.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { ACTIONS, type ApprovalAction } from './actions.ts';
import type { AnyOperation, Input } from './operation.ts';
import {
  alreadyDecided,
  hasExpired,
  notIndependent,
  notPermitted,
  ownRequest,
  requesterNotPermitted,
} from './refusals.ts';
import { type ApprovalRow, usersAsCallers } from './store.ts';

/** A user who decides. */
export type Decider = Actor & { caller: UserCaller };

/** Null if this user can approve the request now. */
export async function approvalRefusal(
  trx: DatabaseTransaction,
  actor: Decider,
  row: ApprovalRow,
  { operation, now }: { operation: AnyOperation; now: number },
): Promise<Refusal | null> {
  const closed = openRefusal(row, now);
  if (closed) return closed;
  // Both users at once, in the order of their ids: a change to one of them waits, or is seen.
  const users = await usersAsCallers(trx, [actor.caller.id, row.requested_by], { locked: true });
  const decider = users.get(actor.caller.id);
  const refusal = (await deciderRefusal(trx, actor, row)) ?? recoveryRefusal(decider?.passwordRecoveredAt ?? null, now);
  if (refusal) return refusal;
  // The request stays open for other users.
  const unfit = await operation.approverRefusal?.(trx, actor.caller, row.input as unknown as Input<unknown, unknown>);
  if (unfit) return unfit;
  const requester = users.get(row.requested_by);
  const { permission = ACTIONS[row.action as ApprovalAction].permission } = operation;
  if (!requester?.active || !isAllowed(requester.caller, permission)) return requesterNotPermitted();
  return (await areIndependent(trx, [actor.caller.id, row.requested_by], now)) ? null : notIndependent();
}

export function openRefusal(row: ApprovalRow, now: number): Refusal | null {
  if (row.status !== 'pending') return alreadyDecided(row);
  return row.expires_at.getTime() > now ? null : hasExpired();
}

/** By the role that the user has now: it is locked until the decision is committed. */
export async function deciderRefusal(trx: DatabaseTransaction, { caller }: Decider, row: ApprovalRow) {
  return caller.id === row.requested_by ? ownRequest() : permissionRefusal(trx, { caller }, row);
}
export async function permissionRefusal(
  trx: DatabaseTransaction,
  { caller }: Pick<Decider, 'caller'>,
  row: ApprovalRow,
) {
  const { permission } = ACTIONS[row.action as ApprovalAction];
  const decider = (await usersAsCallers(trx, [caller.id], { locked: true })).get(caller.id);
  const isPermitted = decider?.active && isStaff(decider.caller) && isAllowed(decider.caller, permission);
  return isPermitted ? null : notPermitted(permission);
}
