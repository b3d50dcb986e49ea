// Politically exposed persons for tests, and staff who may open access to them with the codes their phones are sent.
import assert from 'node:assert/strict';
import type { Role } from '../../src/auth/roles.ts';
import type { CallReply, TestGateway } from './gateway.ts';
import { loggedIn, messageTo, type Staff, staffMember } from './staff.ts';

export interface Authorized extends Staff {
  phone: string;
  token: string;
  refreshToken: string;
}

let phones = 0;

/** A user with a phone and pep_access_authorized, logged in. */
export async function authorized(
  kissi: TestGateway,
  role: Role,
  extra: Record<string, unknown> = {},
): Promise<Authorized> {
  const phone = `+23288${String(++phones).padStart(6, '0')}`;
  const staff = await staffMember(kissi, role, { phone_number: phone, pep_access_authorized: true, ...extra });
  const { token, refresh_token } = await loggedIn(kissi, staff);
  return { ...staff, phone, token, refreshToken: refresh_token };
}

export function askForCode(kissi: TestGateway, { token }: { token: string }): Promise<CallReply> {
  return kissi.call('POST', '/api/v1/admin/pep/otp', { token });
}

export function verify(kissi: TestGateway, { token }: { token: string }, code: unknown): Promise<CallReply> {
  return kissi.call('POST', '/api/v1/admin/pep/verify', { token, body: { code } });
}

/** The code that the phone was sent last. */
export async function codeSentTo(kissi: TestGateway, phone: string): Promise<string> {
  const { kind, text } = await messageTo(kissi, phone);
  const code = /\b\d{6}\b/.exec(text)?.[0];
  assert.ok(kind === 'pep_code' && code, text);
  return code;
}

/** A code other than that one. */
export function wrong(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0');
}

export async function newCode(kissi: TestGateway, user: Authorized): Promise<string> {
  const sent = await askForCode(kissi, user);
  assert.equal(sent.status, 200, sent.text);
  return codeSentTo(kissi, user.phone);
}

export async function openAccess(kissi: TestGateway, user: Authorized): Promise<void> {
  const opened = await verify(kissi, user, await newCode(kissi, user));
  assert.equal(opened.status, 200, opened.text);
}

/** As compliance would. */
export async function markPep(kissi: TestGateway, id: string): Promise<void> {
  const token = await kissi.adminToken();
  const reply = await kissi.call('PUT', `/api/v1/subscribers/${id}`, { token, body: { is_pep: true } });
  assert.equal(reply.status, 200, reply.text);
}
