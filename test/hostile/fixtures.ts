// Fixtures of the hostile tests, created through the API: subscribers, cards, agents, merchants, partners and credentials.
import assert from 'node:assert/strict';
import { type Random, seededRandom } from '@kissi/testkit/random';
import type { CallOptions, Json } from '../support/gateway.ts';
import { SITE_ENV } from '../support/second-factor.ts';
import { prepareApprovals } from './approvals.ts';
import { prepareCloses } from './closes.ts';
import type { SigningKey } from './credentials.ts';
import { prepareLab } from './lab.ts';
import { FOREIGN, OWNED_SCOPES } from './owned-keys.ts';
import { Pools } from './pools.ts';
import { prepareReconciliation } from './reconciliation.ts';
import { prepareSecondFactors } from './second-factors.ts';
import { Secrets } from './secrets.ts';
import type { Agent, ConfiguredSecrets, Fixtures, Holder, Host, Merchant, OwnedKey, PreparedRequest } from './world.ts';

export const CONFIGURED: ConfiguredSecrets = {
  service: { name: 'ledger-ui', secret: 'hostile-service-secret-8f1c2a77' },
  webhookSecret: 'hostile-webhook-secret-5d20b1c94e',
  appSecret: 'hostile-app-secret-0c7be6f1d2a94b',
  verifyToken: 'hostile-verify-token-77aa01c3',
};

/** The environment variables that the service needs for the fixtures. */
export const ENVIRONMENT: Record<string, string> = {
  SERVICE_SECRETS: JSON.stringify({ [CONFIGURED.service.name]: CONFIGURED.service.secret }),
  PARTNER_CASHIN_WEBHOOK_SECRET: CONFIGURED.webhookSecret,
  MESSAGING_APP_SECRET: CONFIGURED.appSecret,
  MESSAGING_VERIFY_TOKEN: CONFIGURED.verifyToken,
  // Allows the closed local port of the webhook endpoint: deliveries fail at once and are retried.
  WEBHOOK_ALLOW_PRIVATE: 'true',
  PHONE_VERIFICATION: 'required',
  // None of its amounts is sent.
  LAB: 'on',
  ...SITE_ENV,
};
const CLOSED_ENDPOINT = 'http://127.0.0.1:9/hooks';

/** Of every merchant. */
export const BANK_ACCOUNT = 'SL00420042';
/** Replies are searched for secrets. Above 5000, so that a year or a duration does not match. */
export const PIN = '7391';
export const PASSWORD = 'Hostile-Word-9z!';

const ORDINARY_SCOPES = [
  'payments:read',
  'payments:write',
  'balance:read',
  'subscribers:read',
  'subscribers:write',
  'cards:read',
  'cards:write',
];
const HIGH_BALANCE = 20_000_000;
const LOW_BALANCE_HOLDERS = 4;

export async function createFixtures(host: Host, seed: number): Promise<Fixtures> {
  const builder = new Builder(host, seededRandom(`${seed} fixtures`));
  return builder.build();
}

class Builder {
  private readonly host: Host;
  private readonly random: Random;
  private readonly secrets = new Secrets();
  private readonly pools = new Pools();
  private admin = '';
  private count = 0;
  private registered: { id: string } | null = null;

  constructor(host: Host, source: Random) {
    this.host = host;
    this.random = source;
  }

