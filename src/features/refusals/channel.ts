// Where a refused payment was requested, by its caller.
import type { Caller } from '../../auth/caller.ts';
import type { Requester } from '../../payments/plan.ts';

export const CHANNELS = ['wallet', 'ussd', 'merchant', 'agent', 'partner', 'staff', 'api'] as const;
export type Channel = (typeof CHANNELS)[number];

export function channelOf(caller: Requester['caller']): Channel {
  switch (caller.kind as Caller['kind'] | 'notification') {
    case 'subscriber':
      return caller.channel === 'ussd' ? 'ussd' : 'wallet';
    case 'user':
      if (caller.role === 'processor') return 'merchant';
      return caller.role === 'super_agent' || caller.role === 'sub_agent' ? 'agent' : 'staff';
    case 'key':
      if (caller.processorId) return 'merchant';
      return caller.partnerId ? 'partner' : 'api';
    default:
      return 'partner';
  }
}
