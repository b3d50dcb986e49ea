// Authenticator apps (TOTP) and recovery codes: enrolment, a login's second step, single use, limits, removal, reset.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { URI } from 'otpauth';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { agentToken, newAgent } from '../../support/agents.ts';
import { assertStatus, gatewayForFile, type Json, testGateway } from '../../support/gateway.ts';
import {
  answer,
  challenge,
  codeAt,
  enrolTotp,
  logInWithCode,
  post,
  STEP_MS,
  type TotpUser,
  totpUser,
} from '../../support/second-factor.ts';
import {
  assertRefused,
  auditLogs,
  login,
  openSession,
  PASSWORD,
  refusedAttemptCount,
  runChore,
  staffMember,
} from '../../support/staff.ts';

const kissi = await gatewayForFile();
const WRONG_PASSWORD = 'Wrong-Password-1';

const me = (token: string) => kissi.call('GET', '/api/v1/admin/me', { token });
const status = async (token: string): Promise<Json> =>
  (await kissi.call('GET', '/api/v1/admin/second-factor', { token })).json;
/** Six digits that are not valid now or in the next minutes. */
function wrongCode({ secret }: TotpUser): string {
  const near = new Set([-2, -1, 0, 1, 2, 3].map((steps) => codeAt(secret, kissi.clock.now() + steps * STEP_MS)));
  return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !near.has(code)) ?? '';
}
async function actionsOf(userId: string): Promise<string[]> {
  const entries = await auditLogs(kissi, { resource_id: userId });
  return entries.map(({ action }) => action);
}

describe('enrolment', () => {
  test('returns the secret, an otpauth URI and a QR code, and stores the secret encrypted', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    const { status: code, json } = await post(kissi, 'second-factor/totp', { password: PASSWORD }, token);
    assert.equal(code, 200);
    const parsed = URI.parse(json.otpauth_uri);
    assert.deepEqual([parsed.secret.base32, parsed.issuer, parsed.label], [json.secret, 'Kissi', staff.email]);
    assert.equal(json.secret.length, 32);
    const svg = Buffer.from(json.qr_code.replace('data:image/svg+xml;base64,', ''), 'base64').toString();
    assert.match(svg, /^<svg .*<\/svg>$/s);
    const { rows } = await kissi.db.query('select t::text as row from totp_enrolments t where user_id = $1', [
      staff.id,
    ]);
    assert.ok(!rows[0].row.includes(json.secret));
    assert.ok(!kissi.logs().includes(json.secret));
  });

  test('has no effect before the first valid code, which activates it, shows 10 codes and ends every session', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token, refresh_token } = await openSession(kissi, staff);
    const { json } = await post(kissi, 'second-factor/totp', { password: PASSWORD }, token);
    assert.equal((await login(kissi, staff)).status, 200);
    assertRefused(
      await post(kissi, 'second-factor/totp/confirm', { code: '000000' }, token),
      401,
      'INVALID_SECOND_FACTOR',
    );
    assert.deepEqual(await status(token), {
      enrolled: false,
      required: false,
      totp_since: null,
      passkeys: [],
      recovery_codes_remaining: 0,
    });
    const confirmed = await post(
      kissi,
      'second-factor/totp/confirm',
      { code: codeAt(json.secret, kissi.clock.now()) },
      token,
    );
    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal(new Set(confirmed.json.recovery_codes).size, 10);
    for (const code of confirmed.json.recovery_codes) assert.match(code, /^[a-z2-9]{5}-[a-z2-9]{5}$/);
    assert.equal((await me(token)).status, 401);
    assert.equal((await post(kissi, 'refresh', { refresh_token })).status, 401);
    await challenge(kissi, staff);
    const actions = await actionsOf(staff.id);
    assert.ok(actions.includes('second_factor.totp_enrol') && actions.includes('second_factor.totp_confirm'));
  });

  test('needs the password; a wrong one counts as a failed login', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    assertRefused(await post(kissi, 'second-factor/totp', {}, token), 400, 'INVALID_REQUEST');
    const both = { password: PASSWORD, code: '000000' };
    assertRefused(await post(kissi, 'second-factor/totp', both, token), 400, 'INVALID_REQUEST');
    const begin = () => post(kissi, 'second-factor/totp', { password: WRONG_PASSWORD }, token);
    for (let i = 0; i < 5; i++) assertRefused(await begin(), 401, 'UNAUTHORIZED');
    assertRefused(await begin(), 429, 'TOO_MANY_ATTEMPTS');
    assertRefused(await login(kissi, staff), 429, 'TOO_MANY_ATTEMPTS');
  });

  test('expires after 15 minutes, can be begun again before, and a second app gets 409', async () => {
    const staff = await staffMember(kissi, 'support_user');
    let { token } = await openSession(kissi, staff);
    const begin = () => post(kissi, 'second-factor/totp', { password: PASSWORD }, token);
    const confirm = (secret: string) =>
      post(kissi, 'second-factor/totp/confirm', { code: codeAt(secret, kissi.clock.now()) }, token);
    assertRefused(await confirm('JBSWY3DPEHPK3PXP'), 409, 'SECOND_FACTOR_NOT_ENROLLED');
    const first = (await begin()).json.secret;
    kissi.clock.advance(15 * MINUTE_MS);
    token = (await openSession(kissi, staff)).token;
    assertRefused(await confirm(first), 409, 'SECOND_FACTOR_NOT_ENROLLED');
    const second = (await begin()).json.secret;
    const third = (await begin()).json.secret;
    assertRefused(await confirm(second), 401, 'INVALID_SECOND_FACTOR');
    assert.equal((await confirm(third)).status, 200);
    const user = await totpUser(kissi);
    const session = await logInWithCode(kissi, user);
    const again = await post(kissi, 'second-factor/totp', { password: PASSWORD }, session.token);
    assertRefused(again, 409, 'SECOND_FACTOR_EXISTS');
  });

  test("is open to agents' users", async () => {
    const agent = await newAgent(kissi);
    const token = await agentToken(kissi, agent);
    const user = await enrolTotp(kissi, { id: agent.userId, email: agent.email, password: agent.password }, token);
    const byPhone = await challenge(kissi, { email: agent.phone, password: agent.password });
    const reply = assertStatus(await answer(kissi, { challenge: byPhone.challenge, code: user.nextCode() }), 200);
    assert.equal((await me(reply.json.token)).json.agent_id, agent.id);
  });
});

