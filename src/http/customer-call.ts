// The customer who calls a route under /me.
import type { SubscriberCaller } from '../auth/caller.ts';
import type { Call } from './endpoint.ts';

/** The permissions of these routes admit customers only. */
export function ofCustomer<C extends Pick<Call, 'caller'>>(call: C): C & { caller: SubscriberCaller } {
  const { caller } = call;
  if (caller.kind !== 'subscriber') throw new Error(`a ${caller.kind} has no wallet of its own`);
  return { ...call, caller };
}
