// Customers' own sessions for tests: the code that was sent, a login on a device, and calls with its token.
import assert from 'node:assert/strict';
import { type ApiCalls, assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { PIN, type Wallet } from './money.ts';
import { messageTo } from './staff.ts';

export interface Phone extends ApiCalls {
  wallet: Wallet;
  deviceId: string;
  deviceToken: string;
  token: string;
  refreshToken: string;
}

export const post = (kissi: TestGateway, path: string, body: unknown, headers: Record<string, string> = {}) =>
  kissi.call('POST', `/api/v1${path}`, { body, headers });

/** Returns the challenge. */
export async function startLogin(kissi: TestGateway, phone_number: string): Promise<string> {
  return assertStatus(await post(kissi, '/me/login', { phone_number }), 202).json.challenge;
}

/** The code in the newest message to the phone. */
export async function loginCode(kissi: TestGateway, phone: string): Promise<string> {
  const message = await messageTo(kissi, phone);
  const code = /\b\d{6}\b/.exec(message?.text ?? '')?.[0];
  assert.ok(message?.kind === 'login_code' && code, JSON.stringify(message));
  return code;
}

/** A challenge and its code. */
export async function challenged(kissi: TestGateway, { phone }: Wallet): Promise<{ challenge: string; code: string }> {
  const challenge = await startLogin(kissi, phone);
  return { challenge, code: await loginCode(kissi, phone) };
}

/** Another code than this one. */
export const otherCode = (code: string) => (code === '000000' ? '000001' : '000000');

export function verify(kissi: TestGateway, answer: Json, headers: Record<string, string> = {}): Promise<CallReply> {
  return post(kissi, '/me/login/verify', { pin: PIN, device_name: 'Tecno Spark', ...answer }, headers);
}

export function deviceLogin(kissi: TestGateway, device_token: string, pin = PIN): Promise<CallReply> {
  return post(kissi, '/me/login/device', { device_token, pin });
}

/** Logs in on a new device. */
export async function newPhone(kissi: TestGateway, wallet: Wallet, extra: Json = {}): Promise<Phone> {
  const answer = await challenged(kissi, wallet);
  return phoneOf(kissi, wallet, assertStatus(await verify(kissi, { ...answer, ...extra }), 200).json);
}

/** Logs in again on the same device. */
export async function again(kissi: TestGateway, { wallet, deviceToken }: Phone, pin = PIN): Promise<Phone> {
  return phoneOf(kissi, wallet, assertStatus(await deviceLogin(kissi, deviceToken, pin), 200).json);
}

/** A device that is no longer new. The clock moves by a day. */
export async function knownPhone(kissi: TestGateway, wallet: Wallet): Promise<Phone> {
  const phone = await newPhone(kissi, wallet);
  kissi.clock.advance(24 * 60 * 60 * 1000);
  return again(kissi, phone);
}

function phoneOf(kissi: TestGateway, wallet: Wallet, login: Json): Phone {
  const { token } = login;
  const send = (method: string, path: string, body?: unknown) =>
    kissi.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
  return {
    ...{ wallet, token, deviceId: login.device.id, deviceToken: login.device_token, refreshToken: login.refresh_token },
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
  };
}
