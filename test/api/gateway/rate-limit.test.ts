// Tests rate limits per API key, per user and per address: headers, 429 and Retry-After.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { gatewayForFile, type TestGateway, testGateway } from '../../support/gateway.ts';
import { apiKey, staffToken } from '../../support/staff.ts';

const LIMITS = { RATE_LIMIT_RPS: '10', RATE_LIMIT_BURST: '20', PUBLIC_REGISTRATION_PER_MINUTE: '3' };

const kissi = await gatewayForFile({ env: LIMITS });

/** Windows of one second that can have begun since then, however slow the machine is. */
const windowsSince = (begun: number) => Math.ceil((performance.now() - begun) / SECOND_MS) + 1;

const read = (key: string) => kissi.call('GET', '/api/v1/subscribers?limit=1', { token: key });

describe('per API key', () => {
  test('requests beyond the burst get 429 RATE_LIMITED with Retry-After; other keys are not affected', async () => {
    const { key } = await apiKey(kissi, ['subscribers:read']);
    const other = await apiKey(kissi, ['subscribers:read']);
    const begun = performance.now();
    const replies = await Promise.all(Array.from({ length: 60 }, () => read(key)));
    const passed = replies.filter(({ status }) => status === 200).length;
    // One burst, and at most the rate of the windows that have begun since.
    assert.ok(passed >= 20 && passed <= 20 + 10 * windowsSince(begun), `${passed} passed`);
    const refused = replies.filter(({ status }) => status === 429);
    assert.equal(refused.length, 60 - passed);
    for (const { json, headers } of refused) {
      assert.equal(json.code, 'RATE_LIMITED');
      assert.ok(Number(headers.get('retry-after')) >= 1);
      assert.equal(headers.get('x-ratelimit-remaining'), '0');
    }
    assert.equal((await read(other.key)).status, 200);
  });

  test('every reply to a key has limit, remaining and reset headers, including 403, 404 and 405', async () => {
    const { key } = await apiKey(kissi, ['subscribers:read']);
    const replies = [
      await read(key),
      await kissi.call('GET', '/api/v1/subscribers/sub_unknown', { token: key }),
      await kissi.call('GET', '/api/v1/admin/users', { token: key }),
      await kissi.call('GET', '/api/v1/nothing-here', { token: key }),
      await kissi.call('PATCH', '/api/v1/subscribers', { token: key }),
    ];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 404, 403, 404, 405],
    );
    for (const { headers } of replies) {
      assert.equal(headers.get('x-ratelimit-limit'), '10');
      assert.match(headers.get('x-ratelimit-remaining') ?? '', /^\d$/);
      const reset = Number(headers.get('x-ratelimit-reset'));
      const now = kissi.clock.now() / 1_000;
      assert.ok(reset >= now && reset <= now + 2, `${reset} is not within two seconds of ${now}`);
    }
    const remaining = replies.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    assert.ok((remaining[0] ?? 0) <= 9);
  });

  test("a key's own rate_limit replaces the default", async () => {
    const { key } = await apiKey(kissi, ['subscribers:read'], { rate_limit: 50 });
    const { headers } = await read(key);
    assert.equal(headers.get('x-ratelimit-limit'), '50');
    assert.equal(headers.get('x-ratelimit-remaining'), '49');
  });

  test('replies to callers without a credential have no rate limit headers', async () => {
    assert.equal((await kissi.call('GET', '/api/v1/admin/me')).headers.get('x-ratelimit-limit'), null);
  });
});

describe('per user', () => {
  let strict: TestGateway;
  before(async () => {
    strict = await testGateway({
      env: { ...LIMITS, USER_RATE_LIMIT_RPS: '5', USER_RATE_LIMIT_BURST: '8' },
      db: kissi.db,
      clock: kissi.clock,
    });
  });
  after(() => strict.close());

  const me = (token: string, path = '/api/v1/admin/me') => strict.call('GET', path, { token });

  test('requests beyond the burst get 429 RATE_LIMITED on every route; other users are not affected', async () => {
    const [token, other] = [await staffToken(kissi, 'sub_agent'), await staffToken(kissi, 'sub_agent')];
    const paths = ['/api/v1/admin/me', '/api/v1/subscribers', '/api/v1/admin/users', '/api/v1/nothing-here'];
    const begun = performance.now();
    const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => me(token, paths[n % paths.length])));
    const refused = replies.filter(({ json }) => json.code === 'RATE_LIMITED');
    // One burst, and at most the rate of the windows that have begun since.
    const passed = 40 - refused.length;
    assert.ok(passed >= 8 && passed <= 8 + 5 * windowsSince(begun), `${passed} passed`);
    for (const { status, headers } of refused) {
      assert.equal(status, 429);
      assert.ok(Number(headers.get('retry-after')) >= 1);
    }
    assert.equal((await me(other)).status, 200);
  });

  test('every reply has limit, remaining and reset headers, including 403 and 404', async () => {
    const token = await staffToken(kissi, 'sub_agent');
    const replies = [await me(token), await me(token, '/api/v1/admin/users'), await me(token, '/api/v1/nothing-here')];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 403, 404],
    );
    for (const { headers } of replies) {
      assert.equal(headers.get('x-ratelimit-limit'), '5');
      assert.match(headers.get('x-ratelimit-remaining') ?? '', /^[0-4]$/);
      assert.ok(Number(headers.get('x-ratelimit-reset')) > 0);
    }
  });
});

describe('logins', () => {
  test('are limited per address across all login names', async () => {
    const strict = await testGateway({ env: { ...LIMITS, LOGINS_PER_MINUTE: '3' }, db: kissi.db });
    // The logins on the other gateway count too: this one starts a new minute.
    strict.clock.advance(MINUTE_MS);
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) {
        const body = { email: `unknown${i}@example.com`, password: 'x' };
        statuses.push((await strict.call('POST', '/api/v1/admin/login', { body })).status);
      }
      assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
    } finally {
      await strict.close();
    }
  });
});

describe('public registration', () => {
  const register = (phone: string, headers: Record<string, string> = {}) =>
    kissi.call('POST', '/api/v1/public/subscribers', {
      body: { phone_number: phone, first_name: 'A', last_name: 'B', pin: '1234' },
      headers,
    });

  test('is limited per address and ignores an untrusted X-Forwarded-For', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const reply = await register(`0765000${10 + i}`, { 'x-forwarded-for': `192.0.2.${i}` });
      statuses.push(reply.status);
      if (reply.status === 429) assert.ok(Number(reply.headers.get('retry-after')) > 0);
    }
    assert.deepEqual(statuses, [201, 201, 201, 429, 429]);
  });

  test('uses the address that a trusted proxy reports', async () => {
    const proxied = await testGateway({ env: { ...LIMITS, TRUST_PROXY: '1' }, db: kissi.db });
    try {
      for (let i = 0; i < 5; i++) {
        const reply = await proxied.call('POST', '/api/v1/public/subscribers', {
          body: { phone_number: `0765100${10 + i}`, first_name: 'A', last_name: 'B', pin: '1234' },
          headers: { 'x-forwarded-for': `192.0.2.${i}` },
        });
        assert.equal(reply.status, 201);
      }
    } finally {
      await proxied.close();
    }
  });
});
