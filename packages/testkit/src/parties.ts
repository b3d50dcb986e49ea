// Makes customers, cards, agents, merchants, partners, API keys and staff through the API, as an administrator.
import { Kissi, type KissiOptions, type PendingApproval } from '@kissi/client';
import { ADMIN } from './service.ts';
import type { Key } from './signing.ts';

export interface ApiKey extends Key {
  bearer: string;
}

export interface Customer {
  id: string;
  phone: string;
  accountNumber: string;
}

export interface Wallet extends Customer {
  card: string;
}

export interface Login {
  email: string;
  password: string;
}

export interface Agent extends Login {
  id: string;
  phone: string;
  pin: string;
}

export interface Merchant {
  id: string;
  merchantId: string;
  email: string;
  phone: string;
}

export interface Partner {
  id: string;
  webhookSecret: string;
  key: ApiKey;
}

export const PIN = '4821';
const PARTNER_SCOPES = ['payments:read', 'payments:write', 'inbound:read', 'inbound:write'] as const;

type Scope = Parameters<Kissi['apiKeys']['create']>[0]['scopes'][number];
type Role = Parameters<Kissi['users']['create']>[0]['role'];

let made = 0;
const newPhone = (network: number) => `+232${network}${String(++made).padStart(6, '0')}`;

/** The client of the first administrator, whom the service creates with UNLIMITED. */
export function administrator(baseUrl: string, options: Partial<KissiOptions> = { login: ADMIN }): Kissi {
  return new Kissi({ baseUrl, ...options });
}

/** One after the other: a new service has few database connections and could reject concurrent requests with 503. */
export async function times<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let n = 0; n < count; n++) all.push(await make(n));
  return all;
}

/** What was made. These services need no second administrator. */
function executed<Reply extends object>(reply: Reply): Exclude<Reply, PendingApproval> {
  if ('approval' in reply) throw new Error('the request waits for an approval');
  return reply as Exclude<Reply, PendingApproval>;
}

/** Enters the code that was sent to the phone, if the service requires it. `fields` replace the request's. */
export async function makeCustomer(admin: Kissi, fields: object = {}): Promise<Customer> {
  const names = { first_name: 'Aminata', last_name: 'Kamara' };
  const { subscriber } = await admin.subscribers.register({
    phone_number: newPhone(76),
    ...names,
    pin: PIN,
    ...fields,
  });
  const { id, phone_number: phone, account_number: accountNumber } = subscriber;
  if (subscriber.phone_verified === false) {
    await admin.registration.verify(id, { code: codeIn(await readMessage(admin, phone)) });
  }
  return { id, phone, accountNumber };
}

export async function makeWallet(admin: Kissi, fields: object = {}): Promise<Wallet> {
  const customer = await makeCustomer(admin, fields);
  const card = `TEST-${String(++made).padStart(6, '0')}`;
  await admin.cards.link({ card_serial: card, subscriber_id: customer.id });
  return { ...customer, card };
}

/** A super-agent, or a sub-agent of `parentId`. */
export async function makeAgent(admin: Kissi, parentId?: string): Promise<Agent> {
  const type = parentId
    ? ({ agent_type: 'sub_agent', parent_agent_id: parentId } as const)
    : ({ agent_type: 'super_agent' } as const);
  const names = { business_name: 'Kissy Road Traders', first_name: 'Ibrahim', last_name: 'Conteh' };
  const [phone, email] = [newPhone(77), `agent${made}@example.com`];
  const { agent_id: id } = executed(await admin.agents.register({ ...type, ...names, phone_number: phone, email }));
  const text = await readMessage(admin, phone);
  return { id, phone, email, password: valueIn(text, 'Password'), pin: valueIn(text, 'PIN') };
}

