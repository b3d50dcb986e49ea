// What requests are about: people, cards, agents, merchants and partners made through the API, and whoever may call.
import assert from 'node:assert/strict';
import type { CallOptions, Json, TestGateway } from '../support/gateway.ts';
import type { Keyring, SigningKey } from './credentials.ts';
import { Pools } from './pools.ts';
import { type Random, random } from './random.ts';
import { Secrets } from './secrets.ts';

/** A running service, wherever it runs. */
export interface Host {
  url: string;
  call: TestGateway['call'];
  /** Of the first administrator. */
  adminToken(): Promise<string>;
  now(): number;
  /** What the service is configured with. */
  configured: Configured;
}

export interface Configured {
  service: { name: string; secret: string };
  webhookSecret: string;
  appSecret: string;
  verifyToken: string;
}

export const CONFIGURED: Configured = {
  service: { name: 'ledger-ui', secret: 'hushed-service-secret-8f1c2a77' },
  webhookSecret: 'hushed-webhook-secret-5d20b1c94e',
  appSecret: 'hushed-app-secret-0c7be6f1d2a94b',
  verifyToken: 'hushed-verify-token-77aa01c3',
};

/** The environment of a service that such a world can be made in. */
export const ENVIRONMENT: Record<string, string> = {
  SERVICE_SECRETS: JSON.stringify({ [CONFIGURED.service.name]: CONFIGURED.service.secret }),
  PARTNER_CASHIN_WEBHOOK_SECRET: CONFIGURED.webhookSecret,
  MESSAGING_APP_SECRET: CONFIGURED.appSecret,
  MESSAGING_VERIFY_TOKEN: CONFIGURED.verifyToken,
  // Nobody listens there: events fail at once, and are tried again.
  WEBHOOK_ALLOW_PRIVATE: 'true',
};
const DEAF_ENDPOINT = 'http://127.0.0.1:9/hooks';

/** Above 5000, so that no year and no duration is taken for it. */
export const PIN = '7391';
export const PASSWORD = 'Hushed-Word-9z!';

export interface Holder {
  id: string;
  phone: string;
  accountNumber: string;
  card: string;
}

export interface Agent {
  id: string;
  pin: string;
  token: string;
}

export interface Shop {
  id: string;
  merchantId: string;
}

export interface World {
  host: Host;
  keyring: Keyring;
  secrets: Secrets;
  pools: Pools;
  /** Who must stay as they are, so that payments go on. */
  holders: Holder[];
  superAgents: (Agent & { sub: Agent })[];
  shops: Shop[];
  /** To be blocked, changed and ended as it comes. */
  spares: { holders: Holder[]; agents: Agent[]; shops: Shop[] };
  /** A user of its own for what ends sessions, renewed now and then. */
  changer: { token: string; password: string };
  visitor: { email: string; password: string };
  /** Who was sent the latest code for access to the politically exposed: a user gets only some of them. */
  keeper: { token: string };
  /** Puts right what went wrong with what must stay: fees, rules, tokens, balances. */
  tend(): Promise<void>;
}

const ORDINARY = [
  'payments:read',
  'payments:write',
  'balance:read',
  'subscribers:read',
  'subscribers:write',
  'cards:read',
  'cards:write',
];
const RICH = 20_000_000;
const POOR = 4;

export async function makeWorld(host: Host, seed: number): Promise<World> {
  const builder = new Builder(host, random(seed, -1));
  return builder.build();
}

class Builder {
  private readonly host: Host;
  private readonly random: Random;
  private readonly secrets = new Secrets();
  private readonly pools = new Pools();
  private admin = '';
  private count = 0;

  constructor(host: Host, chance: Random) {
    this.host = host;
    this.random = chance;
  }

