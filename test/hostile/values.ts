// Valid values for request fields: by the field's name, else by its schema.
import { createHash } from 'node:crypto';
import type { Random } from '@kissi/testkit/random';
import type { Schema } from '../support/openapi.ts';
import { encryptPin } from './credentials.ts';
import { BANK_ACCOUNT, PASSWORD, PIN } from './fixtures.ts';
import type { Target } from './operations.ts';
import type { Agent, Fixtures, Holder, Merchant } from './world.ts';

/** The parties of one request; all of its fields refer to them. */
export interface RequestParties {
  holder: Holder;
  other: Holder;
  spareHolder: Holder;
  agent: Agent & { sub: Agent };
  spareAgent: Agent;
  merchant: Merchant;
  otherMerchant: Merchant;
  spareMerchant: Merchant;
}

export interface ValueContext {
  fixtures: Fixtures;
  target: Target;
  parties: RequestParties;
  random: Random;
}

export function pickParties({ holders, superAgents, merchants, spares }: Fixtures, random: Random): RequestParties {
  const at = random.int(0, holders.length - 1);
  const merchantAt = random.int(0, merchants.length - 1);
  const next = <T>(list: T[], index: number) => list[(index + 1) % list.length] as T;
  return {
    holder: holders[at] as Holder,
    other: next(holders, at),
    spareHolder: random.pick(spares.holders),
    agent: random.pick(superAgents),
    spareAgent: random.pick(spares.agents),
    merchant: merchants[merchantAt] as Merchant,
    otherMerchant: next(merchants, merchantAt),
    spareMerchant: random.pick(spares.merchants),
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DAY_MS = 86_400_000;

const isNew = ({ target }: ValueContext) => /^POST .*\/(subscribers|agents|processors|users)$|^PUT /.test(target.name);
const freshPhone = ({ random }: ValueContext) =>
  `+2327${random.int(1, 9)}${String(random.int(0, 999_999)).padStart(6, '0')}`;
const freshSerial = ({ random }: ValueContext) => `NEW-${random.text(10, 'ABCDEFGH23456789')}`;
const day = ({ fixtures }: ValueContext, ago: number) =>
  new Date(fixtures.host.now() - ago * DAY_MS).toISOString().slice(0, 10);
const isLogin = ({ target }: ValueContext) => /\/(login|console\/session)$/.test(target.template);
const ofAgents = ({ target }: ValueContext) => target.template.includes('/agents/');

/** A request id or reference: mostly new, sometimes one that another request used. */
function requestId({ random }: ValueContext): string {
  return random.chance(0.15) ? `used-${random.int(1, 40)}` : random.uuid();
}

/** Values by field name; undefined omits the field. */
const BY_NAME: Record<string, (context: ValueContext) => unknown> = {
  email: (context) =>
    isLogin(context) ? context.fixtures.loginUser.email : `${context.random.text(12, LETTERS)}@example.com`,
  password: (context) =>
    isLogin(context) ? context.fixtures.loginUser.password : `${PASSWORD}${context.random.text(5, LETTERS)}`,
  current_password: ({ fixtures }) => fixtures.passwordUser.password,
  new_password: ({ random }) => `${PASSWORD}${random.text(6, LETTERS)}`,
  refresh_token: ({ fixtures, random }) => fixtures.pools.pick('refresh_token', random) ?? random.text(43, LETTERS),
  code: ({ fixtures }) => fixtures.pools.take('code') ?? '000000',
  phone_number: (context) => (isNew(context) ? freshPhone(context) : context.parties.holder.phone),
  recipient_phone: ({ parties }) => parties.other.phone,
  msisdn: ({ parties }) => parties.holder.phone,
  phoneE164: ({ parties }) => parties.holder.phone,
  pin: (context) => (ofAgents(context) ? context.parties.agent.pin : PIN),
  current_pin: (context) => (ofAgents(context) ? context.parties.spareAgent.pin : PIN),
  new_pin: (context) => (ofAgents(context) ? context.parties.spareAgent.pin : PIN),
  encrypted_pin: ({ fixtures, parties, random }) =>
    encryptPin(fixtures.keyring.terminal.secret, { pin: PIN, card_serial: parties.holder.card }, random),
  scopes: ({ target, random }) => {
    const own = ['payments:read', 'payments:write'];
    return [random.pick(target.template.includes('/processors/') ? own : [...own, 'cards:read'])];
  },
  activate_at: ({ fixtures, random }) => new Date(fixtures.host.now() + random.int(1, 600) * 1_000).toISOString(),
  expires_at: ({ fixtures }) => new Date(fixtures.host.now() + 30 * DAY_MS).toISOString(),
  partner_id: ({ fixtures, random }) => random.pick(fixtures.partnerIds),
  processor_id: ({ parties }) => parties.merchant.id,
  to_processor_id: ({ parties }) => parties.otherMerchant.id,
  merchant_id: (context) =>
    isNew(context) ? `M-${context.random.text(10, LETTERS)}` : context.parties.merchant.merchantId,
  sender_id: ({ parties }) => parties.holder.id,
  subscriber_id: ({ parties }) => parties.holder.id,
  to_subscriber_id: ({ parties }) => parties.holder.id,
  recipient_id: ({ parties }) => parties.other.id,
  recipient_card_serial: ({ parties }) => parties.other.card,
  card_serial: (context) =>
    context.target.template.includes('/cards/') ? freshSerial(context) : context.parties.holder.card,
  parent_serial: ({ parties }) => parties.spareHolder.card,
  account_number: ({ target, parties, random }) =>
    target.template.includes('/bank-accounts') ? `SL${random.int(10_000, 99_999)}` : parties.holder.accountNumber,
  agent_id: ({ parties }) => parties.agent.id,
  parent_agent_id: ({ parties }) => parties.agent.id,
  from_agent_id: ({ parties }) => parties.agent.id,
  to_agent_id: ({ parties }) => parties.agent.sub.id,
  transaction_id: ({ fixtures, random }) => fixtures.pools.pick('payment', random),
  capture: ({ random }) => random.chance(0.9),
  bank_account: () => BANK_ACCOUNT,
  beneficiary_ref: () => undefined,
  // A partner is named instead.
  refund: () => undefined,
  cursor: () => undefined,
  partner_wallet_id: () => undefined,
  body_sha256: () => undefined,
  is_pep: ({ random }) => random.chance(0.2),
  amount: ({ random }) => random.pick([random.int(1, 900), String(random.int(1, 900))]),
  fee_value: ({ random }) => random.int(0, 4),
  settings: ({ random }) => [
    { transaction_type: random.pick(TYPES), party_type: 'sender', fee_type: 'percentage', fee_value: random.int(0, 4) },
  ],
  threshold: ({ random }) => random.int(1_000_000, 9_000_000),
  min_amount: () => 1,
  max_amount: () => 1_000_000,
  outstanding_limit: () => 1_000_000_000,
  daily_limit: () => 5_000,
  request_id: requestId,
  reference: requestId,
  from: (context) => (context.target.template.includes('messaging') ? '23276000001' : day(context, 2)),
  to: (context) => day(context, 0),
  date_of_birth: () => '1990-01-31',
  id_document_url: () => 'https://example.com/id.png',
  selfie_url: () => 'https://example.com/me.png',
  webhook_url: () => 'http://127.0.0.1:9/hooks',
  url: () => 'http://127.0.0.1:9/hooks',
  ip_allowlist: () => ['10.0.0.0/8', '2001:db8::/32'],
  currency: () => 'SLE',
  kyc_level: () => 1,
  q: ({ parties, random }) => random.pick([parties.holder.phone, parties.holder.card, parties.holder.id, 'kam']),
  limit: ({ random }) => random.int(0, 20),
  offset: ({ random }) => random.int(0, 5),
  metadata: ({ random }) => random.pick([null, 7, 'x', [1, { a: null }], { order: 'A-1', deep: { er: [true] } }]),
  'hub.mode': () => 'subscribe',
  'hub.verify_token': ({ fixtures }) => fixtures.host.configured.verifyToken,
  'hub.challenge': ({ random }) => String(random.int(1, 10 ** 9)),
  event: () => 'message',
  object: () => 'whatsapp_business_account',
  entry: (context) => [{ id: '1', changes: [{ field: 'messages', value: whatsapp(context) }] }],
  screen: ({ random }) => random.text(8, LETTERS),
  query: ({ random }) => `limit=${random.int(1, 100)}`,
  sessionId: ({ random }) => `ussd-${random.int(1, 20)}`,
  session_id: ({ random }) => `ussd-${random.int(1, 20)}`,
  phoneNumber: ({ parties }) => parties.holder.phone,
  serviceCode: () => '*715#',
  service_code: () => '*715#',
  sequence: ({ random }) => random.int(0, 8),
  input: ({ random }) => random.pick(['1', '2', '4', '5', '50', '1234', '0*0123456789']),
  overlap_seconds: ({ random }) => random.int(0, 600),
};

function whatsapp({ parties, random }: ValueContext): unknown {
  const from = parties.holder.phone.slice(1);
  const message = {
    from,
    id: `wamid.${random.uuid()}`,
    timestamp: '1772366400',
    type: 'text',
    text: { body: 'Hello' },
  };
  return { messaging_product: 'whatsapp', metadata: { phone_number_id: '1' }, contacts: [], messages: [message] };
}

export function validValue(name: string, schema: Schema, context: ValueContext): unknown {
  if (schema.not) return undefined;
  const named = BY_NAME[name];
  // A field with an enumeration differs from the field of the same name elsewhere.
  return named && !schema.enum ? named(context) : bySchema(schema, context);
}

function bySchema(schema: Schema, context: ValueContext): unknown {
  const { random } = context;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return bySchema(schema.anyOf[0] ?? {}, context);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return random.int(schema.minimum ?? 1, Math.min(schema.maximum ?? 100, 100));
    case 'array':
      return [bySchema(schema.items ?? {}, context)];
    case 'object':
      return Object.fromEntries(Object.keys(schema.properties ?? {}).map((key) => [key, 'A name']));
    default:
      return random.pick(['Aminata', 'A reason', 'Kissy Road 7']);
  }
}

/** Path parameters by operation; the first match applies. */
const BY_PATH: [RegExp, (context: ValueContext) => string | undefined][] = [
  [/\/ussd\//, ({ fixtures }) => fixtures.host.configured.ussdSecret],
  [/\/r\/\{token\}/, ({ fixtures, random }) => fixtures.pools.pick('receipt_link', random)],
  [/\/activate$/, ({ fixtures, random }) => fixtures.pools.pick('pending', random)],
  [
    /(^PUT .*subscribers|subscribers.*(block|unblock|enable-types|change-pin|reset-pin)$)/,
    ({ parties }) => parties.spareHolder.id,
  ],
  [/subscribers|balance\/\{(subscriber|user)_id/, ({ parties }) => parties.holder.id],
  [
    /cards.*(block|unlink)$|^PUT .*cards/,
    ({ parties, fixtures, random }) => fixtures.pools.pick('card', random) ?? parties.spareHolder.card,
  ],
  [/cards/, ({ parties }) => parties.holder.card],
  [/terminate$/, ({ fixtures, random }) => fixtures.pools.pick('agent', random)],
  [/^PUT .*agents|agents.*(change-pin|reset-pin|suspend|reactivate)$/, ({ parties }) => parties.spareAgent.id],
  [/agents/, ({ parties }) => parties.agent.id],
  [/^PUT .*processors|processors.*(suspend|reactivate)$/, ({ parties }) => parties.spareMerchant.id],
  [/processors/, ({ parties }) => parties.merchant.id],
  [/users/, ({ fixtures, random }) => fixtures.pools.pick('user', random)],
  [/api-keys/, ({ fixtures, random }) => fixtures.pools.pick('api_key', random)],
  [/settle$/, ({ fixtures }) => fixtures.keyring.partner.partnerId],
  [/partners/, ({ fixtures, random }) => fixtures.pools.pick('partner', random)],
  [/\/inbound\/\{inbound_id\}/, ({ fixtures, random }) => fixtures.pools.pick('inbound', random)],
  [/\{reference\}/, ({ fixtures, random }) => fixtures.pools.pick('reference', random)],
  [/\/holds/, ({ fixtures, random }) => fixtures.pools.pick('authorization', random)],
  [/\/transactions\/\{id\}/, ({ fixtures, random }) => fixtures.pools.pick('payment', random)],
  [/suspense/, ({ fixtures, random }) => fixtures.pools.pick('suspense', random)],
  [/trust-accounts/, ({ fixtures, random }) => fixtures.pools.pick('trust_account', random)],
  [/\/cases\//, ({ fixtures: { pools }, random }) => random.pick([pools.latest('case'), pools.pick('case', random)])],
  [/going-live/, ({ random }) => random.pick(['restore_practised', 'anchors_kept', 'terms_reviewed'])],
  [/saved-views/, ({ fixtures, random }) => fixtures.pools.pick('view', random)],
  [/bulk-payments/, ({ fixtures, random }) => fixtures.pools.pick('bulk_payment', random)],
  [/bulk-payment-limits/, ({ parties }) => parties.merchant.id],
  // No other request can succeed with an endpoint that was deleted.
  [/^DELETE .*webhook-endpoints/, ({ fixtures }) => fixtures.pools.take('webhook_endpoint')],
  [/webhook-endpoints/, ({ fixtures, random }) => fixtures.pools.pick('webhook_endpoint', random)],
  [/webhook-deliveries/, ({ fixtures, random }) => fixtures.pools.pick('delivery', random)],
  // A closed alert cannot be reviewed again.
  [/alerts/, ({ fixtures: { pools }, random }) => random.pick([pools.latest('alert'), pools.pick('alert', random)])],
  [/compliance\/network/, ({ parties }) => parties.holder.id],
  [/\/rules/, ({ fixtures, random }) => fixtures.pools.pick('rule', random)],
  [/kyc_level/, ({ random }) => String(random.int(1, 3))],
];

const TYPES = ['transfer_p2p', 'agent_cashin', 'pos_payment', 'vult_fund', 'wallet_withdraw'];
const PARTIES = ['sender', 'recipient', 'agent', 'processor'];

/** Returns one value for each parameter of the path. */
export function pathValues(context: ValueContext): string[] {
  const { name, template } = context.target;
  const prepared = context.fixtures.prepared.get(name)?.pathValue;
  if (prepared !== undefined) return [prepared].flat();
  if (template.includes('{party}')) return feeSetting(context);
  if (template.includes('{statement_id}')) return bankStatement(context);
  if (template.includes('/payouts/{transaction_id}')) return payout(context);
  if (template.includes('{account_id}')) return ofMerchant(context, 'bank_account');
  if (template.includes('{key_id}')) return ofMerchant(context, 'own_key');
  const count = [...template.matchAll(/\{/g)].length;
  const found = BY_PATH.find(([where]) => where.test(name))?.[1](context);
  return Array(count).fill(found ?? 'unknown_0');
}

function bankStatement({ fixtures, random }: ValueContext): string[] {
  return fixtures.pools.pick('bank_statement', random)?.split('/') ?? ['unknown_0', 'unknown_0'];
}

function payout({ fixtures, random }: ValueContext): string[] {
  return fixtures.pools.pick('payout', random)?.split('/') ?? ['unknown_0', 'unknown_0'];
}

/** The merchant of the request, and something of its own. */
function ofMerchant({ fixtures, parties, random }: ValueContext, pool: string): string[] {
  const { id } = parties.merchant;
  return [id, fixtures.pools.pick(`${pool}/${id}`, random) ?? 'unknown_0'];
}

/** An existing fee setting, or any. */
function feeSetting({ fixtures, random }: ValueContext): string[] {
  const set = random.chance(0.8) ? fixtures.pools.pick('fee', random) : undefined;
  return set?.split('/') ?? [random.pick(TYPES), random.pick(PARTIES)];
}

/** The bearer value for the request; changes of a PIN or password need their owner's token. */
export function bearerFor({ target, fixtures, parties, random }: ValueContext): string {
  const prepared = fixtures.prepared.get(target.name)?.bearer;
  if (prepared !== undefined) return prepared;
  // The console's cookie holds a refresh token.
  if (target.scheme === 'same-origin') return fixtures.pools.pick('refresh_token', random) ?? '';
  if (/^(POST|DELETE) .*processors.*\/keys/.test(target.name)) return parties.merchant.token;
  if (/^\/api\/v1\/me\b/.test(target.template)) return fixtures.customerToken;
  if (target.template.endsWith('/admin/notifications')) return parties.agent.token;
  if (/agents.*change-pin$/.test(target.template)) return parties.spareAgent.token;
  if (target.template.endsWith('/change-password')) return fixtures.passwordUser.token;
  if (target.template.endsWith('/pep/verify')) return fixtures.pepUser.token;
  const [adminToken = ''] = fixtures.keyring.bearers;
  return target.template.endsWith('/pep/otp') ? adminToken : random.pick(fixtures.keyring.bearers);
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
