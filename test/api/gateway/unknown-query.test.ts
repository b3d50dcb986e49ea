// Unknown query parameters: every route refuses them by name instead of ignoring a filter that it does not have.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newPhone } from '../../support/customers.ts';
import type { Json } from '../../support/gateway.ts';
import { testBank } from '../../support/inbound.ts';
import { bankForFile } from '../../support/money.ts';
import { resolvedDocument } from '../../support/openapi.ts';
import { partnerHeaders } from '../../support/partner.ts';
import { assertRefused } from '../../support/processors.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();
const { token: customer } = await newPhone(kissi, await bank.wallet());

interface Route {
  name: string;
  method: string;
  path: string;
  authentication: string;
  hasBody: boolean;
  ignoresQuery: boolean;
  isCustomers: boolean;
}

const routes: Route[] = kissi.gateway.routeGroups.flatMap(({ prefix, authentication, endpoints }) =>
  endpoints.map(({ method, path, permission, body, upload, ignoresQuery }) => ({
    name: `${method} ${prefix}${path}`,
    method,
    path: `${prefix}${path}`.replaceAll(/:\w+/g, 'x'),
    authentication: authentication.name,
    hasBody: body !== undefined || upload !== undefined,
    ignoresQuery: ignoresQuery === true,
    isCustomers: String(permission).startsWith('me:'),
  })),
);

describe('an unknown query parameter', () => {
  test('is refused with 400 that names it, on every route that a user may call', async () => {
    // An administrator has no access to PEP records.
    const called = routes.filter(
      ({ path, authentication, ignoresQuery }) =>
        /^(bearer|none)/.test(authentication) && !ignoresQuery && !path.includes('/pep/'),
    );
    assert.ok(called.length > 75, String(called.length));
    for (const { name, method, path, hasBody, isCustomers } of called) {
      const reply = await kissi.call(method, `${path}?sttaus=active`, {
        token: isCustomers ? customer : admin,
        ...(hasBody ? { body: {} } : {}),
      });
      assert.equal(reply.status, 400, `${name} ${reply.text}`);
      assert.match(reply.text, /The query parameter sttaus is unknown: this route takes /, name);
    }
  });

  test('names the parameters that the route has', async () => {
    const reply = assertRefused(await bank.get('/transactions?subscriber=sub_1'), 400, 'INVALID_REQUEST');
    assert.match(
      reply.json.error,
      /^The query parameter subscriber is unknown: .*subscriber_id, type, status, from, to/,
    );
    assert.match((await bank.get('/cards/X?a=1')).json.error, /this route takes none\.$/);
  });

  test('is refused beside known ones, in any case and however long', async () => {
    for (const query of [
      'status=ACTIVE&x=1',
      'Status=ACTIVE',
      'limit=1&limit[]=2',
      '__proto__=1',
      `${'x'.repeat(5_000)}=1`,
    ]) {
      const reply = await kissi.call('GET', `/api/v1/subscribers?${query}`, { token: admin });
      assertRefused(reply, 400, 'INVALID_REQUEST', query);
      assert.ok(reply.json.error.length < 250, reply.json.error);
    }
    assert.equal((await kissi.call('GET', '/api/v1/subscribers?', { token: admin })).status, 200);
    assert.equal((await kissi.call('GET', '/api/v1/subscribers?limit=1&', { token: admin })).status, 200);
  });

  test('is refused after the credential and before anything is done', async () => {
    assertRefused(await kissi.call('GET', '/api/v1/subscribers?x=1'), 401, 'UNAUTHORIZED');
    const { id } = await bank.wallet();
    const path = `/api/v1/subscribers/${id}`;
    const block = await kissi.call('POST', `${path}/block?dry_run=true`, { token: admin, body: { reason: 'Test' } });
    assertRefused(block, 400, 'INVALID_REQUEST');
    assert.equal((await kissi.call('GET', path, { token: admin })).json.subscriber.status, 'ACTIVE');
  });

  test('is refused on signed routes once the signature, which covers it, is right', async () => {
    const terminal = await terminalOf(kissi);
    const { card } = await bank.customer();
    assertRefused(await terminal.send('/pos/verify-card?x=1', { card_serial: card }), 400, 'INVALID_REQUEST');
    const inbound = await testBank(kissi, {}, ['payments:read', 'inbound:read']);
    const status = await inbound.send('GET', '/api/v1/inbound/transactions/REF-1?x=1');
    assert.deepEqual([status.status, status.json.code], [400, 'INVALID_REQUEST']);
    assert.match(status.json.message, /parameter x is unknown/);
    const path = '/api/v1/partner/account-status?x=1';
    const [raw, at] = ['{"phone_number":"+23276000001"}', new Date(kissi.clock.now()).toISOString()];
    const headers = partnerHeaders(inbound.key, inbound.partnerId, { method: 'POST', path, at, body: raw });
    assertRefused(await kissi.call('POST', path, { raw, headers }), 400, 'INVALID_REQUEST');
  });

  test('is ignored by probes, the documentation, links that people share and the webhooks of platforms only', async () => {
    const ignoring = routes.filter(({ ignoresQuery }) => ignoresQuery).map(({ name }) => name);
    assert.deepEqual(ignoring.toSorted(), [
      'GET /api/v1/webhooks/messaging',
      ...['GET /health', 'GET /health/live', 'GET /health/ready', 'GET /metrics', 'GET /pay/:token'],
      'GET /r/:token',
      'GET /webhooks/messaging',
      'POST /api/v1/webhooks/messaging',
      ...['POST /ussd/africastalking/:secret', 'POST /ussd/africastalking/:secret/ended', 'POST /webhooks/messaging'],
    ]);
    for (const path of ['/health', '/health/live', '/health/ready', '/metrics', '/openapi.json', '/docs/']) {
      assert.equal((await fetch(`${kissi.url}${path}?cache=${Date.now()}`)).status, 200, path);
    }
  });
});

test('every documented query parameter of a route is accepted by its check', () => {
  const { paths } = resolvedDocument(kissi.gateway.app.openApi()) as Json;
  for (const { prefix, endpoints } of kissi.gateway.routeGroups) {
    for (const { method, path, query } of endpoints) {
      const operation = paths[`${prefix}${path}`.replaceAll(/:(\w+)/g, '{$1}')];
      const parameters: Json[] = operation[method.toLowerCase()].parameters ?? [];
      const documented = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      assert.deepEqual(documented, Object.keys((query as Json)?.properties ?? {}), `${method} ${path}`);
    }
  }
});