describe("a login's second step", () => {
  test('returns exactly what a login returns; refresh keeps working; both steps are audited', async () => {
    const user = await totpUser(kissi);
    const asked = await challenge(kissi, user);
    assert.deepEqual(Object.keys(asked).sort(), ['challenge', 'code', 'error', 'methods', 'success']);
    assert.deepEqual(asked.methods, ['totp', 'recovery_code']);
    const { status: code, json } = await answer(kissi, { challenge: asked.challenge, code: user.nextCode() });
    assert.equal(code, 200);
    assert.deepEqual(Object.keys(json).sort(), ['expires_in', 'refresh_token', 'token']);
    assert.equal((await me(json.token)).json.id, user.id);
    const refreshed = assertStatus(await post(kissi, 'refresh', { refresh_token: json.refresh_token }), 200);
    assert.equal((await me(refreshed.json.token)).status, 200);
    const [step] = await auditLogs(kissi, { resource_id: user.id, action: 'session.login.challenge' });
    assert.deepEqual([step.actor_id, step.details], [user.id, { methods: ['totp', 'recovery_code'] }]);
    const [session] = await auditLogs(kissi, { actor_id: user.id, action: 'session.login' });
    assert.deepEqual(session.details, { second_factor: 'totp' });
  });

  test('the first step does not set last_login_at and opens no session', async () => {
    const user = await totpUser(kissi);
    const lastLogin = async () => {
      const { rows } = await kissi.db.query('select last_login_at from users where id = $1', [user.id]);
      return rows[0].last_login_at.getTime();
    };
    const before = await lastLogin();
    kissi.clock.advance(MINUTE_MS);
    await challenge(kissi, user);
    assert.equal(await lastLogin(), before);
    const { rows } = await kissi.db.query('select from sessions where user_id = $1 and revoked_at is null', [user.id]);
    assert.equal(rows.length, 0);
  });

  test('a wrong password gets the reply of a user without a second factor and of an unknown user', async () => {
    const [withFactor, without] = [await totpUser(kissi), await staffMember(kissi, 'support_user')];
    const replies = [
      await login(kissi, { email: withFactor.email, password: WRONG_PASSWORD }),
      await login(kissi, { email: without.email, password: WRONG_PASSWORD }),
      await login(kissi, { email: 'nobody@example.com', password: WRONG_PASSWORD }),
    ];
    assert.equal(new Set(replies.map(({ status: code, text }) => `${code} ${text}`)).size, 1);
  });

  test('accepts the codes of the previous and the next 30 seconds, and no others', async () => {
    for (const [steps, expected] of [
      [-2, 401],
      [-1, 200],
      [0, 200],
      [1, 200],
      [2, 401],
    ] as const) {
      const user = await totpUser(kissi);
      kissi.clock.advance(5 * STEP_MS);
      const asked = await challenge(kissi, user);
      const code = codeAt(user.secret, kissi.clock.now() + steps * STEP_MS);
      const reply = await answer(kissi, { challenge: asked.challenge, code });
      assert.equal(reply.status, expected, `${steps} steps: ${reply.text}`);
    }
  });

  test('a code is accepted once, also the one that confirmed the enrolment, and none that is older', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    const { json } = await post(kissi, 'second-factor/totp', { password: PASSWORD }, token);
    const enrolmentCode = codeAt(json.secret, kissi.clock.now());
    await post(kissi, 'second-factor/totp/confirm', { code: enrolmentCode }, token);
    const first = await challenge(kissi, staff);
    const used = await answer(kissi, { challenge: first.challenge, code: enrolmentCode });
    assertRefused(used, 401, 'INVALID_SECOND_FACTOR');
    kissi.clock.advance(2 * STEP_MS);
    const older = codeAt(json.secret, kissi.clock.now() - STEP_MS);
    const code = codeAt(json.secret, kissi.clock.now());
    assert.equal((await answer(kissi, { challenge: first.challenge, code })).status, 200);
    const second = await challenge(kissi, staff);
    for (const replayed of [code, older]) {
      assertRefused(await answer(kissi, { challenge: second.challenge, code: replayed }), 401, 'INVALID_SECOND_FACTOR');
    }
  });

  test('of 20 concurrent logins with one code at two gateways, one succeeds', async () => {
    const user = await totpUser(kissi);
    const second = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const asked: Json[] = [];
      for (let i = 0; i < 20; i++) asked.push(await challenge(kissi, user));
      const code = user.nextCode();
      const replies = await Promise.all(
        asked.map((each, n) => answer(n % 2 ? kissi : second, { challenge: each.challenge, code })),
      );
      assert.equal(replies.filter(({ status: got }) => got === 200).length, 1);
      const { rows } = await kissi.db.query('select from sessions where user_id = $1 and revoked_at is null', [
        user.id,
      ]);
      assert.equal(rows.length, 1);
    } finally {
      await second.close();
    }
  });

  test('a challenge works once, on any gateway, for its own user, and for 5 minutes', async () => {
    const [user, other] = [await totpUser(kissi), await totpUser(kissi)];
    const second = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const asked = await challenge(kissi, user);
      const foreign = await answer(kissi, { challenge: asked.challenge, code: other.nextCode() });
      assertRefused(foreign, 401, 'INVALID_SECOND_FACTOR');
      assert.equal((await answer(second, { challenge: asked.challenge, code: user.nextCode() })).status, 200);
      assertRefused(await answer(kissi, { challenge: asked.challenge, code: user.nextCode() }), 401, 'UNAUTHORIZED');
      const late = await challenge(kissi, user);
      kissi.clock.advance(5 * MINUTE_MS);
      assertRefused(await answer(kissi, { challenge: late.challenge, code: user.nextCode() }), 401, 'UNAUTHORIZED');
      assertRefused(await answer(kissi, { challenge: 'unknown', code: user.nextCode() }), 401, 'UNAUTHORIZED');
    } finally {
      await second.close();
    }
  });

  test('challenges are stored as hashes, and expired ones are deleted', async () => {
    const user = await totpUser(kissi);
    const asked = await challenge(kissi, user);
    const select = 'select c::text as row from second_factor_challenges c where user_id = $1';
    const { rows } = await kissi.db.query(select, [user.id]);
    assert.equal(rows.length, 1);
    assert.ok(!rows[0].row.includes(asked.challenge));
    assert.ok(!rows[0].row.includes(Buffer.from(asked.challenge, 'base64url').toString('hex')));
    kissi.clock.advance(5 * MINUTE_MS);
    await runChore(kissi, 'prune sessions and attempts');
    assert.equal((await kissi.db.query(select, [user.id])).rows.length, 0);
  });

  test('challenges that the owner of the database plants or changes are refused', async () => {
    const [user, victim] = [await totpUser(kissi), await totpUser(kissi)];
    const hash = (text: string) => createHash('sha256').update(text).digest();
    const planted = 'planted-in-the-database';
    const until = new Date(kissi.clock.now() + MINUTE_MS);
    await kissi.db.query(
      `insert into second_factor_challenges (challenge_hash, user_id, purpose, expires_at) values ($1, $2, 'login', $3)`,
      [hash(planted), victim.id, until],
    );
    assertRefused(await answer(kissi, { challenge: planted, code: victim.nextCode() }), 401, 'UNAUTHORIZED');
    const changes = [
      `user_id = '${victim.id}'`,
      `expires_at = expires_at + interval '1 minute'`,
      'passkey_only = not passkey_only',
      'password_right = not password_right',
    ];
    for (const change of changes) {
      const asked = await challenge(kissi, user);
      const where = [hash(asked.challenge)];
      await kissi.db.query(`update second_factor_challenges set ${change} where challenge_hash = $1`, where);
      const { nextCode } = change.startsWith('user_id') ? victim : user;
      assertRefused(await answer(kissi, { challenge: asked.challenge, code: nextCode() }), 401, 'UNAUTHORIZED');
    }
    await logInWithCode(kissi, user);
  });

  test('ends when the password is changed or reset, or the user is suspended, and the factor stays', async () => {
    const user = await totpUser(kissi);
    const put = (body: Json) => kissi.asAdmin.put(`/admin/users/${user.id}`, body);
    const changes = [() => put({ password: 'Reset-Password-9' }), () => put({ status: 'suspended' })];
    let password = user.password;
    for (const change of changes) {
      const asked = await challenge(kissi, { email: user.email, password });
      assert.equal((await change()).status, 200);
      password = 'Reset-Password-9';
      assertRefused(await answer(kissi, { challenge: asked.challenge, code: user.nextCode() }), 401, 'UNAUTHORIZED');
    }
    await put({ status: 'active' });
    const session = await logInWithCode(kissi, { ...user, password });
    const body = { current_password: password, new_password: 'Changed-Password-8' };
    assert.equal((await post(kissi, 'change-password', body, session.token)).status, 200);
    await logInWithCode(kissi, { ...user, password: 'Changed-Password-8' });
  });

  test('code or assertion is required, not both', async () => {
    const user = await totpUser(kissi);
    const { challenge: asked } = await challenge(kissi, user);
    assertRefused(await answer(kissi, { challenge: asked }), 400, 'INVALID_REQUEST');
    assertRefused(await answer(kissi, { challenge: asked, code: 7 }), 400, 'INVALID_REQUEST');
    assertRefused(await answer(kissi, { challenge: asked, code: 'x'.repeat(33) }), 400, 'INVALID_REQUEST');
  });
});

