// A partner bank for tests: created by an administrator; signs its requests.
import * as signing from '@kissi/testkit/signing';
import type { Scope } from '../../src/auth/roles.ts';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { apiKey, type TestKey } from './staff.ts';

export const PARTNER_SCOPES: Scope[] = ['payments:read', 'payments:write', 'inbound:read', 'inbound:write'];

type Signer = Pick<TestKey, 'id' | 'secret'>;

/** The parts of a request that a signature covers. */
export interface Signed {
  method: string;
  /** Including the query string. */
  path: string;
  at: string;
  body: string;
}

export interface SendOptions {
  key?: Signer;
  /** Value of X-Partner-ID; by default the bank's own id. */
  partnerId?: string;
  /** Sent unchanged instead of `body` as JSON. */
  raw?: string;
  /** RFC 3339; now by default. */
  timestamp?: string;
  /** Added to the signature headers, or overriding them. */
  headers?: Record<string, string>;
  /** Another gateway on the same database. */
  gateway?: TestGateway;
}

export interface PartnerBank {
  id: string;
  key: TestKey;
  webhookSecret: string;
  /** Sends a signed request; the path is relative to /api/v1/partner. */
  send(path: string, body: unknown, options?: SendOptions): Promise<CallReply>;
  cashIn(body: Record<string, unknown>, options?: SendOptions): Promise<CallReply>;
  history(body?: Record<string, unknown>, options?: SendOptions): Promise<CallReply>;
  /** Updates the partner as an administrator. */
  updatePartner(changes: Record<string, unknown>): Promise<void>;
}

let references = 0;
export const newReference = () => `ref-${++references}`;

export async function partnerBank(
  kissi: TestGateway,
  { fields = {}, scopes = PARTNER_SCOPES }: { fields?: Record<string, unknown>; scopes?: readonly Scope[] } = {},
): Promise<PartnerBank> {
  const body = { name: 'Rokel Test Bank', ...fields };
  const created = assertStatus(await kissi.asAdmin.post('/admin/partners', body), 201);
  const partner: Json = created.json.partner;
  const key = await apiKey(kissi, scopes, { partner_id: partner.id });

  const send: PartnerBank['send'] = (path, content, options = {}) => {
    const { gateway = kissi, raw = JSON.stringify(content), headers = {} } = options;
    const target = `/api/v1/partner${path}`;
    const at = options.timestamp ?? new Date(kissi.clock.now()).toISOString();
    const signed = { method: 'POST', path: target, at, body: raw };
    const signatureHeaders = partnerHeaders(options.key ?? key, options.partnerId ?? partner.id, signed);
    return gateway.call('POST', target, { raw, headers: { ...signatureHeaders, ...headers } });
  };

  return {
    id: partner.id,
    key,
    webhookSecret: created.json.webhook_secret,
    send,
    cashIn: (content, options) => send('/cashin', { reference: newReference(), amount: 1_000, ...content }, options),
    history: (content = {}, options) => send('/transaction-history', content, options),
    async updatePartner(changes) {
      const path = `/api/v1/admin/partners/${partner.id}`;
      assertStatus(await kissi.call('PUT', path, { body: changes, token: await kissi.adminToken() }), 200);
    },
  };
}

export function partnerHeaders(key: Signer, partnerId: string, { method, path, at, body }: Signed) {
  return signing.partnerHeaders(key, partnerId, { method, target: path, timestamp: at, body });
}

export function inboundHeaders(
  key: Signer,
  { method, path, at, body }: Signed,
  options: { nonce?: string; idempotencyKey?: string } = {},
): Record<string, string> {
  return signing.inboundHeaders(key, { method, target: path, timestamp: at, body }, options);
}

export const webhookHeaders = signing.cashInHeaders;