  async build(): Promise<World> {
    this.admin = await this.host.adminToken();
    this.learnConfigured();
    const chief = await this.user('system_admin', { phone_number: '+23288990001', pep_access_authorized: true });
    const partnerId = (await this.post('/admin/partners', { name: 'Rokel', webhook_url: DEAF_ENDPOINT })).partner.id;
    const partner = {
      ...(await this.key(['payments:read', 'payments:write', 'inbound:read', 'inbound:write'], {
        partner_id: partnerId,
      })),
      partnerId,
    };
    const shops = await this.times(3, () => this.shop());
    const house = await this.key(ORDINARY);
    const terminal = await this.key(['payments:write', 'cards:read']);
    const merchants = await this.key(['payments:read', 'payments:write'], { processor_id: shops[0]?.id });
    const holders = await this.times(24, () => this.holder(partnerId));
    // Who has next to nothing, so that some payments are refused late, with all that is secret in them.
    holders.push(...(await this.times(POOR, () => this.holder(partnerId, 1))));
    const superAgents = await this.times(2, () => this.superAgent());
    const spares = {
      holders: await this.times(8, () => this.holder(partnerId)),
      agents: await this.times(3, () => this.agent({ agent_type: 'super_agent' })),
      shops: await this.times(3, () => this.shop()),
    };
    const staff = await this.times(
      2,
      async () => (await this.user(this.random.pick(['support_user', 'finance_user', 'compliance_user']))).token,
    );
    const visitor = await this.user('audit_user');
    // The chief first and often: most requests are to get as far as they can.
    const bearers = [...Array(12).fill(chief.token), ...Array(3).fill(house.key), merchants.key, ...staff];
    const { configured } = this.host;
    const world: World = {
      host: this.host,
      keyring: { bearers, terminal, partner, ...configured },
      secrets: this.secrets,
      pools: this.pools,
      holders,
      superAgents,
      shops,
      spares,
      visitor,
      changer: visitor,
      keeper: visitor,
      tend: () => this.tend(world, chief),
    };
    await world.tend();
    return world;
  }

  private learnConfigured(): void {
    const { service, webhookSecret, appSecret, verifyToken } = this.host.configured;
    for (const secret of [service.secret, webhookSecret, appSecret, verifyToken, PASSWORD]) this.secrets.add(secret);
    this.secrets.addDigits(PIN);
  }

  private async tend(world: World, chief: { email: string; password: string; token: string }): Promise<void> {
    this.admin = await this.host.adminToken();
    const { token } = await this.login(chief);
    world.keyring.bearers = world.keyring.bearers.map((bearer) => (bearer === chief.token ? token : bearer));
    chief.token = token;
    world.changer = await this.user('audit_user');
    await this.resetFees();
    await this.resetRules();
    await this.renewKeeper(world);
    await this.addPending();
    const { deliveries } = await this.get('/admin/webhook-deliveries?limit=20');
    for (const { id } of deliveries as Json[]) this.pools.put('delivery', id);
    for (const holder of world.holders.slice(0, -POOR))
      await this.call('POST', '/wallet/fund-from-partner', {
        partner_id: world.keyring.partner.partnerId,
        subscriber_id: holder.id,
        amount: 1_000_000,
      });
    for (const { id } of world.superAgents) await this.call('POST', `/agents/${id}/fund`, { amount: 1_000_000 });
  }

  private async resetFees(): Promise<void> {
    const { settings } = await this.get('/fee-settings');
    for (const { is_default, transaction_type, party_type } of settings as Json[]) {
      if (!is_default) await this.call('DELETE', `/fee-settings/${transaction_type}/${party_type}`);
    }
  }

  /** None that blocks stays in force, and there is room for new ones. */
  private async resetRules(): Promise<void> {
    const { json } = await this.call('GET', '/compliance/rules?limit=100');
    for (const { id, outcome, enabled } of (json?.rules ?? []) as Json[]) {
      if (enabled && (outcome === 'block' || json.total_count > 60))
        await this.call('PUT', `/compliance/rules/${id}`, { enabled: false });
    }
  }

  private async renewKeeper(world: World): Promise<void> {
    const phone = this.phone();
    world.keeper = await this.user('audit_user', { phone_number: phone, pep_access_authorized: true });
    const sent = await this.host.call('POST', '/api/v1/admin/pep/otp', { token: world.keeper.token });
    assert.equal(sent.status, 200, sent.text);
    const code = /\b\d{6}\b/.exec(await this.messageTo(phone))?.[0] ?? '';
    this.secrets.addDigits(code);
    this.pools.put('code', code);
  }

  /** Somebody to activate. */
  private async addPending(): Promise<void> {
    const names = { first_name: 'Sia', last_name: 'Koroma', status: 'PENDING' };
    const { subscriber } = await this.post('/subscribers', { phone_number: this.phone(), ...names, pin: PIN });
    this.pools.put('pending', subscriber.id);
  }