describe('wrong codes', () => {
  test('five lock the email for both steps, although every password was right', async () => {
    const user = await totpUser(kissi);
    for (let i = 0; i < 5; i++) {
      const asked = await challenge(kissi, user);
      const reply = await answer(kissi, { challenge: asked.challenge, code: wrongCode(user) });
      assertRefused(reply, 401, 'INVALID_SECOND_FACTOR');
      assert.equal(reply.json.attempts_remaining, 4 - i);
    }
    assertRefused(await login(kissi, user), 429, 'TOO_MANY_ATTEMPTS');
    kissi.clock.advance(15 * MINUTE_MS);
    await logInWithCode(kissi, user);
  });

  test('a challenge dies after five wrong codes, and the right code is then refused', async () => {
    const user = await totpUser(kissi);
    const asked = await challenge(kissi, user);
    for (let i = 0; i < 5; i++) await answer(kissi, { challenge: asked.challenge, code: wrongCode(user) });
    const { rows } = await kissi.db.query('select from second_factor_challenges where user_id = $1', [user.id]);
    assert.equal(rows.length, 0);
    assertRefused(await answer(kissi, { challenge: asked.challenge, code: user.nextCode() }), 401, 'UNAUTHORIZED');
    const query = { resource_id: user.id, action: 'session.login.refused' };
    assert.equal(await refusedAttemptCount(kissi, query), 5);
    for (const { details } of await auditLogs(kissi, query)) assert.equal(details.code, 'INVALID_SECOND_FACTOR');
  });

  test('count together with wrong passwords, and only a complete login clears the count', async () => {
    const user = await totpUser(kissi);
    const wrong = { email: user.email, password: WRONG_PASSWORD };
    for (let i = 0; i < 2; i++) assert.equal((await login(kissi, wrong)).status, 401);
    const asked = await challenge(kissi, user);
    for (let i = 0; i < 2; i++) await answer(kissi, { challenge: asked.challenge, code: wrongCode(user) });
    await challenge(kissi, user);
    assert.equal((await answer(kissi, { challenge: asked.challenge, code: user.nextCode() })).status, 200);
    for (let i = 0; i < 5; i++) assert.equal((await login(kissi, wrong)).status, 401);
    assertRefused(await login(kissi, user), 429, 'TOO_MANY_ATTEMPTS');
  });

  test('of 40 concurrent guesses at two gateways with many challenges, five are verified', async () => {
    const user = await totpUser(kissi);
    const second = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const asked: Json[] = [];
      for (let i = 0; i < 10; i++) asked.push(await challenge(kissi, user));
      const guesses = Array.from({ length: 40 }, (_, n) =>
        answer(n % 2 ? kissi : second, { challenge: asked[n % 10]?.challenge, code: wrongCode(user) }),
      );
      const counts: Record<string, number> = {};
      for (const { json } of await Promise.all(guesses)) counts[json.code] = (counts[json.code] ?? 0) + 1;
      assert.deepEqual(counts, { INVALID_SECOND_FACTOR: 5, TOO_MANY_ATTEMPTS: 35 });
      const live = asked[0]?.challenge;
      assertRefused(await answer(second, { challenge: live, code: user.nextCode() }), 429, 'TOO_MANY_ATTEMPTS');
    } finally {
      await second.close();
    }
  });

  test('a right password or a change of password does not clear them', async () => {
    const user = await totpUser(kissi);
    const { token } = await logInWithCode(kissi, user);
    const asked = await challenge(kissi, user);
    for (let i = 0; i < 4; i++) await answer(kissi, { challenge: asked.challenge, code: wrongCode(user) });
    assert.equal((await post(kissi, 'second-factor/recovery-codes', { password: PASSWORD }, token)).status, 200);
    await answer(kissi, { challenge: asked.challenge, code: wrongCode(user) });
    assertRefused(await login(kissi, user), 429, 'TOO_MANY_ATTEMPTS');
  });
});

