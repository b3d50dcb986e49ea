// The parties of a fault run: wallets, agents, merchants and partners, created through the API before the first fault.
import { ADMIN } from '@kissi/testkit/service';
import { ALERT_RULES } from './journal.ts';

export const PIN = '4821';

export interface Key {
  id: string;
  bearer: string;
  secret: string;
}

export interface Wallet {
  id: string;
  phone: string;
  card: string;
}

export interface Agent {
  id: string;
  pin: string;
}

export interface Merchant {
  id: string;
  merchantId: string;
}

export interface Partner {
  id: string;
  webhookSecret: string;
  key: Key;
}

export interface Parties {
  adminToken: string;
  /** An API key that belongs to no partner or processor. */
  key: Key;
  wallets: Wallet[];
  superAgent: Agent;
  subAgents: Agent[];
  merchants: Merchant[];
  partners: Partner[];
  /** A partner with a very low outstanding limit: most of its credits are refused. */
  limitedPartner: Partner;
}

const WALLETS = 24;
const SCOPES = [
  'payments:read',
  'payments:write',
  'balance:read',
  'cards:read',
  'cards:write',
  'subscribers:write',
  'treasury:write',
  'payouts:write',
];
const PARTNER_SCOPES = ['payments:write', 'inbound:read', 'inbound:write'];

type Json = Record<string, unknown>;
type Call = (path: string, body?: object) => Promise<Json>;

export async function createParties(url: string, webhookUrl: string): Promise<Parties> {
  const { token } = await call(url, '')('/admin/login', ADMIN);
  const api = call(url, String(token));
  await makeRule(api, 'flag', ALERT_RULES.flagAbove);
  await makeRule(api, 'block', ALERT_RULES.blockAbove);
  const superAgent = await makeAgent(api, 0);
  const webhook = { webhook_url: webhookUrl };
  const [key, wallets, subAgents, merchants, partners, limitedPartner] = await Promise.all([
    makeKey(api, { scopes: SCOPES, daily_limit: Number.MAX_SAFE_INTEGER }),
    times(WALLETS, (n) => makeWallet(api, n)),
    times(2, (n) => makeAgent(api, n + 1, superAgent.id)),
    times(3, (n) => makeMerchant(api, n)),
    times(2, (n) => makePartner(api, { name: `Bank ${n}`, ...webhook })),
    makePartner(api, { name: 'Poor Bank', ...webhook, outstanding_limit: 5_000 }),
  ]);
  return { adminToken: String(token), key, wallets, superAgent, subAgents, merchants, partners, limitedPartner };
}

/** Runs sequentially: a new service has few database connections, and concurrent requests could be rejected with 503. */
async function times<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let n = 0; n < count; n++) made.push(await make(n));
  return made;
}

function call(url: string, token: string): Call {
  return async (path, body) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(`${url}/api/v1${path}`, sent);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Json;
  };
}

function makeRule(api: Call, outcome: string, threshold: number): Promise<Json> {
  const rule = { name: `${outcome} above ${threshold}`, kind: 'amount', transaction_types: ALERT_RULES.types };
  return api('/compliance/rules', { ...rule, threshold, outcome });
}

async function makeKey(api: Call, body: object): Promise<Key> {
  const { api_key, key, secret } = await api('/admin/api-keys', { name: 'faults', ...body });
  return { id: (api_key as { id: string }).id, bearer: String(key), secret: String(secret) };
}

async function makeWallet(api: Call, n: number): Promise<Wallet> {
  const phone = `+2327600${String(n).padStart(4, '0')}`;
  const body = { phone_number: phone, first_name: 'Aminata', last_name: 'Kamara', pin: PIN };
  const id = String((await api('/subscribers', body)).subscriber_id);
  const card = `FAULTS-${String(n).padStart(4, '0')}`;
  await api('/cards/link', { card_serial: card, subscriber_id: id });
  return { id, phone, card };
}

async function makeAgent(api: Call, n: number, parent?: string): Promise<Agent> {
  const phone = `+2327700${String(n).padStart(4, '0')}`;
  const names = { business_name: `Cash Point ${n}`, first_name: 'Ibrahim', last_name: 'Conteh' };
  const type = parent ? { agent_type: 'sub_agent', parent_agent_id: parent } : { agent_type: 'super_agent' };
  const body = { ...type, ...names, phone_number: phone, email: `agent${n}@example.com` };
  const id = String((await api('/agents', body)).agent_id);
  const { messages } = (await api('/admin/messages?limit=100')) as { messages: { to: string; text: string }[] };
  const text = messages.find(({ to }) => to === phone)?.text ?? '';
  return { id, pin: /^PIN: (\d{4})$/m.exec(text)?.[1] ?? '' };
}

async function makeMerchant(api: Call, n: number): Promise<Merchant> {
  const merchantId = `SHOP-${n}`;
  const contact = { contact_name: 'Fatmata Sesay', phone_number: `+2327800${String(n).padStart(4, '0')}` };
  const body = { business_name: `Shop ${n}`, merchant_id: merchantId, email: `merchant${n}@example.com`, ...contact };
  return { id: String((await api('/processors', body)).processor_id), merchantId };
}

async function makePartner(api: Call, settings: object): Promise<Partner> {
  const { partner, webhook_secret } = await api('/admin/partners', settings);
  const { id } = partner as { id: string };
  const key = await makeKey(api, { scopes: PARTNER_SCOPES, partner_id: id });
  return { id, webhookSecret: String(webhook_secret), key };
}