  async build(): Promise<Fixtures> {
    this.admin = await this.host.adminToken();
    this.addConfiguredSecrets();
    const mainAdmin = await this.user('system_admin', { phone_number: '+23288990001', pep_access_authorized: true });
    const partnerId = (await this.post('/admin/partners', { name: 'Rokel', webhook_url: CLOSED_ENDPOINT })).partner.id;
    const partner = {
      ...(await this.key(['payments:read', 'payments:write', 'inbound:read', 'inbound:write'], {
        partner_id: partnerId,
      })),
      partnerId,
    };
    const otherPartner = (await this.post('/admin/partners', { name: FOREIGN.partnerName })).partner.id;
    const merchants = [await this.merchant(), ...(await this.times(2, () => this.merchant(FOREIGN.merchantName)))];
    const ordinaryKey = await this.key(ORDINARY_SCOPES);
    const terminal = await this.key(['payments:write', 'cards:read']);
    const ownedKeys = [
      await this.ownedKey('partner', partnerId),
      await this.ownedKey('processor', String(merchants[0]?.id)),
    ];
    const holders = await this.times(24, () => this.holder(partnerId));
    // Holders with a low balance, so that some payments are refused late, after their secrets were processed.
    holders.push(...(await this.times(LOW_BALANCE_HOLDERS, () => this.holder(partnerId, 1))));
    const superAgents = await this.times(2, () => this.superAgent());
    const spares = {
      holders: await this.times(8, () => this.holder(partnerId)),
      agents: await this.times(3, () => this.agent({ agent_type: 'super_agent' })),
      merchants: await this.times(3, () => this.merchant(FOREIGN.merchantName)),
    };
    const staff = await this.times(
      2,
      async () => (await this.user(this.random.pick(['support_user', 'finance_user', 'compliance_user']))).token,
    );
    const loginUser = await this.user('audit_user');
    // The main administrator is first and frequent, so that most requests pass authorization.
    const bearers = [...Array(12).fill(mainAdmin.token), ...Array(3).fill(ordinaryKey.key), ...staff];
    const { configured } = this.host;
    const fixtures: Fixtures = {
      host: this.host,
      keyring: { bearers, terminal, partner, ...configured },
      secrets: this.secrets,
      pools: this.pools,
      holders,
      superAgents,
      merchants,
      partnerIds: [partnerId, otherPartner],
      ownedKeys,
      spares,
      loginUser,
      passwordUser: loginUser,
      pepUser: loginUser,
      prepared: new Map(),
      maintain: () => this.maintain(fixtures, mainAdmin),
    };
    await fixtures.maintain();
    for (const { id } of holders.slice(0, 3)) await this.foreignFunding(otherPartner, id);
    return fixtures;
  }

  private addConfiguredSecrets(): void {
    const { service, webhookSecret, appSecret, verifyToken } = this.host.configured;
    for (const secret of [service.secret, webhookSecret, appSecret, verifyToken, PASSWORD]) this.secrets.add(secret);
    this.secrets.addDigits(PIN);
  }

  private async maintain(
    fixtures: Fixtures,
    mainAdmin: { email: string; password: string; token: string },
  ): Promise<void> {
    this.admin = await this.host.adminToken();
    const { token } = await this.login(mainAdmin);
    fixtures.keyring.bearers = fixtures.keyring.bearers.map((bearer) => (bearer === mainAdmin.token ? token : bearer));
    mainAdmin.token = token;
    fixtures.passwordUser = await this.user('audit_user');
    const { host, secrets } = this;
    const secondFactors = await prepareSecondFactors({ host, secrets, newUser: () => this.user('audit_user') });
    // The first administrator created both, but neither the other.
    const { token: other } = await this.user('system_admin');
    const approvals = await prepareApprovals({ call: this.host.call, other, main: token });
    fixtures.prepared = new Map([
      ...secondFactors,
      ...approvals,
      ...(await prepareReconciliation({
        ...{ call: this.host.call, token, now: this.host.now() },
        agentId: fixtures.superAgents[0]?.id ?? '',
      })),
      ...(await prepareCloses({ call: this.host.call, token, now: this.host.now() })),
      ...(await prepareLab({ call: this.host.call, token })),
      ...(await this.preparePhoneCodes()),
      ...(await this.preparePins()),
    ]);
    await this.resetFees();
    await this.resetRules();
    await this.renewPepUser(fixtures);
    await this.addPending();
    await this.disableTypes(fixtures.spares.holders);
    const { deliveries } = await this.get('/admin/webhook-deliveries?limit=20');
    for (const { id } of deliveries as Json[]) this.pools.put('delivery', id);
    for (const holder of fixtures.holders.slice(0, -LOW_BALANCE_HOLDERS))
      await this.call('POST', '/wallet/fund-from-partner', {
        partner_id: fixtures.keyring.partner.partnerId,
        subscriber_id: holder.id,
        amount: 1_000_000,
      });
    for (const { id } of fixtures.superAgents) await this.call('POST', `/agents/${id}/fund`, { amount: 1_000_000 });
  }

