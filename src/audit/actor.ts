// Who acts: the caller of a request, a customer on a channel of their own, or the service itself.
import type { Caller, SubscriberCaller } from '../auth/caller.ts';

/** The caller, its address and the request id. Every service call receives it for the audit log. */
export interface Actor {
  caller: Caller;
  ip: string;
  requestId: string;
  approval?: GrantedApproval;
}

/** A customer on a channel of their own. The services of customers take one, whatever the channel is. */
export interface CustomerActor extends Actor {
  caller: SubscriberCaller;
}

/** A second user approved the request, which is executed for the caller who made it. */
export interface GrantedApproval {
  id: string;
  approvedBy: Caller;
}

/** An entry's author: an actor, or the service itself. */
export interface Author {
  caller: Pick<Caller, 'kind' | 'id'> | { kind: 'system'; id: null };
  ip: string | null;
  requestId: string | null;
  approval?: GrantedApproval;
}

/** Changes that the service makes by itself. */
export const SYSTEM: Author = { caller: { kind: 'system', id: null }, ip: null, requestId: null };