describe('recovery codes', () => {
  test('each replaces the app once, in any notation; regenerating voids the others', async () => {
    const user = await totpUser(kissi);
    const [first = '', second = '', third = ''] = user.recoveryCodes;
    const enter = async (code: string) => answer(kissi, { challenge: (await challenge(kissi, user)).challenge, code });
    assert.equal((await enter(first)).status, 200);
    assertRefused(await enter(first), 401, 'INVALID_SECOND_FACTOR');
    const session = assertStatus(await enter(second.toUpperCase().replace('-', ' ')), 200);
    const { token } = session.json;
    assert.equal((await status(token)).recovery_codes_remaining, 8);
    const renewed = await post(kissi, 'second-factor/recovery-codes', { code: user.nextCode() }, token);
    assert.equal(renewed.json.recovery_codes.length, 10);
    assertRefused(await enter(third), 401, 'INVALID_SECOND_FACTOR');
    assert.equal((await enter(renewed.json.recovery_codes[0])).status, 200);
    const [entry] = await auditLogs(kissi, { actor_id: user.id, action: 'session.login' });
    assert.deepEqual(entry.details, { second_factor: 'recovery_code' });
  });

  test('one of four concurrent logins with one code succeeds', async () => {
    const user = await totpUser(kissi);
    const asked: Json[] = [];
    for (let i = 0; i < 4; i++) asked.push(await challenge(kissi, user));
    const code = user.recoveryCodes[0];
    const replies = await Promise.all(asked.map((each) => answer(kissi, { challenge: each.challenge, code })));
    assert.equal(replies.filter(({ status: got }) => got === 200).length, 1);
  });

  test('are stored as keyed hashes, and need a second factor', async () => {
    const user = await totpUser(kissi);
    const { rows } = await kissi.db.query('select c::text as row from recovery_codes c where user_id = $1', [user.id]);
    assert.equal(rows.length, 10);
    for (const code of user.recoveryCodes) assert.ok(rows.every(({ row }) => !row.includes(code)));
    const { token } = await openSession(kissi, await staffMember(kissi, 'support_user'));
    const reply = await post(kissi, 'second-factor/recovery-codes', { password: PASSWORD }, token);
    assertRefused(reply, 409, 'SECOND_FACTOR_NOT_ENROLLED');
  });
});

