// Who is calling, once a credential has been believed.
import type { KeyObject } from 'node:crypto';
import type { Role, Scope } from './roles.ts';

export interface UserCaller {
  kind: 'user';
  id: string;
  email: string;
  role: Role;
  agentId: string | null;
  processorId: string | null;
  pepAccessAuthorized: boolean;
}

export interface KeyCaller {
  kind: 'key';
  id: string;
  scopes: readonly Scope[];
  environment: 'live' | 'test';
  partnerId: string | null;
  processorId: string | null;
  /** Requests per second, where the key has a limit of its own. */
  rateLimit: number | null;
  /** On signed requests that carry something encrypted: a key for that purpose, derived from the secret that signed. */
  encryptionKey?(purpose: string): KeyObject;
}

/** An internal service of the operator, or whoever sends a webhook: known by the name of its configured secret. */
export interface ServiceCaller {
  kind: 'service';
  id: string;
  /** On routes that act on a body. */
  signed?: ServiceSignature;
}

export interface ServiceSignature {
  /** The same for the same signature, and for no other. */
  as: string;
  /** When it says it was made, in milliseconds. */
  at: number;
  /** Otherwise the signature is of the method, path and query alone. */
  coversBody: boolean;
}

export interface PublicCaller {
  kind: 'public';
  id: null;
}

export type Caller = UserCaller | KeyCaller | ServiceCaller | PublicCaller;

const WITH_LOGINS_OF_THEIR_OWN: readonly Role[] = ['super_agent', 'sub_agent', 'processor'];

/** Who works for the house: agents and merchants have users, too. */
export function isStaff(caller: Caller): boolean {
  return caller.kind === 'user' && !WITH_LOGINS_OF_THEIR_OWN.includes(caller.role);
}

export const PUBLIC_CALLER: PublicCaller = { kind: 'public', id: null };
