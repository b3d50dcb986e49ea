// Sets up the operator: staff, API keys, partner banks, agent networks, merchants, fees and compliance rules.

import type { Random } from '@kissi/testkit/random';
import { merchantOf, SECOND_LOGIN } from './collecting.ts';
import { ADMIN, type ApiKey, type Demo, type DemoAgent, SECOND_ADMIN, STAFF } from './country.ts';
import { registerTrustAccounts } from './finance/mornings.ts';
import { SLE } from './money.ts';
import { AGENT_SHOPS, BANKS, MERCHANTS, type MerchantPlan, NETWORKS } from './plan/businesses.ts';
import { newName } from './plan/names.ts';
import { newPhone, plain } from './plan/people.ts';
import { createRules } from './rules.ts';
import { must, type SigningKey } from './runtime/client.ts';
import { inParallel } from './runtime/parallel.ts';

/** Password hashes are computed two at a time. */
const PARALLEL_LOGINS = 4;

export async function setUpOperator(demo: Demo, random: Random): Promise<void> {
  const phones = new Set<string>();
  await createStaff(demo, random.stream('staff'), phones);
  await createKeys(demo);
  await createBanks(demo);
  await createNetworks(demo, random.stream('agents'), phones);
  await createMerchants(demo, random.stream('merchants'), phones);
  await readAgentPins(demo);
  await createPublishedLogins(demo, newPhone(random.stream('second login'), phones));
  await setFees(demo);
  await createRules(demo);
  await registerTrustAccounts(demo);
}

const admin = (demo: Demo) => demo.session(ADMIN.email);

async function createStaff(demo: Demo, random: Random, phones: Set<string>): Promise<void> {
  const { country } = demo;
  const staff = STAFF.map((member) => ({ ...member, phone: newPhone(random, phones) }));
  const { id: adminId } = await must(admin(demo).call('GET', '/admin/me'), 'first administrator');
  const names = { first_name: ADMIN.first, last_name: ADMIN.last };
  await must(admin(demo).call('PUT', `/admin/users/${adminId}`, names), 'name of the first administrator');
  country.logins.push({
    role: 'system_admin',
    name: `${ADMIN.first} ${ADMIN.last}`,
    email: ADMIN.email,
    note: 'first administrator',
  });
  await createSecondAdmin(demo);
  await inParallel(staff, PARALLEL_LOGINS, async ({ role, first, last, email, phone }) => {
    const body = { role, first_name: first, last_name: last, email, phone_number: phone, password: country.password };
    const pep = role === 'compliance_user' ? { pep_access_authorized: true } : {};
    // Who creates a login never approves its requests: the first administrator's stay for that.
    const second = demo.session(SECOND_ADMIN.email);
    await must(second.call('POST', '/admin/users', { ...body, ...pep }), `staff ${email}`);
  });
  for (const { role, first, last, email, note } of staff) {
    country.logins.push({ role, name: `${first} ${last}`, email, note });
  }
}

async function createSecondAdmin({ client, country, makeAdministrator }: Demo): Promise<void> {
  const { first, last, email } = SECOND_ADMIN;
  const password = await makeAdministrator({ email, firstName: first, lastName: last });
  const { token } = await must(client.call('POST', '/admin/login', { body: { email, password } }), 'login');
  const body = { current_password: password, new_password: country.password };
  await must(client.call('POST', '/admin/change-password', { token, body }), 'password of the second administrator');
  country.logins.push({ role: 'system_admin', name: `${first} ${last}`, email, note: 'second administrator' });
}

const KEYS = [
  {
    name: 'Mobile app',
    purpose: 'payments and registrations of the operator',
    scopes:
      'payments:read payments:write balance:read subscribers:read subscribers:write cards:read cards:write treasury:write payouts:write'.split(
        ' ',
      ),
    daily_limit: 50_000_000 * SLE,
  },
  {
    name: 'Back office',
    purpose: 'reads everything a key may read',
    scopes: 'payments:read balance:read subscribers:read cards:read compliance:read audit:read'.split(' '),
  },
];