  private async resetFees(): Promise<void> {
    const { settings } = await this.get('/fee-settings');
    for (const { is_default, transaction_type, party_type } of settings as Json[]) {
      if (!is_default) await this.call('DELETE', `/fee-settings/${transaction_type}/${party_type}`);
    }
  }

  /** Disables blocking rules, and others when there are too many for new ones. */
  private async resetRules(): Promise<void> {
    const { json } = await this.call('GET', '/compliance/rules?limit=100');
    for (const { id, outcome, enabled } of (json?.rules ?? []) as Json[]) {
      if (enabled && (outcome === 'block' || json.total_count > 60))
        await this.call('PUT', `/compliance/rules/${id}`, { enabled: false });
    }
  }

  private async renewPepUser(fixtures: Fixtures): Promise<void> {
    const phone = this.phone();
    fixtures.pepUser = await this.user('audit_user', { phone_number: phone, pep_access_authorized: true });
    const sent = await this.host.call('POST', '/api/v1/admin/pep/otp', { token: fixtures.pepUser.token });
    assert.equal(sent.status, 200, sent.text);
    const code = /\b\d{6}\b/.exec(await this.messageTo(phone))?.[0] ?? '';
    this.secrets.addDigits(code);
    this.pools.put('code', code);
  }

  /** A code is sent again after a minute at the earliest, so that operation gets the registration of the round before. */
  private async preparePhoneCodes(): Promise<[string, PreparedRequest][]> {
    const path = 'POST /api/v1/public/subscribers/{id}';
    const [waiting, earlier] = [await this.unverified(), this.registered ?? (await this.unverified())];
    this.registered = await this.unverified();
    return [
      [`${path}/verify`, { pathValue: waiting.id, fields: () => ({ code: waiting.code }) }],
      [`${path}/resend-code`, { pathValue: earlier.id, fields: () => ({}) }],
    ];
  }

  /** A holder with a code for a new PIN, and one whose PIN is locked. */
  private async preparePins(): Promise<[string, PreparedRequest][]> {
    const [waiting, locked] = [await this.subscriber(), await this.subscriber()];
    await this.post(`/subscribers/${waiting.id}/reset-pin`, {});
    const code = /\b\d{6}\b/.exec(await this.messageTo(waiting.phone))?.[0] ?? '';
    this.secrets.addDigits(code);
    for (let n = 0; n < 3; n++) await this.call('POST', `/subscribers/${locked.id}/verify-pin`, { pin: '9999' });
    const reset = { phone_number: waiting.phone, code, new_pin: PIN };
    return [
      ['POST /api/v1/public/pin-reset', { fields: () => reset }],
      ['POST /api/v1/subscribers/{id}/unlock', { pathValue: locked.id, fields: () => ({}) }],
    ];
  }

  private async subscriber(): Promise<{ id: string; phone: string }> {
    const phone = this.phone();
    const body = { phone_number: phone, first_name: 'Sia', last_name: 'Koroma', pin: PIN };
    const { subscriber_id: id } = await this.post('/subscribers', body);
    await this.verify(id, phone);
    return { id, phone };
  }

  private async unverified(): Promise<{ id: string; code: string }> {
    const phone = this.phone();
    const body = { phone_number: phone, first_name: 'Sia', last_name: 'Koroma', pin: PIN };
    const { subscriber_id: id } = await this.post('/public/subscribers', body);
    return { id, code: await this.phoneCode(phone) };
  }

  private async phoneCode(phone: string): Promise<string> {
    const code = /\b\d{6}\b/.exec(await this.messageTo(phone))?.[0] ?? '';
    this.secrets.addDigits(code);
    return code;
  }

  private async verify(id: string, phone: string): Promise<void> {
    await this.post(`/public/subscribers/${id}/verify`, { code: await this.phoneCode(phone) });
  }

  /** Disables transaction types for the enable-types operation. */
  private async disableTypes(holders: Holder[]): Promise<void> {
    const transaction_types = ['transfer_p2p', 'agent_cashin', 'pos_payment', 'vult_fund', 'wallet_withdraw'];
    for (const { id } of holders)
      await this.call('POST', `/subscribers/${id}/block`, { reason: 'x', transaction_types });
  }

