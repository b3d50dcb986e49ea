// Signed POS and partner requests on a real PostgreSQL: which are accepted, and how the others are refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeyCaller } from '../../src/auth/caller.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import {
  accepted,
  addKey,
  addPartner,
  addSecret,
  bodySigned,
  refused,
  signedRoutes,
  signersForFile,
  withHeaders,
} from './signing.ts';

const { database, routes, partnerId, key } = await signersForFile();

const iso = (ms: number) => new Date(ms).toISOString();

for (const name of ['pos', 'partner'] as const) {
  describe(`${name} requests`, () => {
    it('are accepted with a valid signature, and the caller is the key', async () => {
      const { encryptionKey, ...caller } = (await accepted(routes[name], bodySigned(key, routes.clock))) as KeyCaller;
      assert.equal(typeof encryptionKey, name === 'pos' ? 'function' : 'undefined');
      const expected = { kind: 'key', id: key.id, scopes: ['payments:write'], environment: 'test', partnerId };
      assert.deepEqual(caller, { ...expected, processorId: null, rateLimit: null, dailyLimit: null, approved: false });
      await accepted(routes[name], bodySigned(key, routes.clock, { method: 'GET', body: '' }));
      await accepted(routes[name], bodySigned(key, routes.clock, { body: ' {"é":\n"–"}\r\n' }));
      const upper = String(bodySigned(key, routes.clock).headers['x-signature']).toUpperCase();
      await accepted(routes[name], withHeaders(bodySigned(key, routes.clock), { 'x-signature': upper }));
    });

    it('need every header, and a bearer token replaces none of them', async () => {
      const request = bodySigned(key, routes.clock);
      for (const missing of ['X-API-Key-ID', 'X-Timestamp', 'X-Signature']) {
        for (const value of [undefined, '']) {
          const incomplete = withHeaders(request, {
            [missing.toLowerCase()]: value,
            authorization: 'Bearer svc_test_x',
          });
          await refused(routes[name], incomplete, 'UNAUTHORIZED', new RegExp(`Missing headers: ${missing}\\.`));
        }
      }
      const bearer = { ...request, headers: { authorization: 'Bearer svc_test_x' } };
      await refused(routes[name], bearer, 'UNAUTHORIZED', /Missing headers: X-API-Key-ID, X-Timestamp, X-Signature/);
    });

    it('are accepted within 5 minutes of their timestamp, inclusive', async () => {
      const now = routes.clock.now();
      for (const offset of [-5 * MINUTE_MS, 5 * MINUTE_MS]) {
        await accepted(routes[name], bodySigned(key, routes.clock, { timestamp: iso(now + offset) }));
      }
      for (const offset of [-5 * MINUTE_MS - 1, 5 * MINUTE_MS + 1]) {
        const request = bodySigned(key, routes.clock, { timestamp: iso(now + offset) });
        await refused(routes[name], request, 'EXPIRED_TIMESTAMP', /5 minutes/);
      }
      await accepted(routes[name], bodySigned(key, routes.clock, { timestamp: '2026-03-01T17:30:00+05:30' }));
      for (const timestamp of ['2026-03-01T12:00:00', '2026-03-01', '1772366400', 'now']) {
        await refused(routes[name], bodySigned(key, routes.clock, { timestamp }), 'EXPIRED_TIMESTAMP');
      }
    });

    it('are refused if any signed part was changed', async () => {
      const request = bodySigned(key, routes.clock);
      const later = iso(routes.clock.now() + 1_000);
      const changed = [
        { ...request, method: 'PUT' },
        { ...request, target: '/api/v1/partner/cashin?x=2' },
        { ...request, target: '/api/v1/partner/cashin' },
        { ...request, rawBody: Buffer.from('{"amount":2}') },
        { ...request, rawBody: Buffer.from('{"amount":1}\n') },
        { ...request, rawBody: Buffer.alloc(0) },
        withHeaders(request, { 'x-timestamp': later }),
        withHeaders(request, { 'x-signature': `${request.headers['x-signature']}, ${request.headers['x-signature']}` }),
      ];
      for (const other of changed) await refused(routes[name], other, 'INVALID_SIGNATURE');
    });

    it('are refused alike for an unknown key and a wrong signature', async () => {
      const other = await addKey(database, { partnerId });
      const wrongSecret = await refused(
        routes[name],
        bodySigned({ ...key, secret: other.secret }, routes.clock),
        'INVALID_SIGNATURE',
      );
      const revoked = await addKey(database, { partnerId, revokedAt: new Date(0) });
      for (const unknownKey of [
        { ...key, id: 'key_unknown' },
        { ...key, id: other.id },
        { ...key, id: "key' or '1'='1" },
        { ...key, id: revoked.id },
      ]) {
        const refusal = await refused(routes[name], bodySigned(unknownKey, routes.clock), 'INVALID_SIGNATURE');
        assert.deepEqual(refusal, wrongSecret);
      }
    });

    it('may be signed with either secret during the overlap of a rotation', async () => {
      const rotated = await addKey(database, { partnerId });
      const until = new Date(routes.clock.now() + MINUTE_MS);
      const old = { ...rotated, secret: await addSecret(database, rotated.id, until) };
      await accepted(routes[name], bodySigned(rotated, routes.clock));
      await accepted(routes[name], bodySigned(old, routes.clock));
      const later = signedRoutes(database);
      later.clock.advance(MINUTE_MS);
      await accepted(later[name], bodySigned(rotated, later.clock));
      await refused(later[name], bodySigned(old, later.clock), 'INVALID_SIGNATURE');
    });

    it('are refused once the key is revoked or expired or its partner suspended', async () => {
      const now = routes.clock.now();
      const suspended = await addPartner(database, 'suspended');
      for (const inactiveKey of [
        await addKey(database, { partnerId, revokedAt: new Date(now) }),
        await addKey(database, { partnerId, expiresAt: new Date(now) }),
      ]) {
        await refused(routes[name], bodySigned(inactiveKey, routes.clock), 'UNAUTHORIZED', /revoked or expired/);
      }
      const suspendedKey = await addKey(database, { partnerId: suspended });
      await refused(routes[name], bodySigned(suspendedKey, routes.clock), 'PARTNER_SUSPENDED');
      await accepted(
        routes[name],
        bodySigned(await addKey(database, { partnerId, expiresAt: new Date(now + 1) }), routes.clock),
      );
    });

    it('are refused a second after a revocation by another gateway, although the key is cached', async () => {
      const revoked = await addKey(database, { partnerId });
      const gateway = signedRoutes(database);
      await accepted(gateway[name], bodySigned(revoked, gateway.clock));
      await database.queries
        .updateTable('api_keys')
        .set({ revoked_at: new Date() })
        .where('id', '=', revoked.id)
        .execute();
      gateway.clock.advance(1_000);
      await refused(gateway[name], bodySigned(revoked, gateway.clock), 'UNAUTHORIZED');
    });

    it('throw for a sealed secret that was copied from another key', async () => {
      const copy = await addKey(database, { partnerId });
      await accepted(routes[name], bodySigned(key, routes.clock));
      const { sealed_secret } = await database.queries
        .selectFrom('api_key_credentials')
        .select('sealed_secret')
        .where('key_id', '=', key.id)
        .executeTakeFirstOrThrow();
      await database.queries
        .updateTable('api_key_credentials')
        .set({ sealed_secret })
        .where('key_id', '=', copy.id)
        .execute();
      const request = bodySigned({ ...copy, secret: key.secret }, routes.clock);
      await assert.rejects(async () => routes[name].authenticate(request));
    });
  });
}

