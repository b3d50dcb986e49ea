// A partner bank that sends inbound credits for tests, and what is kept and told of them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../src/auth/roles.ts';
import type { CallReply, Json, TestGateway } from './gateway.ts';
import { inboundHeaders } from './partner.ts';
import { apiKey, type TestKey } from './staff.ts';

const PREFIX = '/api/v1/inbound';
const BOTH: Scope[] = ['inbound:read', 'inbound:write'];

export interface Sent {
  body?: unknown;
  /** The bytes of the body, instead of body as JSON. */
  raw?: string;
  /** Empty: none is sent. */
  idempotencyKey?: string;
  nonce?: string;
  timestamp?: string;
  headers?: Record<string, string>;
  key?: Pick<TestKey, 'id' | 'secret'>;
  /** Another gateway than the bank's own. */
  via?: Pick<TestGateway, 'call' | 'clock'>;
}

export interface TestBank {
  partnerId: string;
  key: TestKey;
  send(method: string, path: string, sent?: Sent): Promise<CallReply>;
  enquire(body: unknown, sent?: Sent): Promise<CallReply>;
  credit(body: unknown, sent?: Sent): Promise<CallReply>;
  status(reference: string, sent?: Sent): Promise<CallReply>;
  /** Changes the terms of the partner. */
  agree(terms: Record<string, unknown>): Promise<void>;
  outstanding(): Promise<number>;
}

export async function testBank(
  kissi: TestGateway,
  terms: Record<string, unknown> = {},
  scopes: readonly Scope[] = BOTH,
): Promise<TestBank> {
  const asAdmin = async (method: string, path: string, body?: object) => {
    const token = await kissi.adminToken();
    const reply = await kissi.call(method, `/api/v1/admin/partners${path}`, { token, ...(body ? { body } : {}) });
    assert.ok(reply.status < 300, reply.text);
    return reply.json.partner;
  };
  const { id: partnerId } = await asAdmin('POST', '', { name: 'Rokel Test Bank', ...terms });
  const key = await apiKey(kissi, scopes, { partner_id: partnerId });

  function send(method: string, path: string, sent: Sent = {}): Promise<CallReply> {
    const { via = kissi, nonce = randomUUID(), idempotencyKey = '' } = sent;
    const raw = sent.raw ?? (sent.body === undefined ? null : JSON.stringify(sent.body));
    const at = sent.timestamp ?? new Date(via.clock.now()).toISOString();
    const signed = { method, path, at, body: raw ?? '' };
    const headers = inboundHeaders(sent.key ?? key, signed, { nonce, idempotencyKey });
    return via.call(method, path, { headers: { ...headers, ...sent.headers }, ...(raw === null ? {} : { raw }) });
  }

  return {
    partnerId,
    key,
    send,
    enquire: (body, sent) => send('POST', `${PREFIX}/name-enquiry`, { body, ...sent }),
    credit: (body, sent) => send('POST', `${PREFIX}/credit`, { body, idempotencyKey: randomUUID(), ...sent }),
    status: (reference, sent) => send('GET', `${PREFIX}/transactions/${encodeURIComponent(reference)}`, sent),
    agree: async (change) => void (await asAdmin('PUT', `/${partnerId}`, change)),
    outstanding: async () => (await asAdmin('GET', `/${partnerId}`)).outstanding,
  };
}

let references = 0;
export const newReference = () => `REF-${++references}`;

/** The outcome of a refusal that is kept, in full. */
export function assertRejected(reply: CallReply, code: string, reference: string): void {
  const status = code === 'BENEFICIARY_NOT_FOUND' ? 404 : 422;
  assert.deepEqual([reply.status, reply.json.code], [status, code], reply.text);
  const data = { reference, status: 'REJECTED', failure_code: code };
  assert.deepEqual(reply.json, { success: false, code, message: reply.json.message, data });
  assert.match(reply.json.message, /^\w.{10,}\.$/);
}

/** What the partner is or will be told, in order. */
export async function events(kissi: TestGateway, reference: string): Promise<Json[]> {
  const text = 'select body from webhook_deliveries where reference = $1 order by turn, id';
  const { rows } = await kissi.db.database.pool.query(text, [reference]);
  return rows.map(({ body }) => JSON.parse(body));
}

export async function recorded(kissi: TestGateway, reference: string): Promise<Json[]> {
  const text = 'select * from inbound_transactions where reference = $1';
  return (await kissi.db.database.pool.query(text, [reference])).rows;
}
