// A partner bank that sends signed inbound requests in tests, and queries for the stored results and webhooks.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../src/auth/roles.ts';
import type { CallReply, Json, TestGateway } from './gateway.ts';
import { inboundHeaders } from './partner.ts';
import { apiKey, type TestKey } from './staff.ts';

const PREFIX = '/api/v1/inbound';
const INBOUND_SCOPES: Scope[] = ['inbound:read', 'inbound:write'];

export interface InboundOptions {
  body?: unknown;
  /** Sent unchanged instead of `body` as JSON. */
  raw?: string;
  /** Not sent if empty. */
  idempotencyKey?: string;
  nonce?: string;
  timestamp?: string;
  headers?: Record<string, string>;
  key?: Pick<TestKey, 'id' | 'secret'>;
  /** Gateway that receives the request; by default the one the bank was created on. */
  gateway?: Pick<TestGateway, 'call' | 'clock'>;
}

export interface TestBank {
  partnerId: string;
  key: TestKey;
  send(method: string, path: string, options?: InboundOptions): Promise<CallReply>;
  enquire(body: unknown, options?: InboundOptions): Promise<CallReply>;
  credit(body: unknown, options?: InboundOptions): Promise<CallReply>;
  status(reference: string, options?: InboundOptions): Promise<CallReply>;
  updatePartner(changes: Record<string, unknown>): Promise<void>;
  outstanding(): Promise<number>;
}

export async function testBank(
  kissi: TestGateway,
  partnerFields: Record<string, unknown> = {},
  scopes: readonly Scope[] = INBOUND_SCOPES,
): Promise<TestBank> {
  const asAdmin = async (method: string, path: string, body?: object) => {
    const token = await kissi.adminToken();
    const reply = await kissi.call(method, `/api/v1/admin/partners${path}`, { token, ...(body ? { body } : {}) });
    assert.ok(reply.status < 300, reply.text);
    return reply.json.partner;
  };
  const { id: partnerId } = await asAdmin('POST', '', { name: 'Rokel Test Bank', ...partnerFields });
  const key = await apiKey(kissi, scopes, { partner_id: partnerId });

  function send(method: string, path: string, options: InboundOptions = {}): Promise<CallReply> {
    const { gateway = kissi, nonce = randomUUID(), idempotencyKey = '' } = options;
    const raw = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body));
    const at = options.timestamp ?? new Date(gateway.clock.now()).toISOString();
    const signed = { method, path, at, body: raw ?? '' };
    const headers = inboundHeaders(options.key ?? key, signed, { nonce, idempotencyKey });
    return gateway.call(method, path, {
      headers: { ...headers, ...options.headers },
      ...(raw === null ? {} : { raw }),
    });
  }

  return {
    partnerId,
    key,
    send,
    enquire: (body, options) => send('POST', `${PREFIX}/name-enquiry`, { body, ...options }),
    credit: (body, options) => send('POST', `${PREFIX}/credit`, { body, idempotencyKey: randomUUID(), ...options }),
    status: (reference, options) => send('GET', `${PREFIX}/transactions/${encodeURIComponent(reference)}`, options),
    updatePartner: async (changes) => void (await asAdmin('PUT', `/${partnerId}`, changes)),
    outstanding: async () => (await asAdmin('GET', `/${partnerId}`)).outstanding,
  };
}

let references = 0;
export const newReference = () => `REF-${++references}`;

/** Asserts the complete reply of a rejected credit, whose outcome is stored. */
export function assertRejected(reply: CallReply, code: string, reference: string): void {
  const status = code === 'BENEFICIARY_NOT_FOUND' ? 404 : 422;
  assert.deepEqual([reply.status, reply.json.code], [status, code], reply.text);
  const data = { reference, status: 'REJECTED', failure_code: code };
  assert.deepEqual(reply.json, { success: false, code, message: reply.json.message, data });
  assert.match(reply.json.message, /^\w.{10,}\.$/);
}

/** Bodies of the webhooks about a reference, sent or pending, in order. */
export async function webhookEvents(kissi: TestGateway, reference: string): Promise<Json[]> {
  const text = 'select body from webhook_deliveries where reference = $1 order by turn, id';
  const { rows } = await kissi.db.query(text, [reference]);
  return rows.map(({ body }) => JSON.parse(body));
}

export async function inboundRows(kissi: TestGateway, reference: string): Promise<Json[]> {
  const text = 'select * from inbound_transactions where reference = $1';
  return (await kissi.db.query(text, [reference])).rows;
}
