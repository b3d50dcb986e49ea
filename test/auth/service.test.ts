// Service authentication, alone and as an alternative to a bearer credential.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { PUBLIC_CALLER } from '../../src/auth/caller.ts';
import type { Authentication, WireRequest } from '../../src/auth/schemes/scheme.ts';
import { eitherOf, serviceAuthentication, withBody } from '../../src/auth/schemes/service.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { testClock } from '../support/clock.ts';
import { accepted, refused, withHeaders } from './signing.ts';

const clock = testClock();
const SECRETS = new Map([
  ['agent-service', 'secret-of-the-agent-service'],
  ['reports', 'secret-of-reports'],
]);
const service = serviceAuthentication({ serviceSecrets: SECRETS, clock });

interface RequestOptions {
  name?: string;
  secret?: string;
  path?: string;
  query?: string;
  seconds?: number | string;
}

function serviceSigned(options: RequestOptions = {}): WireRequest {
  const {
    name = 'agent-service',
    path = '/api/v1/subscribers/sub_1',
    query = '',
    seconds = clock.now() / SECOND_MS,
  } = options;
  const secret = options.secret ?? SECRETS.get(name) ?? 'unknown';
  return {
    method: 'GET',
    target: query === '' ? path : `${path}?${query}`,
    headers: {
      'x-service-name': name,
      'x-service-timestamp': String(seconds),
      'x-service-signature': createHmac('sha256', secret).update(`GET|${path}|${query}|${seconds}`).digest('hex'),
    },
    rawBody: Buffer.alloc(0),
    ip: '203.0.113.7',
  };
}

describe('service requests', () => {
  it('are accepted with a valid signature, and the caller is the service', async () => {
    assert.deepEqual(await accepted(service, serviceSigned()), { kind: 'service', id: 'agent-service' });
    assert.deepEqual(await accepted(service, serviceSigned({ name: 'reports', query: 'limit=1&q=a?b' })), {
      kind: 'service',
      id: 'reports',
    });
  });

  it('need every header', async () => {
    for (const missing of ['X-Service-Name', 'X-Service-Timestamp', 'X-Service-Signature']) {
      const request = withHeaders(serviceSigned(), { [missing.toLowerCase()]: undefined });
      await refused(service, request, 'UNAUTHORIZED', new RegExp(`Missing headers: ${missing}\\.`));
    }
  });

  it('are accepted within 5 minutes of their timestamp, inclusive', async () => {
    const now = clock.now() / SECOND_MS;
    for (const seconds of [now - 300, now + 300]) await accepted(service, serviceSigned({ seconds }));
    for (const seconds of [now - 301, now + 301, '', 'now', `${now}.0`, '2026-03-01T12:00:00Z', `${now}000`]) {
      await refused(service, serviceSigned({ seconds }), seconds === '' ? 'UNAUTHORIZED' : 'EXPIRED_TIMESTAMP');
    }
    const late = serviceAuthentication({
      serviceSecrets: SECRETS,
      clock: { now: () => clock.now() + 5 * MINUTE_MS + 1 },
    });
    await refused(late, serviceSigned(), 'EXPIRED_TIMESTAMP');
  });

  it('are refused alike for a changed request, a wrong secret and an unknown service', async () => {
    const wrong = await refused(service, serviceSigned({ secret: 'wrong' }), 'INVALID_SIGNATURE');
    const request = serviceSigned();
    for (const other of [
      { ...request, method: 'DELETE' },
      { ...request, target: '/api/v1/subscribers/sub_2' },
      { ...request, target: `${request.target}?x=1` },
      withHeaders(request, { 'x-service-name': 'reports' }),
      withHeaders(request, { 'x-service-timestamp': String(clock.now() / SECOND_MS + 1) }),
      serviceSigned({ name: 'nobody' }),
      serviceSigned({ name: '__proto__' }),
    ]) {
      assert.deepEqual(await refused(service, other, 'INVALID_SIGNATURE'), wrong);
    }
  });

  it('are refused if the boundary between path and query moves', async () => {
    await refused(service, serviceSigned({ path: '/a', query: 'b|c' }), 'INVALID_SIGNATURE');
    await refused(service, { ...serviceSigned({ path: '/a', query: 'b|c' }), target: '/a|b?c' }, 'INVALID_SIGNATURE');
  });
});

