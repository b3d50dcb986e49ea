// Internal services and alerts for tests; requests are signed independently of the production code.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import type { CallReply, Json, TestGateway } from './gateway.ts';

export const SERVICES = { fraud: 'secret-of-the-fraud-service', ledger: 'secret-of-the-ledger-service' };
export const SERVICE_ENV = { SERVICE_SECRETS: JSON.stringify(SERVICES) };

export const ALERTS = '/api/v1/compliance/alerts';

export interface ServiceCall {
  name?: keyof typeof SERVICES;
  /** `body_sha256` in the query; by default the body's hash, null for none. */
  bodyHash?: string | null;
  method?: string;
  path?: string;
  /** Unix seconds; now by default. */
  seconds?: number;
  /** Signs this text instead of the canonical text of the request. */
  signedText?: string;
}

/** Returns the headers and target of a signed service request. */
export function serviceRequest(kissi: TestGateway, raw: string, call: ServiceCall = {}) {
  const { name = 'fraud', method = 'POST', path = ALERTS, seconds = Math.floor(kissi.clock.now() / 1_000) } = call;
  const hash = call.bodyHash === undefined ? createHash('sha256').update(raw).digest('hex') : call.bodyHash;
  const query = hash === null ? '' : `body_sha256=${hash}`;
  const signed = call.signedText ?? `${method}|${path}|${query}|${seconds}`;
  const headers = {
    'x-service-name': name,
    'x-service-timestamp': String(seconds),
    'x-service-signature': createHmac('sha256', SERVICES[name]).update(signed).digest('hex'),
  };
  return { headers, target: query === '' ? path : `${path}?${query}` };
}

export function serviceCall(kissi: TestGateway, body: unknown, call: ServiceCall = {}): Promise<CallReply> {
  const raw = JSON.stringify(body);
  const { headers, target } = serviceRequest(kissi, raw, call);
  return kissi.call(call.method ?? 'POST', target, { raw, headers });
}

export const alertBody = (extra: Record<string, unknown> = {}) => ({
  severity: 'HIGH',
  type: 'structuring',
  description: 'Deposits just below the threshold, one after another.',
  ...extra,
});

/** Creates an alert as an administrator. */
export async function raiseAlert(kissi: TestGateway, extra: Record<string, unknown> = {}): Promise<Json> {
  const reply = await kissi.call('POST', ALERTS, { body: alertBody(extra), token: await kissi.adminToken() });
  assert.equal(reply.status, 201, reply.text);
  return reply.json.alert;
}
