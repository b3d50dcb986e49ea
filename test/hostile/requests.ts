// One request of a campaign: valid, nearly valid or hostile, and signed.
import type { Random } from '@kissi/testkit/random';
import type { WireRequest } from '../support/wire.ts';
import { attack } from './attacks.ts';
import { credentialHeaders, serviceHeaders } from './credentials.ts';
import { bodyOf, type Draft, targetLine, validDraft } from './draft.ts';
import { mutateOne } from './mutations.ts';
import type { Target } from './operations.ts';
import { pickParties, sha256 } from './values.ts';
import type { Fixtures } from './world.ts';

export type Kind = 'valid' | 'nearly valid' | 'hostile';

export function pickKind(source: Random): Kind {
  const share = source.next();
  if (share < 0.3) return 'valid';
  return share < 0.7 ? 'nearly valid' : 'hostile';
}

export function draftOf(target: Target, kind: Kind, fixtures: Fixtures, source: Random): Draft {
  const draft = validDraft({ fixtures, target, parties: pickParties(fixtures, source), random: source });
  if (kind === 'valid') return draft;
  return kind === 'nearly valid' ? mutateOne(draft, source) : attack(draft, source);
}

export function signedRequest(draft: Draft, { keyring, host }: Fixtures, source: Random): WireRequest {
  const body = bodyOf(draft);
  // An internal service signs its body through the hash in the signed query.
  const hashed = draft.asService && body.length > 0 && source.chance(0.7) ? [`body_sha256=${sha256(body)}`] : [];
  const target = targetLine({ ...draft, query: [...draft.query, ...hashed] });
  const unsigned = { method: draft.method, target, body, now: host.now() };
  const { bearer, idempotencyKey } = draft;
  const credentials = draft.asService
    ? serviceHeaders(unsigned, keyring.service)
    : credentialHeaders(draft.target.scheme, unsigned, keyring, { random: source, bearer, idempotencyKey });
  const headers: [string, string][] = [
    ...credentials,
    ...(draft.contentType === null ? [] : ([['content-type', draft.contentType]] as [string, string][])),
    ...draft.headers,
  ];
  const request = { method: draft.method, target: unsigned.target, headers, body };
  return draft.corrupt ? draft.corrupt(request) : request;
}
