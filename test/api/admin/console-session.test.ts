// The console's session: the refresh token lives in a cookie that only pages of this service can use.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, gatewayForFile } from '../../support/gateway.ts';
import { assertRefused, auditLogs, login, PASSWORD, staffMember } from '../../support/staff.ts';

const kissi = await gatewayForFile({ unauditedRecords: ['user'] });

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

const me = (token: string) => kissi.call('GET', '/api/v1/admin/me', { token });

function call(path: string, { cookie, body }: { cookie?: string; body?: object } = {}): Promise<CallReply> {
  const headers = { ...OWN_PAGE, ...(cookie === undefined ? {} : { cookie }) };
  return kissi.call('POST', `/console${path}`, { headers, ...(body ? { body } : {}) });
}

/** The pair as a browser sends it back. */
function cookieOf({ headers }: CallReply): string {
  const [pair = ''] = (headers.getSetCookie()[0] ?? '').split(';');
  assert.match(pair, /^kissi_session=[\w-]{43}$/);
  return pair;
}

async function newSession() {
  const staff = await staffMember(kissi, 'support_user');
  const reply = assertStatus(await call('/session', { body: { email: staff.email, password: PASSWORD } }), 200);
  return { staff, token: reply.json.token, cookie: cookieOf(reply), reply };
}

const refresh = (cookie: string) => call('/session/refresh', { cookie });

function assertEnded(reply: CallReply): void {
  assertRefused(reply, 401, 'UNAUTHORIZED');
}

describe('a login to the console', () => {
  test('returns the access token, and the refresh token in a cookie that no script and no other site can use', async () => {
    const { reply, token, staff } = await newSession();
    assert.deepEqual(Object.keys(reply.json).sort(), ['expires_in', 'token']);
    const [session = '', browser = '', ...others] = reply.headers.getSetCookie();
    const attributes = (cookie: string) => cookie.split('; ').slice(1).sort();
    assert.deepEqual(attributes(session), ['HttpOnly', 'Path=/console', 'SameSite=Strict', 'Secure']);
    assert.match(browser, /^kissi_browser=[\w-]{43};/);
    assert.deepEqual(attributes(browser), [
      'HttpOnly',
      `Max-Age=${180 * 24 * 60 * 60}`,
      'Path=/console',
      'SameSite=Strict',
      'Secure',
    ]);
    assert.deepEqual(others, []);
    assert.equal((await me(token)).json.id, staff.id);
  });

  test('refuses wrong passwords as POST /admin/login does, and sets no cookie', async () => {
    const { email } = await staffMember(kissi, 'support_user');
    const reply = await call('/session', { body: { email, password: 'Wrong-Horse-7' } });
    assertRefused(reply, 401, 'UNAUTHORIZED');
    assert.equal(reply.headers.get('set-cookie'), null);
  });
});

describe('pages of other sites', () => {
  const FOREIGN: Record<string, Record<string, string>> = {
    'another site': { 'sec-fetch-site': 'cross-site' },
    'another subdomain': { 'sec-fetch-site': 'same-site' },
    'an address typed by the user': { 'sec-fetch-site': 'none' },
    'another origin in an old browser': { origin: 'https://evil.example' },
    'a page without an origin': { origin: 'null' },
    'a client that sends no origin': {},
  };
  for (const [name, headers] of Object.entries(FOREIGN)) {
    test(`get 401 and change nothing: ${name}`, async () => {
      const { cookie } = await newSession();
      for (const path of ['/session/refresh', '/session/logout']) {
        assertEnded(await kissi.call('POST', `/console${path}`, { headers: { ...headers, cookie } }));
      }
      assert.equal((await refresh(cookie)).status, 200);
    });
  }

  test('get 401 without a host, which HTTP/1.0 allows', async () => {
    const { cookie } = await newSession();
    const { hostname, port } = new URL(kissi.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST /console/session/refresh HTTP/1.0\r\norigin: null\r\ncookie: ${cookie}\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.\d 401 /);
    assert.equal((await refresh(cookie)).status, 200);
  });

  test('an old browser, which sends only the origin, is admitted for this origin', async () => {
    const { cookie } = await newSession();
    const { host } = new URL(kissi.url);
    const headers = { origin: `https://${host}`, cookie };
    assert.equal((await kissi.call('POST', '/console/session/refresh', { headers })).status, 200);
  });
});

