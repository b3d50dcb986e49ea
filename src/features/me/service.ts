// A customer's own wallet: each operation is that of staff's routes, for the customer alone.
import type { CustomerActor } from '../../audit/log.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import { pinFormRefusal, pinRefusal } from '../../auth/pins/refusals.ts';
import type { Queries } from '../../db/database.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { newDeviceRefusal } from '../../parties/new-device.ts';
import type { CardService } from '../cards/service.ts';
import type { CustomerSessionService } from '../customer-session/service.ts';
import { limitsView, type SubscriberLimits } from '../subscriber-limits/service.ts';
import type { PinChangeRequest, SubscriberService } from '../subscribers/service.ts';

export interface MeContext {
  queries: Queries;
  subscribers: Pick<SubscriberService, 'find' | 'changePin'>;
  subscriberLimits: SubscriberLimits;
  customerSessions: CustomerSessionService;
  cards: Pick<CardService, 'listOwn' | 'blockOwn' | 'unblockOwn'>;
  pins: Pick<GuardedPins, 'verify'>;
}

export type Me = ReturnType<typeof createMe>;

export function createMe({ queries, subscribers, subscriberLimits, customerSessions, cards, pins }: MeContext) {
  /** What the new devices of the wallet paid together. */
  async function newDeviceView({ caller: { newDevice } }: CustomerActor) {
    if (!newDevice) return null;
    const { totalId, limit, until } = newDevice;
    const total = queries.selectFrom('allowances').select('used').where('id', '=', totalId);
    return { restricted_until: iso(until), limit, used: (await total.executeTakeFirst())?.used ?? 0 };
  }

  async function otherNewDevices(actor: CustomerActor) {
    const views = (await customerSessions.devices(actor)).map(customerSessions.deviceView);
    return views.filter(
      ({ id, restricted_until }) => restricted_until !== null && id !== actor.caller.session?.deviceId,
    );
  }

  return {
    async overview(actor: CustomerActor) {
      const { id, session } = actor.caller;
      const [row, limits, new_device, other_new_devices] = await Promise.all([
        subscribers.find(id),
        subscriberLimits.limits(actor, id),
        newDeviceView(actor),
        otherNewDevices(actor),
      ]);
      if (!row) return refuse('NOT_FOUND', 'There is no such wallet.');
      if (limits instanceof Refusal) return limits;
      const { daily, balance } = limitsView(limits);
      const { phone_number, account_number, first_name, last_name, kyc_level, status, created_at } = row;
      const names = { phone_number, account_number, first_name, last_name };
      const profile = { id, ...names, kyc_level, status, created_at: iso(created_at) };
      return {
        profile,
        limits: { daily, balance },
        device_id: session?.deviceId ?? null,
        new_device,
        other_new_devices,
      };
    },

    /** The other devices end, and the customer is told. */
    async changePin(actor: CustomerActor, change: PinChangeRequest): Promise<true | Refusal> {
      return newDeviceRefusal(actor.caller) ?? subscribers.changePin(actor, actor.caller.id, change);
    },

    async blockCard(actor: CustomerActor, serial: string) {
      const row = await cards.blockOwn(actor, serial);
      return row instanceof Refusal ? row : { ...row, blocked_by_you: true };
    },

    /** With the PIN: a found card and a phone without a lock would otherwise pay together. */
    async unblockCard(actor: CustomerActor, serial: string, pin: string) {
      const badForm = pinFormRefusal(pin);
      if (badForm) return badForm;
      const verdict = await pins.verify(actor.caller, actor.caller.id, pin);
      if (verdict.outcome !== 'right') return pinRefusal(verdict, 'customer');
      const row = await cards.unblockOwn(actor, serial);
      return row instanceof Refusal ? row : { ...row, blocked_by_you: false };
    },
  };
}