async function createKeys(demo: Demo): Promise<void> {
  for (const { name, purpose, ...terms } of KEYS) {
    const json = await must(admin(demo).call('POST', '/admin/api-keys', { name, ...terms }), `key ${name}`);
    const key: ApiKey = { name, purpose, id: json.api_key.id, key: json.key };
    demo.country.keys.push(key);
  }
}

async function ownedKey(demo: Demo, body: object): Promise<SigningKey> {
  const json = await must(admin(demo).call('POST', '/admin/api-keys', body), 'key of a partner or merchant');
  return { id: json.api_key.id, secret: json.secret };
}

async function createBanks(demo: Demo): Promise<void> {
  for (const { name, code, weight, webhookErrors } of BANKS) {
    const limits = { max_amount: 200_000 * SLE, outstanding_limit: 5_000_000 * SLE };
    const body = { name, webhook_url: `${demo.receiver.url}/${code}`, ...limits };
    const json = await must(admin(demo).call('POST', '/admin/partners', body), `partner ${name}`);
    const scopes = ['payments:read', 'payments:write', 'inbound:read', 'inbound:write'];
    const key = await ownedKey(demo, { name: `${name} API`, partner_id: json.partner.id, scopes });
    const secret: string = json.webhook_secret;
    demo.receiver.addBank(code, { webhookSecret: secret, errors: webhookErrors });
    demo.country.banks.push({ id: json.partner.id, code, name, weight, webhookSecret: secret, webhookErrors, key });
  }
}

/** The record of a new agent without the ids and the PIN, which the service chooses. */
type AgentPlan = Omit<DemoAgent, 'id' | 'userId' | 'pin' | 'float' | 'suspended'> & { body: object };

async function createNetworks(demo: Demo, random: Random, phones: Set<string>): Promise<void> {
  const { agents } = demo.country;
  const newPlan = (type: DemoAgent['type'], name: string, town: string, parent: number | null): AgentPlan => {
    const [person, phone] = [newName(random), newPhone(random, phones)];
    const email = `${plain(person.first)}.${plain(person.last)}.${phone.slice(-3)}@agents.example`;
    const tier = random.weighted([
      ['standard', 6],
      ['premium', 3],
      ['custom', 1],
    ] as const);
    const names = { business_name: name, first_name: person.first, last_name: person.last };
    const terms = {
      location: town,
      commission_tier: type === 'super_agent' ? 'premium' : tier,
      ...(type === 'sub_agent' && tier === 'custom' ? { commission_percent: random.int(9, 15) * 10 } : {}),
      settlement_mode: random.weighted([
        ['instant', 4],
        ['daily', 4],
        ['weekly', 2],
      ] as const),
    };
    return {
      type,
      parent,
      name,
      email,
      phone,
      town,
      body: { agent_type: type, ...names, phone_number: phone, email, ...terms },
    };
  };
  const register = async (plan: AgentPlan): Promise<DemoAgent> => {
    const { body, ...rest } = plan;
    const parentId = plan.parent === null ? {} : { parent_agent_id: agents[plan.parent]?.id };
    const json = await must(admin(demo).call('POST', '/agents', { ...body, ...parentId }), `agent ${plan.name}`);
    return { ...rest, id: json.agent_id, userId: json.user_id, pin: '', float: 0, suspended: false };
  };
  const supers = NETWORKS.map(({ name, town }) => newPlan('super_agent', name, town, null));
  agents.push(...(await inParallel(supers, PARALLEL_LOGINS, register)));
  const subs = NETWORKS.flatMap(({ branches }, parent) =>
    branches.map((town) => newPlan('sub_agent', `${town} ${random.pick(AGENT_SHOPS)}`, town, parent)),
  );
  agents.push(...(await inParallel(subs, PARALLEL_LOGINS, register)));
}

