// Fixtures of the hostile tests, created through the API: subscribers, cards, agents, merchants, partners and credentials.
import assert from 'node:assert/strict';
import type { Kissi } from '@kissi/client';
import {
  codeIn,
  makeAgent,
  makeCustomer,
  makeKey,
  makeMerchant,
  makePartner,
  makeStaff,
  makeWallet,
  readMessage,
  times,
  valueIn,
} from '@kissi/testkit/parties';
import { type Random, seededRandom } from '@kissi/testkit/random';
import { adminClient } from '../support/admin-client.ts';
import { assertStatus, type CallOptions, type Json } from '../support/gateway.ts';
import { SITE_ENV } from '../support/second-factor.ts';
import { prepareApprovals } from './approvals.ts';
import { prepareAuthorizations } from './authorizations.ts';
import { prepareBulkPayments } from './bulk-payments.ts';
import { prepareCases } from './cases.ts';
import { prepareCloses } from './closes.ts';
import { type OwnWallets, prepareCustomers } from './customers.ts';
import { prepareFloatRequests } from './float-requests.ts';
import { prepareIdentities } from './identities.ts';
import { prepareLab } from './lab.ts';
import { prepareOwnPayments } from './own-payments.ts';
import { FOREIGN, OWNED_SCOPES } from './owned-keys.ts';
import { preparePaymentRequests } from './payment-requests.ts';
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
  ussdSecret: 'hostile-ussd-secret-3b91d7c05e62fa48',
};

/** The environment variables that the service needs for the fixtures. */
export const ENVIRONMENT: Record<string, string> = {
  SERVICE_SECRETS: JSON.stringify({ [CONFIGURED.service.name]: CONFIGURED.service.secret }),
  PARTNER_CASHIN_WEBHOOK_SECRET: CONFIGURED.webhookSecret,
  MESSAGING_APP_SECRET: CONFIGURED.appSecret,
  MESSAGING_VERIFY_TOKEN: CONFIGURED.verifyToken,
  USSD_SECRET: CONFIGURED.ussdSecret,
  // Allows the closed local port of the webhook endpoint: deliveries fail at once and are retried.
  WEBHOOK_ALLOW_PRIVATE: 'true',
  PHONE_VERIFICATION: 'required',
  // None of its amounts is sent.
  LAB: 'on',
  ...SITE_ENV,
};
const CLOSED_ENDPOINT = 'http://127.0.0.1:9/hooks';

