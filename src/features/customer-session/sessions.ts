// Starts, renews and ends customers' sessions, and the devices on which they log in.
import type { Actor, CustomerActor } from '../../audit/log.ts';
import { customerCaller } from '../../auth/caller.ts';
import { REFRESH_TOKEN_MS } from '../../auth/tokens.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { newId } from '../../kernel/ids.ts';
import { DEVICE_MS, MAX_DEVICES, NEW_DEVICE_MS, RETRY_MS, type SessionContext } from './context.ts';
import * as store from './device-store.ts';
import { type FoundToken, findToken, hashOf, issueToken, stateOfToken, useToken } from './token-store.ts';

export interface SessionTokens {
  token: string;
  refresh_token: string;
  expires_in: number;
}

export interface DeviceLogin extends SessionTokens {
  device_token: string;
  device: store.DeviceRow;
}

export type CustomerSessions = ReturnType<typeof createCustomerSessions>;

export function createCustomerSessions(context: SessionContext) {
  const { database, audit, tokens, notices, clock, sessionMaxMs } = context;
  const now = () => new Date(clock.now());

  function sessionEnd(startedAt: Date): number {
    return startedAt.getTime() + sessionMaxMs;
  }

  /** When the session ends if it is no longer used. */
  function idleEnd(startedAt: Date): Date {
    return new Date(Math.min(clock.now() + REFRESH_TOKEN_MS, sessionEnd(startedAt)));
  }

  async function issuePair(trx: DatabaseTransaction, session: store.SessionRow): Promise<SessionTokens> {
    const { id, device_id, subscriber_id, created_at } = session;
    const chain = { deviceId: device_id, sessionId: id };
    const times = { now: clock.now(), expiresAt: idleEnd(created_at) };
    const refresh_token = await issueToken(trx, chain, times);
    const customer = { id: subscriber_id, role: 'subscriber', tokens_valid_from: null };
    const { token, expiresInSeconds } = await tokens.issue(customer, { id, endsAt: sessionEnd(created_at) });
    return { token, refresh_token, expires_in: expiresInSeconds };
  }

  /** A device has one session: the new one ends the one before. */
  async function startSession(trx: DatabaseTransaction, device: store.DeviceRow): Promise<DeviceLogin> {
    const at = now();
    const id = newId('cse', clock);
    const session = { id, subscriber_id: device.subscriber_id, device_id: device.id, created_at: at };
    await store.insertSession(trx, { ...session, expires_at: idleEnd(at) });
    await store.revokeOtherSessions(trx, device.id, id, at);
    await store.markDeviceUsed(trx, device.id, at);
    const expiresAt = new Date(at.getTime() + DEVICE_MS);
    const device_token = await issueToken(
      trx,
      { deviceId: device.id, sessionId: null },
      { now: at.getTime(), expiresAt },
    );
    const pair = await issuePair(trx, { ...session, expires_at: idleEnd(at), revoked_at: null });
    return { ...pair, device_token, device };
  }

  async function addDevice(trx: DatabaseTransaction, actor: CustomerActor, name: string): Promise<store.DeviceRow> {
    const at = now();
    const subscriber_id = actor.caller.id;
    await makeRoom(trx, actor);
    const id = newId('dev', clock);
    const total_id = (await store.currentTotal(trx, subscriber_id, at)) ?? `new-device:${id}`;
    const restricted_until = new Date(at.getTime() + NEW_DEVICE_MS);
    const device = { id, subscriber_id, name, created_at: at, last_used_at: at, restricted_until, total_id };
    await store.insertDevice(trx, device);
    await notices.tell(trx, { kind: 'new_device', subscriberId: subscriber_id, values: { device: name } });
    await record(trx, actor, 'customer.new_device', { device_id: id });
    return { ...device, ended_at: null, end_reason: null };
  }

  /** Ends those that are still new, which must not push out the known ones, before those that were not used for the longest time. */
  async function makeRoom(trx: DatabaseTransaction, actor: CustomerActor): Promise<void> {
    const at = clock.now();
    const devices = await store.openDevices(trx, actor.caller.id, new Date(0));
    const isNew = ({ restricted_until }: store.DeviceRow) => Number(restricted_until.getTime() > at);
    for (const { id } of devices.sort((a, b) => isNew(a) - isNew(b)).slice(MAX_DEVICES - 1))
      await endDevice(trx, actor, id, 'replaced');
  }

  async function endDevice(trx: DatabaseTransaction, actor: CustomerActor, deviceId: string, reason: string) {
    const ended = await store.endDevices(trx, { subscriberId: actor.caller.id, deviceId, reason, now: now() });
    if (ended.length > 0) await record(trx, actor, 'customer.end_device', { device_id: deviceId, reason });
    return ended.length > 0;
  }

  async function record(trx: DatabaseTransaction, actor: Actor, action: string, details: Record<string, unknown>) {
    await audit.record(trx, actor, {
      action,
      resourceType: 'subscriber',
      resourceId: String(actor.caller.id),
      details,
    });
  }

  async function refresh(trx: DatabaseTransaction, actor: Actor, refreshToken: string): Promise<SessionTokens | null> {
    const found = await lockSession(trx, refreshToken);
    if (!found) return null;
    const { token, session, customer, device } = found;
    const at = clock.now();
    if (customer.status !== 'ACTIVE' || device.ended_at !== null || sessionEnd(session.created_at) <= at) return null;
    const state = await stateOfToken(trx, token, { now: at, retryMs: RETRY_MS.session });
    if (state === 'reused') await revokeReused(trx, actor, session);
    if (state !== 'valid' && state !== 'retry') return null;
    if (!(await store.extendSession(trx, session.id, idleEnd(session.created_at)))) return null;
    await useToken(trx, token, at);
    return issuePair(trx, session);
  }

  /** A used token was sent again: the current one may be a thief's. The device's token and the PIN open the next session. */
  async function revokeReused(trx: DatabaseTransaction, { ip, requestId }: Actor, session: store.SessionRow) {
    if (!(await store.revokeSession(trx, session.id, now()))) return;
    const actor = { caller: customerCaller(session.subscriber_id, null), ip, requestId };
    await record(trx, actor, 'customer.end_session', { reason: 'a refresh token was used again' });
  }

  /** Read again under the lock: a concurrent refresh may have used the token. */
  async function lockSession(trx: DatabaseTransaction, refreshToken: string) {
    const hash = hashOf(refreshToken);
    const known = await findToken(trx, hash, 'session');
    const owner = known?.sessionId && (await store.findSession(trx, known.sessionId));
    const customer = owner ? await store.lockCustomer(trx, owner.subscriber_id) : undefined;
    if (!owner || !customer) return null;
    const [token, session, device] = [
      await findToken(trx, hash, 'session'),
      await store.findSession(trx, owner.id),
      await store.findDevice(trx, owner.device_id),
    ];
    return token && session && device ? { token, session, device, customer } : null;
  }

  return {
    addDevice,
    endDevice,
    startSession,

    /** A token of the device, and what it opens. The caller decides under the lock of the customer. */
    async deviceOf(
      trx: DatabaseTransaction,
      hash: Buffer,
    ): Promise<{ token: FoundToken; device: store.DeviceRow } | null> {
      const token = await findToken(trx, hash, 'device');
      const device = token && (await store.findDevice(trx, token.deviceId));
      return token && device ? { token, device } : null;
    },

    /** Null is no refusal, which would roll back the end of the session after a reuse. */
    refresh: (actor: Actor, refreshToken: string) => database.transact((trx) => refresh(trx, actor, refreshToken)),

    /** A session that has ended before is what the caller wants. */
    logout(refreshToken: string): Promise<void> {
      return database.transact(async (trx) => {
        const token = await findToken(trx, hashOf(refreshToken), 'session');
        if (token?.sessionId) await store.revokeSession(trx, token.sessionId, now());
      });
    },

    async prune(): Promise<void> {
      await store.deleteBefore(database.queries, now());
    },
  };
}
