// Signed inbound requests on a real PostgreSQL: the time window, the partner, and nonces that can be used once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { nonceExpiry } from '../../src/auth/signatures/nonces.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import {
  accepted,
  addKey,
  addPartner,
  addSecret,
  inboundSigned,
  refused,
  signedRoutes,
  signersForFile,
  withHeaders,
} from './signing.ts';

const { database, routes, partnerId, key } = await signersForFile();

const iso = (ms: number) => new Date(ms).toISOString();
const FAR_FUTURE = new Date('2030-01-01T00:00:00Z');

describe('inbound requests', () => {
  it('are accepted with a valid signature: reads, writes, with and without a body', async () => {
    const caller = await accepted(routes.inbound, inboundSigned(key, routes.clock, { idempotencyKey: 'op-1' }));
    assert.equal(caller.kind === 'key' && caller.partnerId, partnerId);
    await accepted(routes.inbound, inboundSigned(key, routes.clock, { method: 'GET', body: '' }));
    const named = withHeaders(inboundSigned(key, routes.clock), { 'x-partner-id': partnerId });
    await accepted(routes.inbound, named);
    const emptyKey = withHeaders(inboundSigned(key, routes.clock), { 'x-idempotency-key': '' });
    await accepted(routes.inbound, emptyKey);
  });

  it('require every signature header', async () => {
    for (const missing of ['X-API-Key-ID', 'X-Timestamp', 'X-Nonce', 'X-Signature']) {
      const request = withHeaders(inboundSigned(key, routes.clock), {
        [missing.toLowerCase()]: undefined,
        authorization: 'Bearer svc_test_x',
      });
      await refused(routes.inbound, request, 'UNAUTHORIZED', new RegExp(`Missing headers: ${missing}\\.`));
    }
  });

  it('are accepted within 2 minutes of their timestamp, inclusive, in UTC only', async () => {
    const now = routes.clock.now();
    const stamped = (timestamp: string) => inboundSigned(key, routes.clock, { timestamp });
    for (const offset of [-2 * MINUTE_MS, 2 * MINUTE_MS]) await accepted(routes.inbound, stamped(iso(now + offset)));
    for (const offset of [-2 * MINUTE_MS - 1, 2 * MINUTE_MS + 1]) {
      await refused(routes.inbound, stamped(iso(now + offset)), 'STALE_REQUEST', /2 minutes/);
    }
    await accepted(routes.inbound, stamped('2026-03-01T12:00:00+00:00'));
    for (const timestamp of ['2026-03-01T13:00:00+01:00', '2026-03-01T12:00:00', '1772366400', 'now']) {
      await refused(routes.inbound, stamped(timestamp), 'STALE_REQUEST');
    }
  });

  it('are refused if any signed part was changed', async () => {
    const request = inboundSigned(key, routes.clock, { idempotencyKey: 'op-2' });
    for (const changed of [
      { ...request, method: 'PUT' },
      { ...request, target: `${request.target}?x` },
      { ...request, rawBody: Buffer.from('{"amount":2}') },
      withHeaders(request, { 'x-nonce': 'another' }),
      withHeaders(request, { 'x-idempotency-key': 'op-3' }),
      withHeaders(request, { 'x-idempotency-key': undefined }),
      withHeaders(request, { 'x-timestamp': iso(routes.clock.now() + 1) }),
      inboundSigned({ ...key, id: 'key_unknown' }, routes.clock),
    ]) {
      await refused(routes.inbound, changed, 'INVALID_SIGNATURE');
    }
    await accepted(routes.inbound, request);
  });

  it('get the same refusal for an unknown key and for a wrong signature', async () => {
    const unknown = await refused(
      routes.inbound,
      inboundSigned({ ...key, id: 'key_x' }, routes.clock),
      'INVALID_SIGNATURE',
    );
    const wrong = await refused(
      routes.inbound,
      inboundSigned({ ...key, secret: 'x' }, routes.clock),
      'INVALID_SIGNATURE',
    );
    assert.deepEqual(unknown, wrong);
  });

  it('require a nonce, and on writes an idempotency key, of 1 to 128 visible ASCII characters', async () => {
    const long = (length: number) => randomUUID().padEnd(length, '~');
    await accepted(routes.inbound, inboundSigned(key, routes.clock, { nonce: long(128), idempotencyKey: long(128) }));
    for (const nonce of [long(129), 'a b', 'é', 'a\tb', 'a, b']) {
      await refused(routes.inbound, inboundSigned(key, routes.clock, { nonce }), 'UNAUTHORIZED', /X-Nonce/);
    }
    for (const idempotencyKey of [long(129), 'a b', 'é']) {
      const request = () => inboundSigned(key, routes.clock, { idempotencyKey });
      const write = { ...request(), takesIdempotencyKey: true };
      await refused(routes.inbound, write, 'INVALID_REQUEST', /X-Idempotency-Key/);
      await accepted(routes.inbound, request());
    }
  });

  it('must match the partner of their key, its addresses and its active status', async () => {
    const named = withHeaders(inboundSigned(key, routes.clock), { 'x-partner-id': await addPartner(database) });
    await refused(routes.inbound, named, 'PARTNER_MISMATCH');
    await refused(routes.inbound, inboundSigned(await addKey(database), routes.clock), 'SCOPE_DENIED');
    const suspended = await addKey(database, { partnerId: await addPartner(database, 'suspended') });
    await refused(routes.inbound, inboundSigned(suspended, routes.clock), 'PARTNER_SUSPENDED');
    const listed = await addKey(database, { partnerId: await addPartner(database, 'active', ['198.51.100.0/24']) });
    await refused(routes.inbound, inboundSigned(listed, routes.clock), 'IP_NOT_ALLOWED');
    await accepted(routes.inbound, { ...inboundSigned(listed, routes.clock), ip: '::ffff:198.51.100.9' });
  });

  it('are refused with a revoked or expired key, and accepted with either secret during a rotation', async () => {
    const now = routes.clock.now();
    for (const dates of [{ revokedAt: new Date(now) }, { expiresAt: new Date(now) }]) {
      const inactiveKey = await addKey(database, { partnerId, ...dates });
      await refused(routes.inbound, inboundSigned(inactiveKey, routes.clock), 'UNAUTHORIZED');
    }
    const secret = await addSecret(database, key.id, new Date(now + 1));
    await accepted(routes.inbound, inboundSigned({ ...key, secret }, routes.clock));
    await accepted(routes.inbound, inboundSigned(key, routes.clock));
    const ended = await addSecret(database, key.id, new Date(now));
    await refused(routes.inbound, inboundSigned({ ...key, secret: ended }, routes.clock), 'INVALID_SIGNATURE');
  });
});

