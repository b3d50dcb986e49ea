// What a customer's new device may pay in its first 24 hours: a tenth of the daily limit, for all new devices of a wallet together.
import { iso } from '../kernel/clock.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Allowance } from './plan.ts';

/** Of the caller; see auth/caller.ts. */
interface NewDevice {
  until: number;
  totalId: string;
  limit: number;
}

/** For the plans of transfers, payments, approved requests and cash-out codes. Empty on a known device and on USSD. */
export function newDeviceAllowances({ newDevice }: { newDevice: NewDevice | null }): Allowance[] {
  if (!newDevice) return [];
  const { totalId, limit, until } = newDevice;
  return [
    {
      id: totalId,
      limit,
      refusal: ({ available, required }) =>
        refuse(
          'DAILY_LIMIT_EXCEEDED',
          `This device is new: until ${iso(until)} it pays at most a tenth of the wallet's daily limit.`,
          { details: { available, required } },
        ),
    },
  ];
}
