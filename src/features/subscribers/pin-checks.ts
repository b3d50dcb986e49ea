// Verifies and changes a subscriber's PIN. Checks existence first, then status, then the PIN.
import type { Actor } from '../../audit/log.ts';
import { isOwnChannel, isStaff } from '../../auth/caller.ts';
import { newPinRefusal, pinFormRefusal, pinRefusal, type RightPin } from '../../auth/pins/refusals.ts';
import type { Load } from '../../db/batch-loader.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { subscriberBlocked } from '../../parties/subscriber.ts';
import { RESOURCE, type SubscriberContext, subscriberNotFound } from './context.ts';
import type { SubscriberRow } from './record.ts';
import { lockStatus } from './store.ts';

export interface PinChangeRequest {
  current_pin: string;
  new_pin: string;
}

type Find = Load<string, SubscriberRow | null>;

export function createPinChecks(
  { database, audit, pins, pep, access, refuseCommonPins }: SubscriberContext,
  find: Find,
) {
  async function verifyPin(actor: Actor, id: string, pin: string): Promise<RightPin | Refusal> {
    const [row, pepRefusal] = await Promise.all([
      find(id),
      isStaff(actor.caller) ? pep.staffRefusal(actor, id, 'pin') : null,
    ]);
    const refusal = pepRefusal ?? statusRefusal(row?.status ?? null);
    if (refusal) return refusal;
    const outcome = await pins.verify(actor.caller, id, pin);
    return outcome.outcome === 'right' ? outcome : pinRefusal(outcome, 'customer');
  }

  /** False if the PIN changed or was locked after the verification. */
  function replacePin(actor: Actor, id: string, change: { version: number; pin: string }): Promise<boolean | Refusal> {
    return database.transact(async (trx) => {
      const refusal = statusRefusal(await lockStatus(trx, id));
      if (refusal) return refusal;
      if (!(await pins.replace(trx, id, { ...change, own: isOwnChannel(actor.caller, id) }))) return false;
      await access.end(trx, { subscriberId: id, reason: 'pin_changed', ...exceptOwnDevice(actor) });
      await audit.record(trx, actor, { action: 'subscriber.change_pin', resourceType: RESOURCE, resourceId: id });
      return true;
    });
  }

  return {
    async verifyPin(actor: Actor, id: string, pin: string): Promise<RightPin | Refusal> {
      return pinFormRefusal(pin) ?? verifyPin(actor, id, pin);
    },

    async changePin(actor: Actor, id: string, request: PinChangeRequest): Promise<true | Refusal> {
      const refusal =
        pinFormRefusal(request.current_pin, { field: 'current_pin' }) ??
        newPinRefusal(request.new_pin, { field: 'new_pin', refuseCommon: refuseCommonPins });
      if (refusal) return refusal;
      // After losing a race for the row, verify again against the PIN that the winner stored.
      for (;;) {
        const verified = await verifyPin(actor, id, request.current_pin);
        if (verified instanceof Refusal) return verified;
        const replaced = await replacePin(actor, id, { version: verified.version, pin: request.new_pin });
        if (replaced === true || replaced instanceof Refusal) return replaced;
      }
    },

    /** The current PIN was verified a page before. A change or a wrong PIN since then needs it again. */
    async changeVerifiedPin(
      actor: Actor,
      id: string,
      { version, new_pin: pin }: { version: number; new_pin: string },
    ): Promise<true | Refusal> {
      const refusal = newPinRefusal(pin, { field: 'new_pin', refuseCommon: refuseCommonPins });
      if (refusal) return refusal;
      const replaced = await replacePin(actor, id, { version, pin });
      return replaced === false ? refuse('RECORD_CHANGED', 'The PIN was tried or changed: begin again.') : replaced;
    },
  };
}

/** The device on which the holder changes the PIN goes on; all others end. */
function exceptOwnDevice({ caller }: Actor): { exceptDeviceId?: string } {
  return caller.kind === 'subscriber' && caller.session ? { exceptDeviceId: caller.session.deviceId } : {};
}

function statusRefusal(status: string | null): Refusal | null {
  if (status === null) return subscriberNotFound();
  return status === 'BLOCKED' ? subscriberBlocked() : null;
}