describe('removal', () => {
  test('needs the password or a fresh code; a token alone, a wrong password and a used code are refused', async () => {
    const user = await totpUser(kissi);
    const { token } = await logInWithCode(kissi, user);
    const used = codeAt(user.secret, kissi.clock.now());
    const remove = (body: Json) => post(kissi, 'second-factor/totp/remove', body, token);
    assertRefused(await remove({}), 400, 'INVALID_REQUEST');
    assertRefused(await remove({ password: WRONG_PASSWORD }), 401, 'UNAUTHORIZED');
    assertRefused(await remove({ code: used }), 401, 'INVALID_SECOND_FACTOR');
    assert.equal((await status(token)).enrolled, true);
    assert.equal((await remove({ code: user.nextCode() })).status, 200);
    assert.deepEqual(await status(token), {
      enrolled: false,
      required: false,
      totp_since: null,
      passkeys: [],
      recovery_codes_remaining: 0,
    });
    assertRefused(await remove({ password: PASSWORD }), 409, 'SECOND_FACTOR_NOT_ENROLLED');
    assert.equal((await login(kissi, user)).status, 200);
    assert.ok((await actionsOf(user.id)).includes('second_factor.totp_remove'));
  });

  test('wrong codes at removal count like wrong passwords', async () => {
    const user = await totpUser(kissi);
    const { token } = await logInWithCode(kissi, user);
    const remove = () => post(kissi, 'second-factor/totp/remove', { code: wrongCode(user) }, token);
    for (let i = 0; i < 5; i++) assertRefused(await remove(), 401, 'INVALID_SECOND_FACTOR');
    assertRefused(await remove(), 429, 'TOO_MANY_ATTEMPTS');
    assertRefused(await login(kissi, user), 429, 'TOO_MANY_ATTEMPTS');
    assert.equal((await status(token)).enrolled, true);
  });
});

