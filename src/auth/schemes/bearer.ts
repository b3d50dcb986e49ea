// Bearer authentication: an API key (svc_…) or the access token of a user or a customer.
import { batchLoader } from '../../db/batch-loader.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { bool, text, textOrNull, timestamp } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { type Columns, statement } from '../../db/driver/statement.ts';
import type { Clock } from '../../kernel/clock.ts';
import { andThen } from '../../kernel/maybe-promise.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { addressNotAllowed, ipAllowed } from '../allowlist.ts';
import { type Caller, isStaff, PUBLIC_CALLER, type UserCaller, type UserRestriction } from '../caller.ts';
import { customerLoader } from '../customer-sessions.ts';
import { isCredentialValid, type KeyRecord, type KeyRecords, keyCaller, keyRefusal } from '../key-records.ts';
import type { UserRole } from '../roles.ts';
import type { AccessClaims, AccessTokens } from '../tokens.ts';
import type { Authentication, WireRequest } from './scheme.ts';

export const KEY_PREFIX = { live: 'svc_live_', test: 'svc_test_' } as const;
const API_KEY = /^svc_(live|test)_[\w-]{20,100}$/;
const MAX_BEARER_LENGTH = 4_096;

export interface BearerDependencies {
  reader: Reader;
  keys: KeyRecords;
  tokens: AccessTokens;
  clock: Clock;
  /** Staff without a second factor can only enrol one. */
  requireSecondFactor: boolean;
  /** Older sessions have ended. */
  sessionMaxMs: number;
}

export function bearerAuthentication(dependencies: BearerDependencies): Authentication {
  const { keys, tokens, clock, requireSecondFactor } = dependencies;
  const sessionUser = userLoader(dependencies);
  const sessionCustomer = customerLoader(dependencies);

  function keyCallerAt(ip: string, key: KeyRecord | null) {
    const now = clock.now();
    if (!key?.credentials.every((used) => isCredentialValid(used, now))) return null;
    const refusal = keyRefusal(key, now);
    if (refusal) return refusal;
    return ipAllowed(key.partnerIpAllowlist, ip) ? keyCaller(key) : addressNotAllowed();
  }

  function apiKeyCaller(bearer: string, ip: string) {
    return andThen(keys.byBearer(bearer), (key) => keyCallerAt(ip, key));
  }

  async function tokenCaller(token: string): Promise<Caller | null> {
    const claims = await tokens.read(token);
    if (!claims) return null;
    if (claims.role !== 'subscriber') return userCaller(claims);
    const customer = await sessionCustomer(claims.sessionId);
    return customer?.id === claims.userId ? customer : null;
  }

  async function userCaller(claims: AccessClaims) {
    const user = await sessionUser(claims.sessionId);
    if (!user || user.caller.id !== claims.userId || claims.issuedAt < user.tokensValidFrom) return null;
    return { ...user.caller, restriction: restrictionOf(user) };
  }

  function restrictionOf({ caller, mustChangePassword, hasSecondFactor }: ActiveUser): UserRestriction | null {
    if (mustChangePassword) return 'PASSWORD_CHANGE_REQUIRED';
    return requireSecondFactor && isStaff(caller) && !hasSecondFactor ? 'SECOND_FACTOR_ENROLMENT_REQUIRED' : null;
  }

  return {
    name: 'bearer',
    needsBody: false,
    authenticate(request) {
      const bearer = bearerOf(request);
      if (bearer === null) {
        return refuse('UNAUTHORIZED', 'Send Authorization: Bearer with an API key or an access token.');
      }
      const caller = API_KEY.test(bearer) ? apiKeyCaller(bearer, request.ip) : tokenCaller(bearer);
      return andThen<Caller | Refusal | null, Caller | Refusal>(
        caller,
        (found) => found ?? refuse('UNAUTHORIZED', 'The API key or access token is unknown, expired or revoked.'),
      );
    },
  };
}

export const noAuthentication: Authentication = {
  name: 'none',
  needsBody: false,
  authenticate: async () => PUBLIC_CALLER,
};

function bearerOf(request: WireRequest): string | null {
  const match = /^Bearer +([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1] && match[1].length <= MAX_BEARER_LENGTH ? match[1] : null;
}

interface ActiveUser {
  caller: UserCaller;
  tokensValidFrom: Date;
  mustChangePassword: boolean;
  hasSecondFactor: boolean;
}

const BY_SESSION = statement(
  'session-user',
  `select u.* from unnest($1::text[]) as requested (session_id) cross join lateral (
    select sessions.id as session_id, users.id, email, role, agent_id, processor_id, pep_access_authorized, tokens_valid_from,
      must_change_password, second_factor_at is not null as has_second_factor,
      (select status from agents where id = users.agent_id) as agent_status,
      (select status from processors where id = users.processor_id) as processor_status
    from sessions join users on users.id = sessions.user_id
    where sessions.id = requested.session_id and revoked_at is null and sessions.created_at > $2
      and users.status = 'active' limit 1) u`,
  activeUser,
);

/**
 * Reads session and user on every request, so that a logout, a suspension of the user or its owner, or a role change takes
 * effect at once.
 */
function userLoader({ reader, clock, sessionMaxMs }: Pick<BearerDependencies, 'reader' | 'clock' | 'sessionMaxMs'>) {
  return batchLoader<string, ActiveUser | null>({
    async fetch(ids) {
      const startedAfter = new Date(clock.now() - sessionMaxMs);
      const users = await reader.run(BY_SESSION, [textArray([...new Set(ids)]), startedAfter]);
      const found = new Map(users.map((user) => [user.caller.sessionId, user]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
}

function activeUser(columns: Columns): ActiveUser {
  const [sessionId, id, email, role, agentId, processorId, pepAccess, tokensValidFrom, ...rest] = columns;
  const [mustChange, hasFactor, agentStatus, processorStatus] = rest;
  const suspended = ownerSuspension(role as UserRole, textOrNull(agentStatus), textOrNull(processorStatus));
  return {
    caller: {
      kind: 'user',
      id: text(id),
      email: text(email),
      role: role as UserRole,
      agentId: textOrNull(agentId),
      processorId: textOrNull(processorId),
      pepAccessAuthorized: bool(pepAccess),
      sessionId: text(sessionId),
      ...(suspended ? { ownerSuspended: suspended } : {}),
    },
    tokensValidFrom: timestamp(tokensValidFrom),
    mustChangePassword: bool(mustChange),
    hasSecondFactor: bool(hasFactor),
  };
}

/** A user without an agent or processor record has no status, and nothing to act for. */
function ownerSuspension(role: UserRole, agentStatus: string | null, processorStatus: string | null) {
  if (role === 'processor' && processorStatus === 'suspended') return 'PROCESSOR_SUSPENDED';
  if (role !== 'super_agent' && role !== 'sub_agent') return null;
  if (agentStatus === 'suspended') return 'AGENT_SUSPENDED';
  return agentStatus === 'terminated' ? 'AGENT_TERMINATED' : null;
}
