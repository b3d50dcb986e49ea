// What a customer's new device cannot do in its first 24 hours.
import type { SubscriberCaller } from '../auth/caller.ts';
import { iso } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** For changes of the PIN, devices, the number and notices. Null on a known device and on USSD. */
export function newDeviceRefusal({ newDevice }: SubscriberCaller): Refusal | null {
  if (!newDevice) return null;
  const until = iso(newDevice.until);
  return refuse('NEW_DEVICE', `This device is new: it can change this from ${until} on.`, {
    details: { restricted_until: until },
  });
}
