// The authenticated caller of a request: a user, a customer, an API key, a service, or the public.
import type { KeyObject } from 'node:crypto';
import type { Scope, UserRole } from './roles.ts';

export interface UserCaller {
  kind: 'user';
  id: string;
  email: string;
  role: UserRole;
  agentId: string | null;
  processorId: string | null;
  pepAccessAuthorized: boolean;
  /** The session of the access token; unset where a user acts without one, as at the login itself. */
  sessionId?: string;
  /** Set while the user may only use the routes that lift the restriction. */
  restriction?: UserRestriction | null;
  /** Set on USSD from the number of the user's agent: see `isAgentByUssd`. */
  ussd?: { pinSalt: Buffer };
  /** Set while the user's agent or processor is suspended: the user can only read. */
  ownerSuspended?: 'PROCESSOR_SUSPENDED' | 'AGENT_SUSPENDED' | 'AGENT_TERMINATED';
}

/** What a user must do first. The value is the error code of all other routes. */
export const USER_RESTRICTIONS = ['PASSWORD_CHANGE_REQUIRED', 'SECOND_FACTOR_ENROLMENT_REQUIRED'] as const;
export type UserRestriction = (typeof USER_RESTRICTIONS)[number];

/** Customers on a channel of their own: a session under /me, or USSD from their number. */
export interface SubscriberCaller {
  kind: 'subscriber';
  /** The subscriber's id. */
  id: string;
  role: 'subscriber';
  channel: OwnChannel;
  /** Null on USSD. */
  session: { id: string; deviceId: string } | null;
  /** The gateway's session on USSD, otherwise null. */
  ussdSession: string | null;
  /** Set in the first 24 hours of a device, which can do less. */
  newDevice: NewDevice | null;
  /** Of the PIN that the holder had when the caller was authenticated; null: none is compared for it. */
  pinSalt: Buffer | null;
}

export type OwnChannel = 'me' | 'ussd';

export interface NewDevice {
  /** In milliseconds since 1970. */
  until: number;
  /** The running total of what the wallet's new devices pay: one for all that are new at the same time. */
  totalId: string;
  /** Of that total, in minor units. */
  limit: number;
}

/** The holder of the number that a USSD gateway names. `session`: null where no PIN is compared and nothing is paid. */
export function ussdCaller(id: string, session: { id: string; pinSalt: Buffer } | null): SubscriberCaller {
  const [ussdSession, pinSalt] = session ? [session.id, session.pinSalt] : [null, null];
  return { ...customerCaller(id, pinSalt), channel: 'ussd', ussdSession };
}

/** The customer under /me before they have a session. */
export function customerCaller(id: string, pinSalt: Buffer | null): SubscriberCaller {
  const none = { session: null, ussdSession: null, newDevice: null };
  return { kind: 'subscriber', id, role: 'subscriber', channel: 'me', ...none, pinSalt };
}

/** Whether the caller is this customer on a channel of their own. */
export function isOwnChannel(caller: Caller, holderId: string): caller is SubscriberCaller {
  return caller.kind === 'subscriber' && caller.id === holderId;
}

/** Whether the caller is this agent by USSD, from the agent's number. */
export function isAgentByUssd(
  caller: Caller,
  agentId: string,
): caller is UserCaller & Required<Pick<UserCaller, 'ussd'>> {
  return caller.kind === 'user' && caller.ussd !== undefined && caller.agentId === agentId;
}

export interface KeyCaller {
  kind: 'key';
  id: string;
  scopes: readonly Scope[];
  environment: 'live' | 'test';
  partnerId: string | null;
  processorId: string | null;
  /** Requests per second. Null: the default limit. */
  rateLimit: number | null;
  /** What it may move in one UTC day, in minor units, with the scopes treasury:write and payouts:write. Null: it has none of them. */
  dailyLimit: number | null;
  /** A second user approved the key: under an approval policy it acts up to its limit. */
  approved: boolean;
  /** On signed requests: derives an encryption key from the secret that signed the request. */
  encryptionKey?(purpose: string): KeyObject;
}

/** An internal service of the operator, or the sender of a webhook. `id` is the name of its configured secret. */
export interface ServiceCaller {
  kind: 'service';
  id: string;
  /** Set on routes that process a body. */
  signed?: ServiceSignature;
}

export interface ServiceSignature {
  /** Hash of the signature. */
  hash: string;
  /** The signed timestamp, in milliseconds. */
  at: number;
  /** False: the signature covers only the method, path and query. */
  coversBody: boolean;
}

export interface PublicCaller {
  kind: 'public';
  id: null;
}

export type Caller = UserCaller | SubscriberCaller | KeyCaller | ServiceCaller | PublicCaller;

export const EXTERNAL_ROLES: readonly UserRole[] = ['super_agent', 'sub_agent', 'processor'];

/** Whether the caller is one of the operator's users. Agents and merchants have users too. */
export function isStaff(caller: Caller): boolean {
  return caller.kind === 'user' && !EXTERNAL_ROLES.includes(caller.role);
}

export type AgentUser = UserCaller & { role: 'super_agent' | 'sub_agent' };

/** Whether the caller is an agent's user. */
export function isAgentUser(caller: Caller): caller is AgentUser {
  return caller.kind === 'user' && (caller.role === 'super_agent' || caller.role === 'sub_agent');
}

export const PUBLIC_CALLER: PublicCaller = { kind: 'public', id: null };
