// Values as a caller who knows the service would send them: by the field's name, and by its schema where the name says nothing.
import { createHash } from 'node:crypto';
import type { Schema } from '../support/openapi.ts';
import { sealedPin } from './credentials.ts';
import type { Target } from './operations.ts';
import type { Random } from './random.ts';
import { type Agent, type Holder, PASSWORD, PIN, type Shop, type World } from './world.ts';

/** Who a request is about: all of its fields speak of the same ones. */
export interface Cast {
  holder: Holder;
  other: Holder;
  spareHolder: Holder;
  agent: Agent & { sub: Agent };
  spareAgent: Agent;
  shop: Shop;
  otherShop: Shop;
  spareShop: Shop;
}

export interface Scene {
  world: World;
  target: Target;
  cast: Cast;
  random: Random;
}

export function castOf({ holders, superAgents, shops, spares }: World, random: Random): Cast {
  const at = random.int(0, holders.length - 1);
  const shopAt = random.int(0, shops.length - 1);
  const next = <T>(list: T[], index: number) => list[(index + 1) % list.length] as T;
  return {
    holder: holders[at] as Holder,
    other: next(holders, at),
    spareHolder: random.pick(spares.holders),
    agent: random.pick(superAgents),
    spareAgent: random.pick(spares.agents),
    shop: shops[shopAt] as Shop,
    otherShop: next(shops, shopAt),
    spareShop: random.pick(spares.shops),
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DAY_MS = 86_400_000;

const isNew = ({ target }: Scene) => /^POST .*\/(subscribers|agents|processors|users)$|^PUT /.test(target.name);
const freshPhone = ({ random }: Scene) => `+2327${random.int(1, 9)}${String(random.int(0, 999_999)).padStart(6, '0')}`;
const freshSerial = ({ random }: Scene) => `NEW-${random.text(10, 'ABCDEFGH23456789')}`;
const day = ({ world }: Scene, ago: number) => new Date(world.host.now() - ago * DAY_MS).toISOString().slice(0, 10);
const isLogin = ({ target }: Scene) => target.template.endsWith('/login');
const ofAgents = ({ target }: Scene) => target.template.includes('/agents/');

/** Mostly new, sometimes one that was used before, by the same request or by another. */
function again({ random }: Scene): string {
  return random.chance(0.15) ? `used-${random.int(1, 40)}` : random.uuid();
}

/** By name; undefined: leave the field out. */
const BY_NAME: Record<string, (scene: Scene) => unknown> = {
  email: (scene) => (isLogin(scene) ? scene.world.visitor.email : `${scene.random.text(12, LETTERS)}@example.com`),
  password: (scene) => (isLogin(scene) ? scene.world.visitor.password : `${PASSWORD}${scene.random.text(5, LETTERS)}`),
  current_password: ({ world }) => world.changer.password,
  new_password: ({ random }) => `${PASSWORD}${random.text(6, LETTERS)}`,
  refresh_token: ({ world, random }) => world.pools.pick('refresh_token', random) ?? random.text(43, LETTERS),
  code: ({ world }) => world.pools.take('code') ?? '000000',
  phone_number: (scene) => (isNew(scene) ? freshPhone(scene) : scene.cast.holder.phone),
  recipient_phone: ({ cast }) => cast.other.phone,
  msisdn: ({ cast }) => cast.holder.phone,
  phoneE164: ({ cast }) => cast.holder.phone,
  pin: (scene) => (ofAgents(scene) ? scene.cast.agent.pin : PIN),
  current_pin: (scene) => (ofAgents(scene) ? scene.cast.spareAgent.pin : PIN),
  new_pin: (scene) => (ofAgents(scene) ? scene.cast.spareAgent.pin : PIN),
  encrypted_pin: ({ world, cast, random }) =>
    sealedPin(world.keyring.terminal.secret, { pin: PIN, card_serial: cast.holder.card }, random),
  scopes: ({ random }) => [random.pick(['payments:read', 'payments:write', 'cards:read'])],
  expires_at: ({ world }) => new Date(world.host.now() + 30 * DAY_MS).toISOString(),
  partner_id: ({ world }) => world.keyring.partner.partnerId,
  processor_id: ({ cast }) => cast.shop.id,
  to_processor_id: ({ cast }) => cast.otherShop.id,
  merchant_id: (scene) => (isNew(scene) ? `M-${scene.random.text(10, LETTERS)}` : scene.cast.shop.merchantId),
  sender_id: ({ cast }) => cast.holder.id,
  subscriber_id: ({ cast }) => cast.holder.id,
  to_subscriber_id: ({ cast }) => cast.holder.id,
  recipient_id: ({ cast }) => cast.other.id,
  recipient_card_serial: ({ cast }) => cast.other.card,
  card_serial: (scene) => (scene.target.template.includes('/cards/') ? freshSerial(scene) : scene.cast.holder.card),
  parent_serial: ({ cast }) => cast.spareHolder.card,
  account_number: ({ cast }) => cast.holder.accountNumber,
  agent_id: ({ cast }) => cast.agent.id,
  parent_agent_id: ({ cast }) => cast.agent.id,
  from_agent_id: ({ cast }) => cast.agent.id,
  to_agent_id: ({ cast }) => cast.agent.sub.id,
  transaction_id: ({ world, random }) => world.pools.pick('payment', random),
  beneficiary_ref: () => undefined,
  cursor: () => undefined,
  partner_wallet_id: () => undefined,
  body_sha256: () => undefined,
  is_pep: ({ random }) => random.chance(0.2),
  amount: ({ random }) => random.pick([random.int(1, 900), String(random.int(1, 900))]),
  fee_value: ({ random }) => random.int(0, 4),
  threshold: ({ random }) => random.int(1_000_000, 9_000_000),
  min_amount: () => 1,
  max_amount: () => 1_000_000,
  outstanding_limit: () => 1_000_000_000,
  daily_limit: () => 5_000,
  request_id: again,
  reference: again,
  from: (scene) => (scene.target.template.includes('messaging') ? '23276000001' : day(scene, 2)),
  to: (scene) => day(scene, 0),
  date_of_birth: () => '1990-01-31',
  id_document_url: () => 'https://example.com/id.png',
  selfie_url: () => 'https://example.com/me.png',
  webhook_url: () => 'http://127.0.0.1:9/hooks',
  ip_allowlist: () => ['10.0.0.0/8', '2001:db8::/32'],
  currency: () => 'SLE',
  kyc_level: () => 1,
  limit: ({ random }) => random.int(0, 20),
  offset: ({ random }) => random.int(0, 5),
  metadata: ({ random }) => random.pick([null, 7, 'x', [1, { a: null }], { order: 'A-1', deep: { er: [true] } }]),
  'hub.mode': () => 'subscribe',
  'hub.verify_token': ({ world }) => world.host.configured.verifyToken,
  'hub.challenge': ({ random }) => String(random.int(1, 10 ** 9)),
  event: () => 'message',
  object: () => 'whatsapp_business_account',
  entry: (scene) => [{ id: '1', changes: [{ field: 'messages', value: whatsapp(scene) }] }],
  overlap_seconds: ({ random }) => random.int(0, 600),
};

function whatsapp({ cast, random }: Scene): unknown {
  const from = cast.holder.phone.slice(1);
  const message = {
    from,
    id: `wamid.${random.uuid()}`,
    timestamp: '1772366400',
    type: 'text',
    text: { body: 'Hello' },
  };
  return { messaging_product: 'whatsapp', metadata: { phone_number_id: '1' }, contacts: [], messages: [message] };
}

export function validValue(name: string, schema: Schema, scene: Scene): unknown {
  if (schema.not) return undefined;
  const named = BY_NAME[name];
  // A name that is an enumeration here is something else elsewhere.
  return named && !schema.enum ? named(scene) : bySchema(schema, scene);
}

function bySchema(schema: Schema, scene: Scene): unknown {
  const { random } = scene;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return bySchema(schema.anyOf[0] ?? {}, scene);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return random.int(schema.minimum ?? 1, Math.min(schema.maximum ?? 100, 100));
    case 'array':
      return [bySchema(schema.items ?? {}, scene)];
    case 'object':
      return Object.fromEntries(Object.keys(schema.properties ?? {}).map((key) => [key, 'A name']));
    default:
      return random.pick(['Aminata', 'A reason', 'Kissy Road 7']);
  }
}

/** By where the path goes; the first that fits. */
const BY_PATH: [RegExp, (scene: Scene) => string | undefined][] = [
  [/\/activate$/, ({ world, random }) => world.pools.pick('pending', random)],
  [/(^PUT .*subscribers|subscribers.*(block|unblock|change-pin)$)/, ({ cast }) => cast.spareHolder.id],
  [/subscribers|balance\/\{(subscriber|user)_id/, ({ cast }) => cast.holder.id],
  [/cards.*block$/, ({ cast, world, random }) => world.pools.pick('card', random) ?? cast.spareHolder.card],
  [/cards/, ({ cast }) => cast.holder.card],
  [/terminate$/, ({ world, random }) => world.pools.pick('agent', random)],
  [/agents.*(change-pin|suspend|reactivate)$/, ({ cast }) => cast.spareAgent.id],
  [/agents/, ({ cast }) => cast.agent.id],
  [/processors.*(suspend|reactivate)$/, ({ cast }) => cast.spareShop.id],
  [/processors/, ({ cast }) => cast.shop.id],
  [/users/, ({ world, random }) => world.pools.pick('user', random)],
  [/api-keys/, ({ world, random }) => world.pools.pick('api-key', random)],
  [/settle$/, ({ world }) => world.keyring.partner.partnerId],
  [/partners/, ({ world, random }) => world.pools.pick('partner', random)],
  [/reverse$/, ({ world, random }) => world.pools.pick('inbound', random)],
  [/\{reference\}/, ({ world, random }) => world.pools.pick('reference', random)],
  [/webhook-deliveries/, ({ world, random }) => world.pools.pick('delivery', random)],
  [/alerts/, ({ world, random }) => world.pools.pick('alert', random)],
  [/\/rules/, ({ world, random }) => world.pools.pick('rule', random)],
  [/kyc_level/, ({ random }) => String(random.int(1, 3))],
];

const TYPES = ['transfer_p2p', 'agent_cashin', 'pos_payment', 'vult_fund', 'wallet_withdraw'];
const PARTIES = ['sender', 'recipient', 'agent', 'processor'];

/** One value for each parameter of the path. */
export function pathValues(scene: Scene): string[] {
  const { name, template } = scene.target;
  if (template.includes('{party}')) return feeSetting(scene);
  const count = [...template.matchAll(/\{/g)].length;
  const found = BY_PATH.find(([where]) => where.test(name))?.[1](scene);
  return Array(count).fill(found ?? 'nobody_0');
}

/** One that has been set, or any. */
function feeSetting({ world, random }: Scene): string[] {
  const set = random.chance(0.8) ? world.pools.pick('fee', random) : undefined;
  return set?.split('/') ?? [random.pick(TYPES), random.pick(PARTIES)];
}

/** Whose PIN it is to change, and whose password: theirs alone. */
export function bearerFor({ target, world, cast, random }: Scene): string {
  if (/agents.*change-pin$/.test(target.template)) return cast.spareAgent.token;
  if (target.template.endsWith('/change-password')) return world.changer.token;
  if (target.template.endsWith('/pep/verify')) return world.keeper.token;
  const [chief = ''] = world.keyring.bearers;
  return target.template.endsWith('/pep/otp') ? chief : random.pick(world.keyring.bearers);
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