describe('a refresh of the console', () => {
  test('returns a new access token and a new cookie', async () => {
    const first = await newSession();
    kissi.clock.advance(20 * MINUTE_MS);
    const second = await refresh(first.cookie);
    assert.equal((await me(second.json.token)).json.id, first.staff.id);
    assert.notEqual(cookieOf(second), first.cookie);
    assert.equal((await refresh(cookieOf(second))).status, 200);
  });

  test('works again within a minute if its reply was lost, also twice', async () => {
    const { cookie } = await newSession();
    await refresh(cookie);
    kissi.clock.advance(30 * SECOND_MS);
    await refresh(cookie);
    kissi.clock.advance(30 * SECOND_MS);
    const third = assertStatus(await refresh(cookie), 200);
    assert.equal((await refresh(cookieOf(third))).status, 200);
  });

  test('ends the session if the cookie is used again after a minute', async () => {
    const { cookie } = await newSession();
    const next = cookieOf(await refresh(cookie));
    kissi.clock.advance(MINUTE_MS);
    assertEnded(await refresh(cookie));
    assertEnded(await refresh(next));
  });

  test('ends the session if the cookie is used again after the next one was used', async () => {
    const { cookie, staff } = await newSession();
    const second = cookieOf(await refresh(cookie));
    const third = cookieOf(await refresh(second));
    assertEnded(await refresh(cookie));
    assertEnded(await refresh(third));
    const revocations = await auditLogs(kissi, { action: 'session.revoke' });
    assert.equal(revocations.filter(({ details }) => details.user_id === staff.id).length, 1);
  });

  test('a thief who repeats a refresh loses the session when its holder refreshes', async () => {
    const { cookie } = await newSession();
    const holders = cookieOf(await refresh(cookie));
    const thiefs = cookieOf(await refresh(cookie));
    kissi.clock.advance(2 * MINUTE_MS);
    assertEnded(await refresh(holders));
    assertEnded(await refresh(thiefs));
  });

  test('a holder and a thief of one cookie cannot take turns, not even within the minute', async () => {
    const { cookie } = await newSession();
    const holders = cookieOf(await refresh(cookie));
    const thiefs = cookieOf(await refresh(cookie));
    assertEnded(await refresh(holders));
    assertEnded(await refresh(thiefs));
    assertEnded(await refresh(cookie));
  });

  test('works again if the clocks of the gateways that it reaches differ', async () => {
    const { cookie } = await newSession();
    let last = await refresh(cookie);
    for (const ms of [5, -2, -2, 1, 0]) {
      kissi.clock.advance(ms);
      last = await refresh(cookie);
      assert.equal(last.status, 200, last.text);
    }
    kissi.clock.advance(-2);
    const next = cookieOf(await refresh(cookieOf(last)));
    assert.equal((await refresh(cookieOf(last))).status, 200, 'the reply with the next cookie was lost');
    assertEnded(await refresh(next));
  });

  test('ten concurrent ones, as of ten tabs, all get an access token', async () => {
    const { cookie, staff } = await newSession();
    const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(cookie)));
    for (const reply of replies) assert.equal((await me(reply.json.token)).json.id, staff.id);
    assert.equal((await refresh(cookie)).status, 200, 'the session is open');
  });

  test('without a cookie, or with an unknown one, gets 401', async () => {
    assertEnded(await call('/session/refresh'));
    assertEnded(await refresh(`kissi_session=${'A'.repeat(43)}`));
    assertEnded(await refresh('kissi_session='));
    assertEnded(await refresh('other=1; ='));
  });

  test('the retry window is for the cookie only: POST /admin/refresh ends the session at the first reuse', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { refresh_token } = (await login(kissi, staff)).json;
    const apiRefresh = (token: string) =>
      kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token: token } });
    const first = assertStatus(await apiRefresh(refresh_token), 200);
    // In the same millisecond: uses of one session have different times all the same.
    assert.equal((await apiRefresh(first.json.refresh_token)).status, 200);
    assertEnded(await apiRefresh(first.json.refresh_token));
  });
});

describe('a logout of the console', () => {
  test('ends the session and deletes the cookie', async () => {
    const { cookie } = await newSession();
    const reply = assertStatus(await call('/session/logout', { cookie }), 200);
    assert.match(reply.headers.get('set-cookie') ?? '', /^kissi_session=; Max-Age=0; Path=\/console/);
    assertEnded(await refresh(cookie));
  });

  test('everywhere ends every session and access token of the user, and of no other user', async () => {
    const { cookie, token, staff } = await newSession();
    const other = await newSession();
    const api = (await login(kissi, staff)).json;
    assertStatus(await call('/session/logout', { cookie, body: { everywhere: true } }), 200);
    assertEnded(await me(token));
    assertEnded(await me(api.token));
    assertEnded(await refresh(cookie));
    assertEnded(await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token: api.refresh_token } }));
    assert.equal((await refresh(other.cookie)).status, 200);
    const [entry] = await auditLogs(kissi, { action: 'session.logout_everywhere' });
    assert.equal(entry?.resource_id, staff.id);
    const repeated = await call('/session/logout', { cookie, body: { everywhere: true } });
    assert.equal(repeated.status, 200, 'no session is open, as after a lost reply');
  });

  test('everywhere is refused if the session had ended before and another is open', async () => {
    const { cookie, staff } = await newSession();
    const { token, refresh_token } = (await login(kissi, staff)).json;
    assert.equal((await call('/session/logout', { cookie })).status, 200);
    const everywhere = { body: { everywhere: true } };
    for (const refused of [
      await call('/session/logout', { cookie, ...everywhere }),
      await call('/session/logout', everywhere),
      await kissi.call('POST', '/api/v1/admin/logout', { body: { refresh_token: 'unknown', everywhere: true } }),
    ]) {
      assertRefused(refused, 401, 'UNAUTHORIZED');
      assert.match(refused.json.error, /Other sessions may still be open/);
    }
    assert.equal((await me(token)).status, 200);
    const about = { action: 'session.logout_everywhere', resource_id: staff.id };
    assert.equal((await auditLogs(kissi, about)).length, 0);
    const body = { refresh_token, everywhere: true };
    assert.equal((await kissi.call('POST', '/api/v1/admin/logout', { body })).status, 200);
    assertEnded(await me(token));
  });
});