  private async times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
    const made: T[] = [];
    while (made.length < count) made.push(await make());
    return made;
  }

  private async user(role: string, extra: Record<string, unknown> = {}) {
    const email = `user${++this.count}.${this.random.text(8, 'abcdefgh')}@example.com`;
    const password = `${PASSWORD}${this.random.text(6, 'abcdefgh')}`;
    await this.post('/admin/users', { email, password, first_name: 'Test', last_name: 'Person', role, ...extra });
    this.secrets.add(password);
    const { token } = await this.login({ email, password });
    return { email, password, token };
  }

  private async login(body: { email: string; password: string }): Promise<{ token: string }> {
    const { email, password } = body;
    const reply = await this.host.call('POST', '/api/v1/admin/login', { body: { email, password } });
    assert.equal(reply.status, 200, reply.text);
    this.secrets.harvest(reply.json);
    return { token: reply.json.token };
  }

  private async key(scopes: string[], extra: Record<string, unknown> = {}): Promise<SigningKey> {
    const { api_key, key, secret } = await this.post('/admin/api-keys', { name: 'Hostile', scopes, ...extra });
    this.secrets.add(secret);
    return { id: api_key.id, key, secret };
  }

  private phone(): string {
    return `+23276${String(100_000 + ++this.count)}`;
  }

  private async holder(partnerId: string, amount = RICH): Promise<Holder> {
    const phone = this.phone();
    const names = { first_name: 'Aminata', last_name: 'Kamara' };
    const { subscriber } = await this.post('/subscribers', { phone_number: phone, ...names, pin: PIN });
    const card = `HOST-${String(this.count).padStart(6, '0')}`;
    await this.post('/cards/link', { card_serial: card, subscriber_id: subscriber.id });
    await this.post('/wallet/fund-from-partner', { partner_id: partnerId, subscriber_id: subscriber.id, amount });
    return { id: subscriber.id, phone, accountNumber: subscriber.account_number, card };
  }

  private async superAgent(): Promise<Agent & { sub: Agent }> {
    const agent = await this.agent({ agent_type: 'super_agent' });
    const sub = await this.agent({ agent_type: 'sub_agent', parent_agent_id: agent.id });
    await this.post(`/agents/${agent.id}/fund`, { amount: RICH });
    return { ...agent, sub };
  }

  private async agent(extra: Record<string, unknown>): Promise<Agent> {
    const phone = this.phone();
    const email = `agent${this.count}@example.com`;
    const names = { business_name: 'Kissy Road Traders', first_name: 'Ibrahim', last_name: 'Conteh' };
    const { agent_id: id } = await this.post('/agents', { ...names, phone_number: phone, email, ...extra });
    const text = await this.messageTo(phone);
    const password = /^Password: (\S+)$/m.exec(text)?.[1] ?? '';
    const pin = /^PIN: (\d{4})$/m.exec(text)?.[1] ?? '';
    this.secrets.add(password);
    if (Number(pin) > 5_000) this.secrets.addDigits(pin);
    return { id, pin, token: (await this.login({ email, password })).token };
  }

  private async shop(): Promise<Shop> {
    const contact = { contact_name: 'Fatu Sesay', phone_number: this.phone(), email: `shop${this.count}@example.com` };
    const { processor } = await this.post('/processors', { business_name: 'Lumley Beach Grill', ...contact });
    return { id: processor.id, merchantId: processor.merchant_id };
  }

  private async messageTo(phone: string): Promise<string> {
    const { messages } = await this.get('/admin/messages?limit=100');
    return (messages as Json[]).find(({ to }) => to === phone)?.text ?? '';
  }

  private call(method: string, path: string, body?: unknown) {
    const options: CallOptions = { token: this.admin, ...(body === undefined ? {} : { body }) };
    return this.host.call(method, `/api/v1${path}`, options);
  }

  private async post(path: string, body: unknown): Promise<Json> {
    const reply = await this.call('POST', path, body);
    assert.ok(reply.status < 300, `POST ${path}: ${reply.text}`);
    this.secrets.harvest(reply.json);
    return reply.json;
  }

  private async get(path: string): Promise<Json> {
    const reply = await this.call('GET', path);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  }
}