describe('a lost device', () => {
  const reset = async (id: string, token: string) =>
    kissi.call('POST', `/api/v1/admin/users/${id}/reset-second-factor`, { token });

  test('another system_admin removes all factors; sessions and challenges end, and it is audited', async () => {
    const user = await totpUser(kissi);
    const { token, refresh_token } = await logInWithCode(kissi, user);
    const asked = await challenge(kissi, user);
    const admin = await kissi.adminToken();
    const record = async () => (await kissi.call('GET', `/api/v1/admin/users/${user.id}`, { token: admin })).json.user;
    const withFactor = async (has: boolean) => {
      const path = `/api/v1/admin/users?search=${encodeURIComponent(user.email)}&second_factor=${has}`;
      return (await kissi.call('GET', path, { token: admin })).json.users.map(({ id }: Json) => id);
    };
    assert.ok((await record()).second_factor_since !== null);
    assert.deepEqual([await withFactor(true), await withFactor(false)], [[user.id], []]);
    assertStatus(await reset(user.id, admin), 200);
    assert.equal((await record()).second_factor_since, null);
    assert.deepEqual([await withFactor(true), await withFactor(false)], [[], [user.id]]);
    assert.equal((await me(token)).status, 401);
    assert.equal((await post(kissi, 'refresh', { refresh_token })).status, 401);
    assertRefused(await answer(kissi, { challenge: asked.challenge, code: user.nextCode() }), 401, 'UNAUTHORIZED');
    const session = await openSession(kissi, user);
    assert.equal((await status(session.token)).enrolled, false);
    const [entry] = await auditLogs(kissi, { resource_id: user.id, action: 'user.reset_second_factor' });
    assert.equal(entry.actor_id, (await me(admin)).json.id);
    assert.deepEqual(entry.details, { totp: true, passkeys: 0 });
    assertRefused(await reset(user.id, admin), 409, 'SECOND_FACTOR_NOT_ENROLLED');
    assertRefused(await reset('usr_unknown', admin), 404, 'NOT_FOUND');
  });

  test('administrators cannot reset their own factor, and other roles cannot reset any', async () => {
    const user = await totpUser(kissi, 'system_admin');
    const { token } = await logInWithCode(kissi, user);
    assertRefused(await reset(user.id, token), 403, 'FORBIDDEN');
    const support = await openSession(kissi, await staffMember(kissi, 'support_user'));
    assertRefused(await reset(user.id, support.token), 403, 'FORBIDDEN');
    await logInWithCode(kissi, user);
  });
});