describe('POS requests', () => {
  it("need no partner, and the key of a partner is restricted to the partner's addresses", async () => {
    await accepted(routes.pos, bodySigned(await addKey(database), routes.clock));
    const elsewhere = await addPartner(database, 'active', ['192.0.2.0/24']);
    const key = await addKey(database, { partnerId: elsewhere });
    await refused(routes.pos, bodySigned(key, routes.clock), 'IP_NOT_ALLOWED');
  });
});

describe('partner requests', () => {
  it("must name their key's partner", async () => {
    const request = bodySigned(key, routes.clock);
    await refused(
      routes.partner,
      withHeaders(request, { 'x-partner-id': undefined }),
      'UNAUTHORIZED',
      /Missing headers: X-Partner-ID\./,
    );
    const other = await addPartner(database);
    await refused(routes.partner, withHeaders(request, { 'x-partner-id': other }), 'PARTNER_MISMATCH');
    const partnerless = await addKey(database);
    await refused(routes.partner, bodySigned({ ...partnerless, partnerId }, routes.clock), 'FORBIDDEN');
  });

  it("must come from the partner's addresses", async () => {
    const listed = await addPartner(database, 'active', ['198.51.100.0/24', '2001:db8::/32']);
    const listedKey = await addKey(database, { partnerId: listed });
    const from = (ip: string) => ({ ...bodySigned(listedKey, routes.clock), ip });
    await accepted(routes.partner, from('198.51.100.9'));
    await accepted(routes.partner, from('::ffff:198.51.100.9'));
    await accepted(routes.partner, from('2001:db8::9'));
    await refused(routes.partner, from('203.0.113.7'), 'IP_NOT_ALLOWED');
    const wrong = withHeaders(from('203.0.113.7'), { 'x-signature': '0'.repeat(64) });
    await refused(routes.partner, wrong, 'INVALID_SIGNATURE');
  });
});
