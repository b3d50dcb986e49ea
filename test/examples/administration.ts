// The part of the scenario about users, logins, second factors, API keys, approvals and the audit log.
import assert from 'node:assert/strict';
import { Authenticator } from '../support/authenticator.ts';
import type { CallReply, Json } from '../support/gateway.ts';
import { codeAt, SITE, STEP_MS, totpUser } from '../support/second-factor.ts';
import { messageTo, runChore, staffMember } from '../support/staff.ts';
import type { People } from './customers.ts';
import type { Scene } from './scene.ts';

const PASSWORD = 'Freetown-Harbour-7';

export async function administration(scene: Scene, people: People): Promise<void> {
  const { send, refused } = scene;
  const mariama = await user(scene, {
    email: 'mariama.bangura@example.com',
    first_name: 'Mariama',
    last_name: 'Bangura',
  });
  const joseph = { email: 'joseph.kargbo@example.com', first_name: 'Joseph', last_name: 'Kargbo' };
  // Independent of the administrator, as with npm run admin:create.
  const { id } = await staffMember(scene.kissi, 'system_admin', { ...joseph, password: PASSWORD });
  const second = await opened(scene, { id, email: joseph.email });
  await sessions(scene, mariama);
  await pepAccess(scene);
  await secondFactors(scene);
  await consoleSession(scene, second);
  await apiKeys(scene, people);
  await approvals(scene, second);
  const view = { name: 'Card payments of today', screen: 'transactions', query: 'type=pos_payment', shared: true };
  const saved = await send('POST', '/admin/saved-views', view);
  await refused('SAVED_VIEW_EXISTS', 'POST', '/admin/saved-views', view);
  await send('GET', '/admin/saved-views?limit=2');
  await send('DELETE', `/admin/saved-views/${saved.view.id}`);
  await send('POST', '/admin/going-live/restore_practised/confirm', {
    note: 'Restored on the standby on 3 May by J. Koroma.',
  });
  await send('GET', '/admin/going-live');
  await send('POST', '/admin/going-live/restore_practised/withdraw');
  await send('GET', '/audit/logs?limit=2');
  await send('GET', '/audit/verify');
  await send('GET', '/admin/messages?limit=1');
  await send('GET', '/admin/partners?limit=2');
  await send('GET', `/admin/partners/${people.partner.id}`);
  await send('PUT', `/admin/partners/${people.partner.id}`, { max_amount: 60_000_000 });
  await send('POST', `/admin/partners/${people.partner.id}/rotate-webhook-secret`, {});
  const own = ['/health', '/health/ready', '/health/live', '/health/production', '/metrics'];
  for (const path of own) await send('GET', `/${path}`);
  await send('GET', '/status');
}

interface User {
  id: string;
  email: string;
  password: string;
  token: string;
  refreshToken: string;
}

async function user(scene: Scene, person: Json, role = 'system_admin'): Promise<User> {
  const { user_id: id } = await scene.send('POST', '/admin/users', { ...person, password: PASSWORD, role });
  return opened(scene, { id, email: person.email });
}

async function opened({ send }: Scene, { id, email }: { id: string; email: string }): Promise<User> {
  const body = { email, password: PASSWORD };
  const { token, refresh_token } = await send('POST', '/admin/login', body, { token: '' });
  return { id, ...body, token, refreshToken: refresh_token };
}

async function sessions({ kissi, send, refused }: Scene, mariama: User): Promise<void> {
  const { email, id, refreshToken } = mariama;
  await refused('UNAUTHORIZED', 'POST', '/admin/login', { email, password: 'wrong' }, { token: '' });
  const { refresh_token } = await send('POST', '/admin/refresh', { refresh_token: refreshToken }, { token: '' });
  await send('GET', '/admin/me', undefined, { token: mariama.token });
  await send('POST', '/admin/logout', { refresh_token }, { token: '' });
  await send('GET', '/admin/roles');
  await send('GET', '/admin/users?limit=2');
  await send('GET', `/admin/users/${id}`);
  await send('PUT', `/admin/users/${id}`, { phone_number: '+23276888777' });
  const change = { current_password: PASSWORD, new_password: 'Lumley-Beach-2026' };
  const { token } = await send('POST', '/admin/login', { email, password: PASSWORD }, { token: '' });
  await send('POST', '/admin/change-password', change, { token });
  const { challenge } = await send('POST', '/admin/forgot-password', { email }, { token: '' });
  const code = /\d{6}/.exec((await messageTo(kissi, '+23276888777')).text)?.[0];
  await send('POST', '/admin/recover-password', { challenge, code, new_password: 'Tokeh-Beach-2026' }, { token: '' });
  await send('POST', `/admin/users/${id}/reset-password`);
  await refused('FORBIDDEN', 'GET', '/admin/users', undefined, { token: (await auditor(send)).token });
}

const auditor = async (send: Scene['send']): Promise<Json> => {
  const person = { email: 'alhaji.kanu@example.com', first_name: 'Alhaji', last_name: 'Kanu', role: 'audit_user' };
  await send('POST', '/admin/users', { ...person, password: PASSWORD });
  return send('POST', '/admin/login', { email: person.email, password: PASSWORD }, { token: '' });
};