describe('nonces', () => {
  it('can be used once per key', async () => {
    const nonce = randomUUID();
    const request = inboundSigned(key, routes.clock, { nonce });
    await accepted(routes.inbound, request);
    await refused(routes.inbound, request, 'REPLAYED_REQUEST');
    await refused(routes.inbound, inboundSigned(key, routes.clock, { nonce, body: 'other' }), 'REPLAYED_REQUEST');
    const other = await addKey(database, { partnerId });
    await accepted(routes.inbound, inboundSigned(other, routes.clock, { nonce }));
  });

  it('are not consumed by a refused request', async () => {
    const request = inboundSigned(key, routes.clock);
    await refused(routes.inbound, withHeaders(request, { 'x-signature': '0'.repeat(64) }), 'INVALID_SIGNATURE');
    await refused(routes.inbound, withHeaders(request, { 'x-partner-id': 'ptn_other' }), 'PARTNER_MISMATCH');
    await accepted(routes.inbound, request);
  });

  it('allow exactly one of 100 identical requests, across any number of gateways', async () => {
    const gateways = [routes, signedRoutes(database), signedRoutes(database)];
    for (const count of [1, 2, 3]) {
      const request = inboundSigned(key, routes.clock);
      const arrivals = Array.from({ length: 100 }, (_, n) =>
        (gateways[n % count] ?? routes).inbound.authenticate(request),
      );
      const outcomes = await Promise.all(arrivals);
      const refusals = outcomes.filter((outcome) => outcome instanceof Refusal);
      assert.equal(refusals.length, 99);
      assert.ok(refusals.every(({ code }) => code === 'REPLAYED_REQUEST'));
    }
  });

  it('do not deadlock when gateways use the same ones in opposite orders', async () => {
    const stores = [routes.nonces, signedRoutes(database).nonces];
    for (let round = 0; round < 10; round++) {
      const names = Array.from({ length: 500 }, () => randomUUID());
      const uses = stores.flatMap((store, n) =>
        (n % 2 ? names.toReversed() : names).map((nonce) => store.consume(key.id, nonce, FAR_FUTURE)),
      );
      const firsts = (await Promise.all(uses)).filter((first) => first);
      assert.equal(firsts.length, names.length);
    }
  });

  it('are accepted once per key within one batch', async () => {
    const nonce = randomUUID();
    const uses = [key.id, key.id, 'key_other', key.id, 'key_other'].map((id) =>
      routes.nonces.consume(id, nonce, FAR_FUTURE),
    );
    assert.deepEqual(await Promise.all(uses), [true, false, true, false, false]);
  });

  it('are kept until their request is stale on every gateway, with clocks up to 10 minutes apart', () => {
    const now = routes.clock.now();
    const windowMs = 2 * MINUTE_MS;
    const expiry = (at: number) => nonceExpiry({ at, now, windowMs }).getTime();
    assert.equal(expiry(now - windowMs), now + windowMs + 10 * MINUTE_MS);
    assert.equal(expiry(now + windowMs), now + 2 * windowMs + 10 * MINUTE_MS);
  });

  it('are pruned in chunks once they have expired, not before', async () => {
    const later = signedRoutes(database);
    later.clock.advance(24 * 60 * MINUTE_MS);
    const request = inboundSigned(key, later.clock);
    await accepted(later.inbound, request);
    const expired = new Date(later.clock.now() - 1);
    await Promise.all(Array.from({ length: 2_500 }, (_, n) => later.nonces.consume('key_prune', String(n), expired)));
    await later.nonces.consume('key_prune', 'kept', new Date(later.clock.now()));
    const [first, second] = await Promise.all([later, routes].map(({ nonces }) => nonces.prune(later.clock.now())));
    assert.ok(Number(first) + Number(second) >= 2_500);
    const left = await database.queries
      .selectFrom('nonces')
      .select(['key_id', 'nonce'])
      .where('expires_at', '<', FAR_FUTURE)
      .execute();
    const nonce = String(request.headers['x-nonce']);
    const expected = [
      { key_id: key.id, nonce },
      { key_id: 'key_prune', nonce: 'kept' },
    ];
    const byKey = (a: { key_id: string }, b: { key_id: string }) => (a.key_id < b.key_id ? -1 : 1);
    assert.deepEqual(left.sort(byKey), expected.sort(byKey));
    await refused(later.inbound, request, 'REPLAYED_REQUEST');
    assert.equal(await later.nonces.prune(later.clock.now()), 0);
  });
});