describe('REQUIRE_SECOND_FACTOR', () => {
  test('staff without a factor can only enrol one; agents are not affected', async () => {
    const strict = await testGateway({ env: { REQUIRE_SECOND_FACTOR: 'true' }, db: kissi.db, clock: kissi.clock });
    try {
      const staff = await staffMember(kissi, 'compliance_user');
      const session = await openSession(strict, staff);
      const users = (token: string) => strict.call('GET', '/api/v1/subscribers', { token });
      assertRefused(await users(session.token), 403, 'SECOND_FACTOR_ENROLMENT_REQUIRED');
      const refreshed = await post(strict, 'refresh', { refresh_token: session.refresh_token });
      assertRefused(await users(refreshed.json.token), 403, 'SECOND_FACTOR_ENROLMENT_REQUIRED');
      const view = await strict.call('GET', '/api/v1/admin/second-factor', { token: session.token });
      assert.deepEqual([view.status, view.json.required, view.json.enrolled], [200, true, false]);
      assert.equal((await strict.call('GET', '/api/v1/admin/me', { token: session.token })).status, 200);
      const user = await enrolTotp(strict, staff, session.token);
      const complete = await logInWithCode(strict, user);
      assert.equal((await users(complete.token)).status, 200);
      assertStatus(await post(strict, 'second-factor/totp/remove', { password: PASSWORD }, complete.token), 200);
      assertRefused(await users(complete.token), 403, 'SECOND_FACTOR_ENROLMENT_REQUIRED');
      const agent = await newAgent(kissi);
      const token = await agentToken(strict, agent);
      assert.equal((await strict.call('GET', `/api/v1/agents/${agent.id}/balance`, { token })).status, 200);
    } finally {
      await strict.close();
    }
  });
});
