// Queries on customers' devices and sessions.
import { sql } from 'kysely';
import type { DatabaseTransaction, Queries } from '../../db/database.ts';
import type { NewRow, Row } from '../../db/schema/tables.ts';

export type DeviceRow = Row<'customer_devices'>;

export interface Customer {
  id: string;
  status: string;
  phone_number: string;
}

/** Orders logins, refreshes and ends of one customer. */
export function lockCustomer(trx: DatabaseTransaction, id: string): Promise<Customer | undefined> {
  const customer = trx.selectFrom('subscribers').select(['id', 'status', 'phone_number']).where('id', '=', id);
  return customer.forNoKeyUpdate().executeTakeFirst();
}

export function findDevice(queries: Queries, id: string): Promise<DeviceRow | undefined> {
  return queries.selectFrom('customer_devices').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Those that have not ended, the one used last first. */
export function openDevices(queries: Queries, subscriberId: string, usedAfter: Date): Promise<DeviceRow[]> {
  const devices = queries.selectFrom('customer_devices').selectAll().where('subscriber_id', '=', subscriberId);
  const open = devices.where('ended_at', 'is', null).where('last_used_at', '>', usedAfter);
  return open.orderBy('last_used_at', 'desc').orderBy('id', 'desc').execute();
}

/** The running total of the devices that are still new, ended ones included; undefined if there are none. */
export async function currentTotal(trx: Queries, subscriberId: string, now: Date): Promise<string | undefined> {
  const devices = trx.selectFrom('customer_devices').select('total_id').where('subscriber_id', '=', subscriberId);
  const restricted = devices.where('restricted_until', '>', now).orderBy('created_at', 'desc').limit(1);
  return (await restricted.executeTakeFirst())?.total_id;
}

export async function insertDevice(trx: Queries, device: NewRow<'customer_devices'>): Promise<void> {
  await trx
    .insertInto('customer_devices')
    .values({ ...device, ended_at: null, end_reason: null })
    .execute();
}

export async function markDeviceUsed(trx: Queries, id: string, now: Date): Promise<void> {
  await trx.updateTable('customer_devices').set({ last_used_at: now }).where('id', '=', id).execute();
}

export interface Ended {
  subscriberId: string;
  /** Only this one. */
  deviceId?: string;
  /** All but this one. */
  exceptDeviceId?: string | undefined;
  reason: string;
  now: Date;
}

/** Ends devices and their sessions. Returns the ids of the devices. */
export async function endDevices(trx: Queries, ended: Ended): Promise<string[]> {
  const { subscriberId, deviceId, exceptDeviceId, reason, now } = ended;
  let devices = trx.updateTable('customer_devices').set({ ended_at: now, end_reason: reason });
  devices = devices.where('subscriber_id', '=', subscriberId).where('ended_at', 'is', null);
  if (deviceId !== undefined) devices = devices.where('id', '=', deviceId);
  if (exceptDeviceId !== undefined) devices = devices.where('id', '<>', exceptDeviceId);
  const ids = (await devices.returning('id').execute()).map(({ id }) => id);
  if (ids.length > 0) await revokeSessions(trx, ids, now);
  return ids;
}

export async function revokeSessions(trx: Queries, deviceIds: readonly string[], now: Date): Promise<void> {
  const open = trx.updateTable('customer_sessions').set({ revoked_at: now }).where('revoked_at', 'is', null);
  await open.where('device_id', 'in', deviceIds).execute();
}

/** All sessions of a device but one. */
export async function revokeOtherSessions(trx: Queries, deviceId: string, keptId: string, now: Date): Promise<void> {
  const open = trx.updateTable('customer_sessions').set({ revoked_at: now }).where('revoked_at', 'is', null);
  await open.where('device_id', '=', deviceId).where('id', '<>', keptId).execute();
}

export type SessionRow = Row<'customer_sessions'>;

export async function insertSession(trx: Queries, session: Omit<SessionRow, 'revoked_at'>): Promise<void> {
  await trx
    .insertInto('customer_sessions')
    .values({ ...session, revoked_at: null })
    .execute();
}

export function findSession(queries: Queries, id: string): Promise<SessionRow | undefined> {
  return queries.selectFrom('customer_sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** False if the session has ended. */
export async function extendSession(trx: Queries, id: string, expiresAt: Date): Promise<boolean> {
  const extended = trx.updateTable('customer_sessions').set({ expires_at: expiresAt }).where('revoked_at', 'is', null);
  return (await extended.where('id', '=', id).executeTakeFirst()).numUpdatedRows > 0n;
}

/** False if the session has ended before. */
export async function revokeSession(trx: Queries, id: string, now: Date): Promise<boolean> {
  const revoked = trx.updateTable('customer_sessions').set({ revoked_at: now }).where('revoked_at', 'is', null);
  return (await revoked.where('id', '=', id).executeTakeFirst()).numUpdatedRows > 0n;
}

/** Ended sessions with their tokens, and old tokens of devices. */
export async function deleteBefore(queries: Queries, now: Date): Promise<void> {
  await queries.deleteFrom('customer_sessions').where('expires_at', '<', now).execute();
  await sql`delete from customer_tokens where expires_at < ${now}`.execute(queries);
}