async function createMerchants(demo: Demo, random: Random, phones: Set<string>): Promise<void> {
  const plans = MERCHANTS.map((plan, n) => ({ plan, n, contact: newName(random), phone: newPhone(random, phones) }));
  const made = await inParallel(plans, PARALLEL_LOGINS, async ({ plan, n, contact, phone }) => {
    const merchantId = `${plan.sector.slice(0, 4).toUpperCase()}-${String(n + 1).padStart(3, '0')}`;
    const email = `${plain(plan.name)}@merchants.example`;
    const body = {
      business_name: plan.name,
      contact_name: `${contact.first} ${contact.last}`,
      phone_number: phone,
      email,
      merchant_id: merchantId,
    };
    const json = await must(
      demo.session('sales@kissi.example').call('POST', '/processors', body),
      `merchant ${plan.name}`,
    );
    const scopes = ['payments:read', 'payments:write', 'cards:read'];
    const key = await ownedKey(demo, { name: `${plan.name} terminals`, processor_id: json.processor_id, scopes });
    return { id: json.processor_id, userId: json.user_id, merchantId, email, key, ...termsOf(plan, n) };
  });
  demo.country.merchants.push(...made);
}

function termsOf({ name, town, ticket, weight, online = false, refunds = 0.004 }: MerchantPlan, n: number) {
  const terminals = online
    ? []
    : ['A', 'B', 'C'].slice(0, Math.max(1, Math.min(3, weight / 2))).map((letter) => `T${n + 1}-${letter}`);
  return { name, town, ticket: ticket * SLE, weight, online, refunds, terminals, balance: 0, owner: null };
}

/** An agent's PIN is in the message that was sent to its phone. */
async function readAgentPins(demo: Demo): Promise<void> {
  const texts = new Map<string, string>();
  for (let offset = 0; ; offset += 100) {
    const { messages } = await must(admin(demo).call('GET', `/admin/messages?limit=100&offset=${offset}`), 'messages');
    for (const { to, text } of messages) texts.set(to, text);
    if (messages.length < 100) break;
  }
  for (const agent of demo.country.agents) {
    const pin = /^PIN: (\d{4})$/m.exec(texts.get(agent.phone) ?? '')?.[1];
    if (!pin) throw new Error(`no PIN was sent to ${agent.phone}`);
    agent.pin = pin;
  }
}

/** Gives the users of one super-agent, one of its sub-agents and one merchant the demo's password. */
async function createPublishedLogins(demo: Demo, phone: string): Promise<void> {
  const { agents, logins, password } = demo.country;
  const [superAgent, subAgent, merchant] = [agents[0], agents.find(({ parent }) => parent === 0), merchantOf(demo)];
  const published = [
    { role: 'super_agent', party: superAgent, note: 'a network of six sub-agents' },
    { role: 'sub_agent', party: subAgent, note: 'a shop of that network' },
    { role: 'processor', party: merchant, note: 'a merchant that refunds' },
  ];
  for (const { role, party, note } of published) {
    if (!party) throw new Error(`there is no ${role}`);
    await must(admin(demo).call('PUT', `/admin/users/${party.userId}`, { password }), `login of ${party.email}`);
    const pin = 'pin' in party ? `, PIN ${party.pin}` : '';
    logins.push({ role, name: party.name, email: party.email, note: note + pin });
  }
  await createSecondLogin(demo, phone);
}

/** Of the merchant: it approves the bulk payments that the first one uploads. */
async function createSecondLogin(demo: Demo, phone_number: string): Promise<void> {
  const { logins, password } = demo.country;
  const { id, name } = merchantOf(demo);
  const made = admin(demo).call('POST', `/processors/${id}/users`, { ...SECOND_LOGIN, phone_number });
  const { user_id } = await must(made, 'second login of a merchant');
  await must(admin(demo).call('PUT', `/admin/users/${user_id}`, { password }), 'password of the second login');
  logins.push({
    role: 'processor',
    name,
    email: SECOND_LOGIN.email,
    note: 'the same merchant: approves bulk payments',
  });
}

const fee = (type: string, party: string, percent: number, charges: boolean) => ({
  transaction_type: type,
  party_type: party,
  fee_type: 'percentage',
  fee_value: percent,
  debit_enabled: charges,
  credit_enabled: !charges,
});

const FEES = [
  fee('transfer_p2p', 'sender', 1, true),
  fee('pos_payment', 'processor', 1.2, true),
  fee('wallet_withdraw', 'sender', 1.5, true),
  fee('wallet_withdraw', 'agent', 0.6, false),
  fee('agent_cashin', 'agent', 0.4, false),
];

async function setFees(demo: Demo): Promise<void> {
  for (const setting of FEES) await must(admin(demo).call('PUT', '/fee-settings', setting), 'fee setting');
}