/** Every merchant's. */
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
] as const;
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
  private readonly client: Kissi;
  private admin = '';
  private count = 0;
  private registered: { id: string } | null = null;

  constructor(host: Host, source: Random) {
    this.host = host;
    this.random = source;
    this.client = adminClient({ ...host, adminToken: async () => this.admin }, (json) => this.collect(json));
  }

  /** Secrets in a reply, and in the messages of one. */
  private collect(json: Json): void {
    this.secrets.collect(json);
    for (const { text } of (json?.messages ?? []) as { text: string }[]) {
      for (const password of [valueIn(text, 'Password'), valueIn(text, 'Temporary password')]) {
        if (password) this.secrets.add(password);
      }
      const [code, pin] = [codeIn(text), valueIn(text, 'PIN')];
      if (code) this.secrets.addDigits(code);
      if (Number(pin) > 5_000) this.secrets.addDigits(pin);
    }
  }

  async build(): Promise<Fixtures> {
    this.admin = await this.host.adminToken();
    this.addConfiguredSecrets();
    const mainAdmin = await this.user('system_admin', { phone_number: '+23288990001', pep_access_authorized: true });
    const { id: partnerId, key: partnerKey } = await makePartner(this.client, { webhook_url: CLOSED_ENDPOINT });
    const partner = { ...partnerKey, partnerId };
    const { id: otherPartner } = await makePartner(this.client, { name: FOREIGN.partnerName });
    const merchants = [await this.merchant(), ...(await times(2, () => this.merchant(FOREIGN.merchantName)))];
    const ordinaryKey = await makeKey(this.client, ORDINARY_SCOPES);
    const terminal = await makeKey(this.client, ['payments:write', 'cards:read']);
    const ownedKeys = [
      await this.ownedKey('partner', partnerId),
      await this.ownedKey('processor', String(merchants[0]?.id)),
    ];
    const holders = await times(24, () => this.holder(partnerId));
    // Holders with a low balance, so that some payments are refused late, after their secrets were processed.
    holders.push(...(await times(LOW_BALANCE_HOLDERS, () => this.holder(partnerId, 1))));
    const superAgents = await times(2, () => this.superAgent());
    const spares = {
      holders: await times(8, () => this.holder(partnerId)),
      agents: await times(3, () => this.agent()),
      merchants: await times(3, () => this.merchant(FOREIGN.merchantName)),
    };
    const staff = await times(
      2,
      async () => (await this.user(this.random.pick(['support_user', 'finance_user', 'compliance_user']))).token,
    );
    const loginUser = await this.user('audit_user');
    // The main administrator is first and frequent, so that most requests pass authorization.
    const bearers = [...Array(12).fill(mainAdmin.token), ...Array(3).fill(ordinaryKey.bearer), ...staff];
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
      customerToken: '',
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
    // First: the payments below must not be blocked.
    await this.resetRules();
    fixtures.passwordUser = await this.user('audit_user');
    const { host, secrets } = this;
    const secondFactors = await prepareSecondFactors({ host, secrets, newUser: () => this.user('audit_user') });
    // The first administrator created both, but neither the other.
    const { token: other } = await this.user('system_admin');
    const approvals = await prepareApprovals({ call: this.host.call, other, main: token });
    const { partnerId } = fixtures.keyring.partner;
    const ownWallets = await this.prepareCustomers(partnerId);
    const { newSession } = ownWallets;
    const newRecipient = () => makeCustomer(this.client, { pin: PIN });
    fixtures.customerToken = ownWallets.token;
    fixtures.prepared = new Map([
      ...ownWallets.prepared,
      ...(await this.prepareOwnPayments(fixtures, ownWallets, token)),
      ...(await prepareCases({ host, pin: PIN, token, newSession })),
      ...(await prepareBulkPayments({ host, main: token, other, partnerId, newRecipient })),
      ...secondFactors,
      ...approvals,
      ...(await prepareReconciliation({
        ...{ call: this.host.call, token, now: this.host.now() },
        agentId: fixtures.superAgents[0]?.id ?? '',
      })),
      ...(await prepareCloses({ call: this.host.call, token, now: this.host.now() })),
      ...(await prepareLab(this.client)),
      ...(await this.prepareAuthorizations(fixtures)),
      ...(await this.prepareAgentRequests(fixtures, token)),
      ...(await this.prepareRequests(fixtures, token)),
      ...(await this.preparePhoneCodes()),
      ...(await this.preparePins()),
      ...(await this.preparePassword()),
    ]);
    await this.resetFees();
    await this.renewPepUser(fixtures);
    await this.addPending();
    await this.addWebhookEndpoints();
    await this.addReceipt(partnerId);
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

  private prepareCustomers(partner_id: string): Promise<OwnWallets> {
    const { host, secrets, client } = this;
    const newCustomer = async () => {
      const wallet = await makeWallet(client, { pin: PIN });
      const funding = { partner_id, subscriber_id: wallet.id, amount: 100_000 };
      const { transaction_id: transactionId } = await this.post('/wallet/fund-from-partner', funding);
      return { ...wallet, transactionId };
    };
    const message = (phone: string) => readMessage(client, phone);
    return prepareCustomers({ host, secrets, pin: PIN, newCustomer, message });
  }

  private prepareOwnPayments(
    { holders, merchants, superAgents }: Fixtures,
    { paying }: OwnWallets,
    adminToken: string,
  ): Promise<[string, PreparedRequest][]> {
    const [recipient, merchant, agent] = [holders[0], merchants[0], superAgents[0]] as [Holder, Merchant, Agent];
    const { token } = paying;
    return prepareOwnPayments(this.host, { token, payer: paying, pin: PIN, recipient, merchant, agent, adminToken });
  }

  private prepareAuthorizations({ keyring, merchants, holders }: Fixtures): Promise<[string, PreparedRequest][]> {
    const [merchant, payer] = [merchants[0] as Merchant, holders[0] as Holder];
    return prepareAuthorizations(this.host, { key: keyring.terminal, merchant, card: payer.card, pin: PIN });
  }

  private async prepareAgentRequests({ superAgents }: Fixtures, token: string): Promise<[string, PreparedRequest][]> {
    const { host } = this;
    const agent = superAgents[0] as Agent;
    const newCustomer = async (by: string) => {
      const { id, code } = await this.unverified('/subscribers', by);
      await this.post(`/public/subscribers/${id}/verify`, { code });
      return id;
    };
    return [
      ...(await prepareFloatRequests({ host, superAgent: agent, newSubAgent: () => this.agent(agent.id) })),
      ...(await prepareIdentities({ host, token, agent, newCustomer })),
    ];
  }

  private prepareRequests({ merchants, holders }: Fixtures, token: string): Promise<[string, PreparedRequest][]> {
    const [merchant, payer, payee] = [merchants[0] as Merchant, holders[0] as Holder, holders[1] as Holder];
    const parties = { token, merchantId: merchant.id, payer: { id: payer.id, pin: PIN }, payeeId: payee.id };
    return preparePaymentRequests(this.host, parties);
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
    assertStatus(await this.host.call('POST', '/api/v1/admin/pep/otp', { token: fixtures.pepUser.token }), 200);
    this.pools.put('code', codeIn(await readMessage(this.client, phone)));
  }

  /** A code is sent again after a minute at the earliest, so that operation gets the previous round's registration. */
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
    const [waiting, locked] = [
      await makeCustomer(this.client, { pin: PIN }),
      await makeCustomer(this.client, { pin: PIN }),
    ];
    await this.post(`/subscribers/${waiting.id}/reset-pin`, {});
    const code = codeIn(await readMessage(this.client, waiting.phone));
    for (let n = 0; n < 3; n++) await this.call('POST', `/subscribers/${locked.id}/verify-pin`, { pin: '9999' });
    const reset = { phone_number: waiting.phone, code, new_pin: PIN };
    const agent = await this.agent();
    const same = { current_pin: agent.pin, new_pin: agent.pin };
    return [
      ['POST /api/v1/agents/{id}/change-pin', { bearer: agent.token, pathValue: agent.id, fields: () => same }],
      ['POST /api/v1/public/pin-reset', { fields: () => reset }],
      ['POST /api/v1/subscribers/{id}/unlock', { pathValue: locked.id, fields: () => ({}) }],
    ];
  }

  /** A user with a code for a new password. */
  private async preparePassword(): Promise<[string, PreparedRequest][]> {
    const phone = this.phone();
    const { email } = await this.user('audit_user', { phone_number: phone });
    const { challenge } = await this.post('/admin/forgot-password', { email });
    const code = codeIn(await readMessage(this.client, phone));
    const answer = { challenge, code, new_password: `${PASSWORD}${this.random.text(6, 'abcdefgh')}` };
    return [['POST /api/v1/admin/recover-password', { fields: () => answer }]];
  }

  private async unverified(path = '/public/subscribers', by?: string): Promise<{ id: string; code: string }> {
    const phone = this.phone();
    const body = { phone_number: phone, first_name: 'Sia', last_name: 'Koroma', pin: PIN };
    const { subscriber_id: id } = await this.post(path, body, by);
    return { id, code: codeIn(await readMessage(this.client, phone)) };
  }

  /** Disables transaction types for the enable-types operation. */
  private async disableTypes(holders: Holder[]): Promise<void> {
    const transaction_types = ['transfer_p2p', 'agent_cashin', 'pos_payment', 'vult_fund', 'wallet_withdraw'];
    for (const { id } of holders)
      await this.call('POST', `/subscribers/${id}/block`, { reason: 'x', transaction_types });
  }

  /** For the activate operation. */
  private async addPending(): Promise<void> {
    this.pools.put('pending', (await makeCustomer(this.client, { status: 'PENDING', pin: PIN })).id);
  }

  /** Of a new partner: an owner has up to five, and requests delete them. */
  private async addWebhookEndpoints(): Promise<void> {
    const { id: partner_id } = await makePartner(this.client);
    const body = { partner_id, url: CLOSED_ENDPOINT, events: ['credit.completed'] };
    for (const { webhook_endpoint } of await times(3, () => this.post('/webhook-endpoints', body)))
      this.pools.put('webhook_endpoint', webhook_endpoint.id);
  }

  /** With a link that nobody revoked. */
  private async addReceipt(partner_id: string): Promise<void> {
    const { id: subscriber_id } = await makeCustomer(this.client, { pin: PIN });
    const funding = { partner_id, subscriber_id, amount: 700 };
    const { transaction_id } = await this.post('/wallet/fund-from-partner', funding);
    const receipt = await this.get(`/transactions/${transaction_id}/receipt`);
    this.pools.collect('GET /api/v1/transactions/{id}/receipt', receipt);
  }

  private async user(role: Parameters<typeof makeStaff>[1], extra: Record<string, unknown> = {}) {
    const email = `user${++this.count}.${this.random.text(8, 'abcdefgh')}@example.com`;
    const password = `${PASSWORD}${this.random.text(6, 'abcdefgh')}`;
    const made = await makeStaff(this.client, role, { email, password, ...extra });
    this.secrets.add(password);
    return { id: made.id, email, password, token: (await this.login({ email, password })).token };
  }

  private async login({ email, password }: { email: string; password: string }): Promise<{ token: string }> {
    const reply = assertStatus(await this.host.call('POST', '/api/v1/admin/login', { body: { email, password } }), 200);
    this.secrets.collect(reply.json);
    return { token: reply.json.token };
  }

  private async ownedKey(owner: OwnedKey['owner'], ownerId: string): Promise<OwnedKey> {
    const inbound = owner === 'partner' ? (['inbound:read', 'inbound:write'] as const) : [];
    const key = await makeKey(this.client, [...OWNED_SCOPES, ...inbound], { [`${owner}_id`]: ownerId, bearer: true });
    return { ...key, owner, ownerId };
  }

  /** A record in another partner's history. */
  private async foreignFunding(partner_id: string, subscriber_id: string): Promise<void> {
    const funding = { partner_id, subscriber_id, amount: 700, description: FOREIGN.narration };
    await this.post('/wallet/fund-from-partner', funding);
  }

  private phone(): string {
    return `+23276${String(100_000 + ++this.count)}`;
  }

  private async holder(partner_id: string, amount = HIGH_BALANCE): Promise<Holder> {
    const holder = await makeWallet(this.client, { last_name: FOREIGN.lastName, pin: PIN });
    await this.post('/wallet/fund-from-partner', { partner_id, subscriber_id: holder.id, amount });
    return holder;
  }

  private async superAgent(): Promise<Agent & { sub: Agent }> {
    const agent = await this.agent();
    await this.post(`/agents/${agent.id}/fund`, { amount: HIGH_BALANCE });
    return { ...agent, sub: await this.agent(agent.id) };
  }

  private async agent(parentId?: string): Promise<Agent> {
    const agent = await makeAgent(this.client, parentId);
    return { ...agent, ...(await this.login(agent)) };
  }

  private async merchant(business_name = 'Lumley Beach Grill'): Promise<Merchant> {
    const merchant = await makeMerchant(this.client, { business_name });
    const account = { account_number: BANK_ACCOUNT, bank: 'Rokel Commercial Bank', holder: business_name };
    await this.post(`/processors/${merchant.id}/bank-accounts`, account);
    const password = valueIn(await readMessage(this.client, merchant.phone), 'Temporary password');
    return { ...merchant, ...(await this.login({ email: merchant.email, password })) };
  }

  private call(method: string, path: string, body?: unknown, token = this.admin) {
    const options: CallOptions = { token, ...(body === undefined ? {} : { body }) };
    return this.host.call(method, `/api/v1${path}`, options);
  }

  private async post(path: string, body: unknown, token?: string): Promise<Json> {
    const reply = await this.call('POST', path, body, token);
    assert.ok(reply.status < 300, `POST ${path}: ${reply.text}`);
    this.secrets.collect(reply.json);
    return reply.json;
  }

  private async get(path: string): Promise<Json> {
    return assertStatus(await this.call('GET', path), 200).json;
  }
}
