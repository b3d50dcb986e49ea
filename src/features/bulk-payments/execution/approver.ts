// Who may approve a bulk payment: a second person, who got neither the upload nor the uploading key into their hands alone.
import { areIndependentOf } from '../../../audit/independence.ts';
import { keyHolders } from '../../../audit/key-holders.ts';
import { type Caller, isStaff, type UserCaller } from '../../../auth/caller.ts';
import { recoveryRefusal } from '../../../auth/password-recovery.ts';
import type { DatabaseTransaction, Queries } from '../../../db/database.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { noSuchBulkPayment, ownPayer } from '../access.ts';
import type { BulkPayment } from '../types.ts';

/** Null: the caller decides for the payer. Neither keys nor, for a merchant's money, staff do. */
export function roleRefusal(caller: Caller, { payer_kind, payer_id }: BulkPayment): Refusal | null {
  if (caller.kind !== 'user') return refuse('FORBIDDEN', 'A login approves bulk payments, not a key.');
  if (isStaff(caller)) return payer_kind === 'processor' ? onlyTheMerchant() : null;
  return ownPayer(caller)?.id === payer_id ? null : noSuchBulkPayment();
}

/** In the transaction of the approval. The users are locked: a change to one of them waits, or is seen. */
export async function approverRefusal(
  trx: DatabaseTransaction,
  { id }: UserCaller,
  payment: BulkPayment,
  now: number,
): Promise<Refusal | null> {
  const uploaders = await uploadersOf(trx, payment);
  const users = trx
    .selectFrom('users')
    .select(['id', 'status', 'password_recovered_at'])
    .where('id', 'in', [id, ...uploaders]);
  const locked = await users.orderBy('id').forUpdate().execute();
  const approver = locked.find((user) => user.id === id);
  if (approver?.status !== 'active') return refuse('UNAUTHORIZED', 'Your login is no longer active.', FORBIDDEN);
  const recovered = recoveryRefusal(approver.password_recovered_at, now);
  if (recovered) return recovered;
  if (uploaders.includes(id)) return notIndependent('Whoever uploaded a bulk payment cannot approve it.');
  if (await areIndependentOf(trx, [id], uploaders, now)) return null;
  return notIndependent('You are not independent of whoever uploaded the bulk payment.');
}

/** Everybody who could have uploaded it alone. */
async function uploadersOf(trx: Queries, { uploaded_by_type, uploaded_by, key_created_by }: BulkPayment) {
  if (uploaded_by_type === 'user') return [uploaded_by];
  return [...new Set([...(await keyHolders(trx, [uploaded_by])), ...(key_created_by ? [key_created_by] : [])])];
}

/** Null while the credentials that uploaded and approved it are in force: one that was revoked since may have been stolen. */
export async function credentialRefusal(queries: Queries, payment: BulkPayment, now: number): Promise<Refusal | null> {
  const { uploaded_by_type, uploaded_by, approved_by } = payment;
  if (uploaded_by_type === 'key' && !(await isKeyInForce(queries, uploaded_by, now))) {
    return refuse('UNAUTHORIZED', 'The key that uploaded the bulk payment was revoked.', FORBIDDEN);
  }
  if (uploaded_by_type === 'user' && !(await isActive(queries, uploaded_by))) {
    return refuse('UNAUTHORIZED', 'The login that uploaded the bulk payment is no longer active.', FORBIDDEN);
  }
  if (approved_by === null || (await isActive(queries, approved_by))) return null;
  return refuse('UNAUTHORIZED', 'The login that approved the bulk payment is no longer active.', FORBIDDEN);
}

async function isKeyInForce(queries: Queries, id: string, now: number): Promise<boolean> {
  const query = queries.selectFrom('api_keys').select('revoked_at').where('id', '=', id);
  const key = await query.executeTakeFirst();
  return key !== undefined && (key.revoked_at === null || key.revoked_at.getTime() > now);
}

async function isActive(queries: Queries, id: string): Promise<boolean> {
  const user = await queries.selectFrom('users').select('status').where('id', '=', id).executeTakeFirst();
  return user?.status === 'active';
}

const FORBIDDEN = { status: 403 };

function notIndependent(sentence: string): Refusal {
  return refuse('NOT_INDEPENDENT', sentence);
}

function onlyTheMerchant(): Refusal {
  return refuse('FORBIDDEN', "Only another login of the merchant approves the merchant's bulk payments.");
}