async function pepAccess(scene: Scene): Promise<void> {
  const { send, kissi } = scene;
  const phone_number = '+23288123123';
  const person = { email: 'kadiatu.sankoh@example.com', first_name: 'Kadiatu', last_name: 'Sankoh' };
  const kadiatu = await user(scene, { ...person, phone_number, pep_access_authorized: true }, 'compliance_user');
  await send('POST', '/admin/pep/otp', undefined, { token: kadiatu.token });
  const { text } = await messageTo(kissi, phone_number);
  await send('POST', '/admin/pep/verify', { code: /\b\d{6}\b/.exec(text)?.[0] }, { token: kadiatu.token });
}

async function secondFactors(scene: Scene): Promise<void> {
  const { send, refused, kissi } = scene;
  const own = '/admin/second-factor';
  const abu = await user(
    scene,
    { email: 'abu.mansaray@example.com', first_name: 'Abu', last_name: 'Mansaray' },
    'support_user',
  );
  const proof = { password: PASSWORD };
  const { secret } = await send('POST', `${own}/totp`, proof, { token: abu.token });
  const nextCode = () => {
    kissi.clock.advance(STEP_MS);
    return codeAt(secret, kissi.clock.now());
  };
  await send('POST', `${own}/totp/confirm`, { code: nextCode() }, { token: abu.token });
  const login = { email: abu.email, password: PASSWORD };
  await refused('SECOND_FACTOR_REQUIRED', 'POST', '/admin/login', login, { token: '' });
  const asked = await kissi.call('POST', '/api/v1/admin/login', { body: login });
  const answer = { challenge: asked.json.challenge, code: nextCode() };
  const { token } = await send('POST', '/admin/login/second-factor', answer, { token: '' });
  const as = { token };
  const { options } = await send('POST', `${own}/passkeys/options`, { code: nextCode() }, as);
  const credential = new Authenticator(SITE).create(options);
  const { passkey } = await send('POST', `${own}/passkeys`, { name: "Abu's phone", credential }, as);
  await send('GET', own, undefined, as);
  await send('POST', `${own}/recovery-codes`, { code: nextCode() }, as);
  await send('POST', `${own}/passkeys/${passkey.id}/remove`, { code: nextCode() }, as);
  await send('POST', `${own}/totp/remove`, { code: nextCode() }, as);
  await send('POST', `/admin/users/${(await totpUser(kissi)).id}/reset-second-factor`);
}

/** As a page of the service calls it. */
async function consoleSession({ kissi }: Scene, { email, password }: User): Promise<void> {
  const call = async (path: string, body?: object, cookie = ''): Promise<CallReply> => {
    const headers = { 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie } : {}) };
    const reply = await kissi.call('POST', `/console/session${path}`, { headers, ...(body ? { body } : {}) });
    assert.ok(reply.status < 300 || reply.json.challenge, `${path}: ${reply.text}`);
    return reply;
  };
  const [cookie = ''] = (await call('', { email, password })).headers.get('set-cookie')?.split(';') ?? [];
  await call('/refresh', undefined, cookie);
  await call('/logout', { everywhere: false }, cookie);
  const factor = await totpUser(kissi);
  const { json } = await call('', { email: factor.email, password: factor.password });
  await call('/second-factor', { challenge: json.challenge, code: factor.nextCode() });
}

async function apiKeys({ send, kissi }: Scene, { processor }: People): Promise<void> {
  const body = {
    name: 'Reports',
    scopes: ['payments:read', 'audit:read'],
    bearer: true,
    expires_at: '2027-01-01T00:00:00Z',
  };
  const { api_key } = await send('POST', '/admin/api-keys', body);
  await send('GET', '/admin/api-keys?limit=2');
  await send('GET', `/admin/api-keys/${api_key.id}`);
  await send('PUT', `/admin/api-keys/${api_key.id}`, { name: 'Reports, head office', scopes: ['payments:read'] });
  await send('POST', `/admin/api-keys/${api_key.id}/rotate?overlap_seconds=3600`);
  await send('DELETE', `/admin/api-keys/${api_key.id}`);
  await runChore(kissi, 'write recorded requests').catch(() => undefined);
  await send('GET', `/admin/api-keys/${processor.key.id}/requests?limit=2`);
}

async function approvals({ send }: Scene, joseph: User): Promise<void> {
  const route = '/admin/approvals';
  const as = { token: joseph.token };
  const policy = (threshold: number) => ({ action: 'partners.settle', enabled: false, threshold });
  await send('GET', '/admin/approval-policies');
  const request = async (threshold: number) =>
    (await send('PUT', '/admin/approval-policies', policy(threshold))).approval.id;
  await send('POST', `${route}/${await request(1_000_000)}/approve`, undefined, as);
  await send('POST', `${route}/${await request(2_000_000)}/reject`, { reason: 'Too high for one user' }, as);
  await send('POST', `${route}/${await request(3_000_000)}/withdraw`);
  const keys = (enabled: boolean) => send('PUT', '/admin/approval-policies', { action: 'api_keys.create', enabled });
  await send('POST', `${route}/${(await keys(true)).approval.id}/approve`, undefined, as);
  const { approval } = await send('POST', '/admin/api-keys', { name: 'Back office', scopes: ['balance:read'] });
  await send('POST', `${route}/${approval.id}/approve`, undefined, as);
  await send('POST', `${route}/${approval.id}/collect-secrets`);
  await send('POST', `${route}/${(await keys(false)).approval.id}/approve`, undefined, as);
  await send('GET', `${route}?limit=1`);
  await send('GET', `${route}/${approval.id}`);
}