describe('service requests with a body', () => {
  const serviceWithBody = withBody(service, { bodyHash: 'optional' });
  const rawBody = Buffer.from('{"severity":"HIGH"}');
  const bodyHash = createHash('sha256').update(rawBody).digest('hex');
  const sent = (query: string, body = rawBody) => ({ ...serviceSigned({ query }), rawBody: body });
  const signed = async (request: WireRequest) => {
    const caller = await accepted(serviceWithBody, request);
    assert.equal(caller.kind, 'service');
    return caller.kind === 'service' ? caller.signed : undefined;
  };

  it('are covered by a hash of the body in the signed query', async () => {
    for (const query of [`body_sha256=${bodyHash}`, `a=1&body_sha256=${bodyHash.toUpperCase()}`]) {
      const { at, coversBody } = (await signed(sent(query))) ?? {};
      assert.deepEqual([at, coversBody], [clock.now(), true]);
    }
  });

  it('are refused for another body and for an invalid hash', async () => {
    await refused(serviceWithBody, sent(`body_sha256=${bodyHash}`, Buffer.from('{}')), 'INVALID_SIGNATURE');
    for (const query of ['body_sha256=', 'body_sha256', `body_sha256=${bodyHash}&body_sha256=${'0'.repeat(64)}`]) {
      await refused(serviceWithBody, sent(query), 'INVALID_SIGNATURE');
    }
    const unsigned = { ...sent(''), target: `/api/v1/subscribers/sub_1?body_sha256=${bodyHash}` };
    await refused(serviceWithBody, unsigned, 'INVALID_SIGNATURE');
  });

  it('report a body that is not covered, and an identifier of the signed request', async () => {
    const [one, same, other] = [await signed(sent('')), await signed(sent('')), await signed(sent('a=1'))];
    assert.equal(one?.coversBody, false);
    assert.equal(one?.hash, same?.hash);
    assert.notEqual(one?.hash, other?.hash);
  });

  it('are refused without a hash of the body where one is required', async () => {
    const strict = withBody(service, { bodyHash: 'required' });
    await accepted(strict, sent(`body_sha256=${bodyHash}`));
    for (const query of ['', 'a=1']) await refused(strict, sent(query), 'UNAUTHORIZED', /body_sha256/);
    await refused(strict, sent('body_sha256='), 'INVALID_SIGNATURE');
    await refused(strict, serviceSigned({ secret: 'wrong' }), 'INVALID_SIGNATURE');
  });

  it('are refused with INVALID_SIGNATURE for a wrong secret', async () => {
    await refused(serviceWithBody, serviceSigned({ secret: 'wrong' }), 'INVALID_SIGNATURE');
  });

  it('can be combined with a bearer credential and then need the body', () => {
    const bearer: Authentication = { name: 'bearer', needsBody: false, authenticate: async () => PUBLIC_CALLER };
    assert.equal(eitherOf(bearer, serviceWithBody, { needsBody: true }).needsBody, true);
  });
});

describe('either of bearer and service', () => {
  const bearer: Authentication = { name: 'bearer', needsBody: false, authenticate: async () => PUBLIC_CALLER };
  const either = eitherOf(bearer, service);

  it('chooses the scheme by the headers', async () => {
    assert.equal(either.name, 'bearer-or-service');
    assert.equal(either.needsBody, false);
    assert.equal((await accepted(either, serviceSigned())).kind, 'service');
    const plain = { ...serviceSigned(), headers: { authorization: 'Bearer x' } };
    assert.equal(await accepted(either, plain), PUBLIC_CALLER);
  });

  it('does not fall back to the bearer credential if the service signature is invalid', async () => {
    const both = withHeaders(serviceSigned({ secret: 'wrong' }), { authorization: 'Bearer x' });
    await refused(either, both, 'INVALID_SIGNATURE');
    assert.equal((await accepted(either, withHeaders(serviceSigned(), { authorization: 'Bearer x' }))).kind, 'service');
  });

  it('takes the bearer credential if the service headers are incomplete, otherwise names the missing header', async () => {
    const names = ['x-service-name', 'x-service-timestamp', 'x-service-signature'];
    for (let present = 0; present < 7; present++) {
      const missing = names.filter((_, index) => (present & (1 << index)) === 0);
      const without = Object.fromEntries(missing.map((name) => [name, undefined]));
      const stray = withHeaders(serviceSigned(), { ...without, authorization: 'Bearer x' });
      assert.equal(await accepted(either, stray), PUBLIC_CALLER, missing.join());
      if (present === 0) continue;
      const alone = withHeaders(serviceSigned(), without);
      await refused(either, alone, 'UNAUTHORIZED', new RegExp(missing[0] ?? '', 'i'));
    }
  });
});