export async function makeMerchant(admin: Kissi, fields: object = {}): Promise<Merchant> {
  const contact = { contact_name: 'Fatmata Sesay', phone_number: newPhone(78), email: `merchant${made}@example.com` };
  const { processor } = await admin.processors.create({ business_name: 'Lumley Beach Grill', ...contact, ...fields });
  const { id, merchant_id: merchantId, email, phone_number: phone } = processor;
  return { id, merchantId, email, phone };
}

/** Without an owner unless `fields` name one. */
export async function makeKey(admin: Kissi, scopes: readonly Scope[], fields: object = {}): Promise<ApiKey> {
  const isLimited = scopes.some((scope) => scope === 'treasury:write' || scope === 'payouts:write');
  const limit = isLimited ? { daily_limit: Number.MAX_SAFE_INTEGER } : {};
  const { api_key, key, secret } = executed(
    await admin.apiKeys.create({ name: 'Test key', scopes: [...scopes], ...limit, ...fields }),
  );
  return { id: api_key.id, bearer: key ?? '', secret };
}

export async function makePartner(
  admin: Kissi,
  fields: object = {},
  scopes: readonly Scope[] = PARTNER_SCOPES,
): Promise<Partner> {
  const { partner, webhook_secret } = executed(await admin.partners.create({ name: 'Rokel Test Bank', ...fields }));
  const key = await makeKey(admin, scopes, { partner_id: partner.id });
  return { id: partner.id, webhookSecret: webhook_secret, key };
}

export async function makeStaff(admin: Kissi, role: Role, fields: object = {}): Promise<Login & { id: string }> {
  const login = { email: `user${++made}@example.com`, password: `Staff-Word-${made}` };
  const names = { first_name: 'Test', last_name: 'Person' };
  const { user_id: id, user } = executed(await admin.users.create({ ...login, ...names, role, ...fields }));
  return { ...login, email: user.email, id };
}

/** The newest message to a phone, among the latest. */
export async function readMessage(admin: Kissi, phone: string): Promise<string> {
  const { messages } = await admin.messages.list({ limit: 100 });
  return messages.find(({ to }) => to === phone)?.text ?? '';
}

/** The value of a line such as "PIN: 1234". */
export function valueIn(message: string, name: string): string {
  return new RegExp(`^${name}: (\\S+)$`, 'm').exec(message)?.[1] ?? '';
}

/** The six digits of a code. */
export function codeIn(message: string): string {
  return /\b\d{6}\b/.exec(message)?.[0] ?? '';
}

/** The parties of random payments. */
export interface Parties {
  adminToken: string;
  /** An API key that belongs to no partner or processor. */
  key: ApiKey;
  wallets: Wallet[];
  superAgent: Agent;
  subAgents: Agent[];
  merchants: Merchant[];
  partners: Partner[];
  /** A partner with a very low outstanding limit: most of its credits are refused. */
  limitedPartner: Partner;
  /** Requests to pay, if the lab is on. */
  asked: { id: string; merchant: string; amount: number | null }[];
}

const SCOPES = [
  'payments:read',
  'payments:write',
  'balance:read',
  'cards:read',
  'cards:write',
  'subscribers:write',
  'treasury:write',
  'payouts:write',
] as const;

export async function makeParties(admin: Kissi, webhookUrl?: string): Promise<Parties> {
  const webhook = webhookUrl ? { webhook_url: webhookUrl } : {};
  const superAgent = await makeAgent(admin);
  const [key, wallets, subAgents, merchants, partners, limitedPartner] = await Promise.all([
    makeKey(admin, SCOPES),
    times(24, () => makeWallet(admin)),
    times(2, () => makeAgent(admin, superAgent.id)),
    times(3, () => makeMerchant(admin)),
    times(2, () => makePartner(admin, webhook)),
    makePartner(admin, { ...webhook, outstanding_limit: 5_000 }),
  ]);
  const adminToken = admin.tokens?.token ?? '';
  return { adminToken, key, wallets, superAgent, subAgents, merchants, partners, limitedPartner, asked: [] };
}
