// Politically exposed persons (PEP) for tests, and staff who open access to them with one-time codes.
import assert from 'node:assert/strict';
import type { Role } from '../../src/auth/roles.ts';
import { assertStatus, type CallReply, type TestGateway } from './gateway.ts';
import { messageTo, openSession, type Staff, staffMember } from './staff.ts';

export interface AuthorizedStaff extends Staff {
  phone: string;
  token: string;
  refreshToken: string;
}

let phones = 0;

/** A logged-in user with a phone number and pep_access_authorized. */
export async function newAuthorizedStaff(
  kissi: TestGateway,
  role: Role,
  extra: Record<string, unknown> = {},
): Promise<AuthorizedStaff> {
  const phone = `+23288${String(++phones).padStart(6, '0')}`;
  const staff = await staffMember(kissi, role, { phone_number: phone, pep_access_authorized: true, ...extra });
  const { token, refresh_token } = await openSession(kissi, staff);
  return { ...staff, phone, token, refreshToken: refresh_token };
}

export function requestCode(kissi: TestGateway, { token }: { token: string }): Promise<CallReply> {
  return kissi.call('POST', '/api/v1/admin/pep/otp', { token });
}

export function verifyCode(kissi: TestGateway, { token }: { token: string }, code: unknown): Promise<CallReply> {
  return kissi.call('POST', '/api/v1/admin/pep/verify', { token, body: { code } });
}

/** The code in the newest message to the phone. */
export async function lastCodeSentTo(kissi: TestGateway, phone: string): Promise<string> {
  const { kind, text } = await messageTo(kissi, phone);
  const code = /\b\d{6}\b/.exec(text)?.[0];
  assert.ok(kind === 'pep_code' && code, text);
  return code;
}

/** A code that differs from the given one. */
export function wrongCode(code: string, offset = 1): string {
  return String((Number(code) + offset) % 1_000_000).padStart(6, '0');
}

export async function newCode(kissi: TestGateway, user: AuthorizedStaff): Promise<string> {
  assertStatus(await requestCode(kissi, user), 200);
  return lastCodeSentTo(kissi, user.phone);
}

export async function openAccess(kissi: TestGateway, user: AuthorizedStaff): Promise<void> {
  assertStatus(await verifyCode(kissi, user, await newCode(kissi, user)), 200);
}

/** Sets is_pep as an administrator. */
export async function markPep(kissi: TestGateway, id: string): Promise<void> {
  assertStatus(await kissi.asAdmin.put(`/subscribers/${id}`, { is_pep: true }), 200);
}
