// PIN resets for tests: the code that staff have sent to a phone, and the holder's use of it.
import assert from 'node:assert/strict';
import { assertStatus, type CallReply, type TestGateway } from './gateway.ts';
import { messageTo } from './staff.ts';

export type Family = 'subscribers' | 'agents';

export async function requestPinReset(
  kissi: TestGateway,
  family: Family,
  id: string,
  token?: string,
): Promise<CallReply> {
  const path = `/api/v1/${family}/${id}/reset-pin`;
  return kissi.call('POST', path, { token: token ?? (await kissi.adminToken()) });
}

/** The code in the newest message to the phone. */
export async function pinResetCode(kissi: TestGateway, phone: string): Promise<string> {
  const { kind, text } = await messageTo(kissi, phone);
  const code = /\b\d{6}\b/.exec(text)?.[0];
  assert.ok(kind === 'pin_reset_code' && code, text);
  return code;
}

export function resetPin(
  kissi: TestGateway,
  body: { phone_number: string; code: string; new_pin: string },
  headers: Record<string, string> = {},
): Promise<CallReply> {
  return kissi.call('POST', '/api/v1/public/pin-reset', { body, headers });
}

/** Both steps. */
export async function setNewPin(
  kissi: TestGateway,
  family: Family,
  { id, phone }: { id: string; phone: string },
  new_pin: string,
): Promise<CallReply> {
  assertStatus(await requestPinReset(kissi, family, id), 200);
  const reply = await resetPin(kissi, { phone_number: phone, code: await pinResetCode(kissi, phone), new_pin });
  assert.equal(reply.status, 200, reply.text);
  return reply;
}