  /** Adds a pending subscriber for the activate operation. */
  private async addPending(): Promise<void> {
    const names = { first_name: 'Sia', last_name: 'Koroma', status: 'PENDING' };
    const phone = this.phone();
    const { subscriber } = await this.post('/subscribers', { phone_number: phone, ...names, pin: PIN });
    await this.verify(subscriber.id, phone);
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
    const names = { first_name: 'Test', last_name: 'Person' };
    const { user_id: id } = await this.post('/admin/users', { email, password, ...names, role, ...extra });
    this.secrets.add(password);
    const { token } = await this.login({ email, password });
    return { id, email, password, token };
  }

  private async login(body: { email: string; password: string }): Promise<{ token: string }> {
    const { email, password } = body;
    const reply = await this.host.call('POST', '/api/v1/admin/login', { body: { email, password } });
    assert.equal(reply.status, 200, reply.text);
    this.secrets.collect(reply.json);
    return { token: reply.json.token };
  }

  private async key(scopes: string[], extra: Record<string, unknown> = {}): Promise<SigningKey> {
    const limit = scopes.includes('payouts:write') ? { daily_limit: Number.MAX_SAFE_INTEGER } : {};
    const body = { name: 'Hostile', scopes, ...limit, ...extra };
    const { api_key, key, secret } = await this.post('/admin/api-keys', body);
    this.secrets.add(secret);
    return { id: api_key.id, key, secret };
  }

  private async ownedKey(owner: OwnedKey['owner'], ownerId: string): Promise<OwnedKey> {
    const inbound = owner === 'partner' ? ['inbound:read', 'inbound:write'] : [];
    const fields = { [`${owner}_id`]: ownerId, bearer: true };
    return { ...(await this.key([...OWNED_SCOPES, ...inbound], fields)), owner, ownerId };
  }

  /** A record in the history of another partner. */
  private async foreignFunding(partner_id: string, subscriber_id: string): Promise<void> {
    const funding = { partner_id, subscriber_id, amount: 700, description: FOREIGN.narration };
    await this.post('/wallet/fund-from-partner', funding);
  }

  private phone(): string {
    return `+23276${String(100_000 + ++this.count)}`;
  }

  private async holder(partnerId: string, amount = HIGH_BALANCE): Promise<Holder> {
    const phone = this.phone();
    const names = { first_name: 'Aminata', last_name: FOREIGN.lastName };
    const { subscriber } = await this.post('/subscribers', { phone_number: phone, ...names, pin: PIN });
    await this.verify(subscriber.id, phone);
    const card = `HOST-${String(this.count).padStart(6, '0')}`;
    await this.post('/cards/link', { card_serial: card, subscriber_id: subscriber.id });
    await this.post('/wallet/fund-from-partner', { partner_id: partnerId, subscriber_id: subscriber.id, amount });
    return { id: subscriber.id, phone, accountNumber: subscriber.account_number, card };
  }

  private async superAgent(): Promise<Agent & { sub: Agent }> {
    const agent = await this.agent({ agent_type: 'super_agent' });
    const sub = await this.agent({ agent_type: 'sub_agent', parent_agent_id: agent.id });
    await this.post(`/agents/${agent.id}/fund`, { amount: HIGH_BALANCE });
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

  private async merchant(business_name = 'Lumley Beach Grill'): Promise<Merchant> {
    const contact = {
      contact_name: 'Fatu Sesay',
      phone_number: this.phone(),
      email: `merchant${this.count}@example.com`,
    };
    const { processor } = await this.post('/processors', { business_name, ...contact });
    const { id, merchant_id: merchantId, email } = processor;
    const account = { account_number: BANK_ACCOUNT, bank: 'Rokel Commercial Bank', holder: business_name };
    await this.post(`/processors/${id}/bank-accounts`, account);
    const password = /^Temporary password: (\S+)$/m.exec(await this.messageTo(contact.phone_number))?.[1] ?? '';
    this.secrets.add(password);
    return { id, merchantId, token: (await this.login({ email, password })).token };
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
    this.secrets.collect(reply.json);
    return reply.json;
  }

  private async get(path: string): Promise<Json> {
    const reply = await this.call('GET', path);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  }
}
