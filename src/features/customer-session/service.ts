// Customers' own sessions: login with code and PIN, devices, tokens, and what ends them.
import type { CustomerActor } from '../../audit/log.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { newDeviceRefusal } from '../../parties/new-device.ts';
import { deleteChallengesBefore, deleteChallengesOf } from './challenge-store.ts';
import { createChallenges } from './challenges.ts';
import { DEVICE_MS, type SessionContext } from './context.ts';
import { type DeviceRow, endDevices, openDevices } from './device-store.ts';
import { createLogin } from './login.ts';
import { deviceView, loginView } from './schemas.ts';
import { createCustomerSessions, type DeviceLogin } from './sessions.ts';

export { CODE_MS } from './context.ts';
export type { DeviceRow } from './device-store.ts';
export { device as deviceSchema } from './schemas.ts';

export type CustomerSessionService = ReturnType<typeof createCustomerSessionService>;

export function createCustomerSessionService(context: SessionContext) {
  const { database, access, notices, clock } = context;
  const challenges = createChallenges(context);
  const sessions = createCustomerSessions(context);
  const login = createLogin(context, challenges, sessions);

  access.onEnd(async (trx, { subscriberId, reason, exceptDeviceId }) => {
    await endDevices(trx, { subscriberId, exceptDeviceId, reason, now: new Date(clock.now()) });
    await deleteChallengesOf(trx, subscriberId);
    if (reason === 'pin_changed') await notices.tell(trx, { kind: 'pin_changed', subscriberId, values: {} });
  });

  return {
    login,
    /** As replies show a login and a device. */
    loginView: (done: DeviceLogin) => loginView(done, clock.now()),
    deviceView: (device: DeviceRow) => deviceView(device, clock.now()),
    refresh: sessions.refresh,
    logout: sessions.logout,

    /** For USSD: the code that the page shows, for a login on a phone or browser. */
    ussdLoginCode: challenges.ussdCode,

    /** Those that can log in without a code, the one used last first. */
    devices({ caller }: CustomerActor): Promise<DeviceRow[]> {
      return openDevices(database.queries, caller.id, new Date(clock.now() - DEVICE_MS));
    },

    /** A new device can end itself, and no other. */
    async endDevice(actor: CustomerActor, deviceId: string): Promise<Refusal | null> {
      const isItself = actor.caller.session?.deviceId === deviceId;
      const refusal = isItself ? null : newDeviceRefusal(actor.caller);
      if (refusal) return refusal;
      const ended = await database.transact((trx) => sessions.endDevice(trx, actor, deviceId, 'by_customer'));
      return ended ? null : refuse('NOT_FOUND', 'You have no such device.');
    },

    /** Deletes ended sessions, old tokens and unanswered challenges. */
    async prune(): Promise<void> {
      await sessions.prune();
      await deleteChallengesBefore(database.queries, new Date(clock.now()));
    },
  };
}
