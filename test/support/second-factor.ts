// Users with a second factor for tests: enrolled through the API with real codes and a software authenticator.
import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { Role } from '../../src/auth/roles.ts';
import { SECOND_MS } from '../../src/kernel/clock.ts';
import { Authenticator } from './authenticator.ts';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { login, openSession, PASSWORD, type Staff, staffMember } from './staff.ts';

export const SITE = { origin: 'https://console.kissi.test', rpId: 'kissi.test' };
export const SITE_ENV = { PUBLIC_ORIGIN: SITE.origin, WEBAUTHN_RP_ID: SITE.rpId };
export const STEP_MS = 30 * SECOND_MS;

export const post = (kissi: TestGateway, path: string, body: unknown, token?: string): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/admin/${path}`, { body, ...(token ? { token } : {}) });

export function codeAt(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: at,
  });
}

export interface TotpUser extends Staff {
  secret: string;
  recoveryCodes: string[];
  /** A code that was not used yet: moves the clock to the next time step. */
  nextCode(): string;
}

/** A user who has enrolled an authenticator app. All sessions ended with the enrolment. */
export async function totpUser(kissi: TestGateway, role: Role = 'support_user', extra: Json = {}): Promise<TotpUser> {
  const staff = await staffMember(kissi, role, extra);
  return enrolTotp(kissi, staff, (await openSession(kissi, staff)).token);
}

export async function enrolTotp(kissi: TestGateway, staff: Staff, token: string): Promise<TotpUser> {
  const begun = assertStatus(await post(kissi, 'second-factor/totp', { password: staff.password }, token), 200);
  const { secret } = begun.json;
  const code = codeAt(secret, kissi.clock.now());
  const confirmed = assertStatus(await post(kissi, 'second-factor/totp/confirm', { code }, token), 200);
  const nextCode = () => {
    kissi.clock.advance(STEP_MS);
    return codeAt(secret, kissi.clock.now());
  };
  return { ...staff, secret, recoveryCodes: confirmed.json.recovery_codes, nextCode };
}

/** The first step: asserts that the password leads to a challenge, and returns the reply. */
export async function challenge(kissi: TestGateway, user: { email: string; password: string }): Promise<Json> {
  const reply = await login(kissi, user);
  assert.deepEqual([reply.status, reply.json.code], [401, 'SECOND_FACTOR_REQUIRED'], reply.text);
  return reply.json;
}

export const answer = (kissi: TestGateway, body: Json) => post(kissi, 'login/second-factor', body);

/** Both steps; returns the token pair. */
export async function logInWithCode(kissi: TestGateway, user: TotpUser): Promise<Json> {
  const asked = await challenge(kissi, user);
  return assertStatus(await answer(kissi, { challenge: asked.challenge, code: user.nextCode() }), 200).json;
}

export interface PasskeyUser extends Staff {
  device: Authenticator;
  passkeyId: string;
  recoveryCodes: string[];
}

export async function passkeyUser(kissi: TestGateway, role: Role = 'support_user'): Promise<PasskeyUser> {
  const staff = await staffMember(kissi, role);
  const { token } = await openSession(kissi, staff);
  const device = new Authenticator(SITE);
  const reply = assertStatus(await addPasskey(kissi, token, device), 201);
  return { ...staff, device, passkeyId: reply.json.passkey.id, recoveryCodes: reply.json.recovery_codes };
}

export async function addPasskey(kissi: TestGateway, token: string, device: Authenticator): Promise<CallReply> {
  const { json } = await post(kissi, 'second-factor/passkeys/options', { password: PASSWORD }, token);
  return post(kissi, 'second-factor/passkeys', { name: 'A phone', credential: device.create(json.options) }, token);
}
