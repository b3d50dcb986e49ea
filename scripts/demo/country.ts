// The demo's state: the parties with their credentials, and balances as the demo knows them from replies.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src/kernel/clock.ts';
import type { BankBook } from './finance/bank-book.ts';
import type { Occupation } from './plan/people.ts';
import type { Client, Json, Session, SigningKey } from './runtime/client.ts';
import type { WebhookReceiver } from './runtime/receiver.ts';

export interface Subscriber {
  id: string;
  accountNumber: string;
  name: string;
  phone: string;
  pin: string;
  /** Null: none, or retired. */
  card: string | null;
  cardBlocked: boolean;
  town: string;
  occupation: Occupation;
  activity: number;
  employer: string | null;
  /** Minor units, a month. */
  salary: number;
  /** Minor units. Close to the ledger's: other parties' fees and commissions are not included. */
  balance: number;
  /** Blocked, pending or locked subscribers start no payments. */
  status: 'active' | 'blocked' | 'pending' | 'locked';
  pinRefused?: PinRefused;
}

/** Staff have reset the PIN: the demo does not know the new one, and further attempts would lock the account. */
type PinRefused = true;

export interface DemoAgent {
  id: string;
  userId: string;
  type: 'super_agent' | 'sub_agent';
  parent: number | null;
  name: string;
  email: string;
  phone: string;
  town: string;
  pin: string;
  /** Minor units. */
  float: number;
  suspended: boolean;
  pinRefused?: PinRefused;
}

export interface DemoMerchant {
  id: string;
  userId: string;
  merchantId: string;
  name: string;
  email: string;
  town: string;
  /** Minor units. */
  ticket: number;
  weight: number;
  online: boolean;
  refunds: number;
  terminals: string[];
  key: SigningKey;
  /** Minor units received and not paid out yet. */
  balance: number;
  owner: number | null;
  /** Of its webhook endpoint. */
  hook?: { endpointId: string; code: string; webhookSecret: string };
}

export interface DemoBank {
  id: string;
  code: string;
  name: string;
  weight: number;
  webhookSecret: string;
  webhookErrors: number;
  key: SigningKey;
}

/** The bank of examples/bank, which receives its webhooks itself. */
export interface ExampleBank {
  id: string;
  keyId: string;
  secret: string;
  webhookSecret: string;
}

/** What examples/shop needs besides its merchant's key. */
export interface ExampleShop {
  webhookSecret: string;
  /** The lab's customer, who pays in examples. */
  payerId: string;
}

export interface DemoTrustAccount {
  id: string;
  bank: string;
  /** The statement that the user uploads. */
  waiting?: { path: string; mediaType: string };
}

export interface StaffLogin {
  role: string;
  name: string;
  email: string;
  note: string;
}

export interface ApiKey {
  name: string;
  purpose: string;
  id: string;
  key: string;
}

/** Stored in the data folder, so that a later start continues. */
export interface Country {
  seed: string;
  password: string;
  subscribers: Subscriber[];
  agents: DemoAgent[];
  merchants: DemoMerchant[];
  banks: DemoBank[];
  logins: StaffLogin[];
  keys: ApiKey[];
  trustAccounts: DemoTrustAccount[];
  /** Signs cash-in notifications. */
  cashInSecret: string;
  exampleBank?: ExampleBank;
  exampleShop?: ExampleShop;
}

export function emptyCountry(seed: string, password: string): Country {
  const cashInSecret = randomBytes(24).toString('hex');
  const parties = { subscribers: [], agents: [], merchants: [], banks: [], trustAccounts: [] };
  return { seed, password, ...parties, logins: [], keys: [], cashInSecret };
}

/** Numbers of requests that moved money, and of refusals by code. */
export class Tally {
  readonly payments = new Map<string, number>();
  readonly refusals = new Map<string, number>();

  /** An error of the service is none of the country: it ends the history, and is printed during live traffic. */
  count(kind: string, { status, json }: { status: number; json: Json }): void {
    if (status >= 500) throw new Error(`${kind}: ${status} ${JSON.stringify(json)}`);
    const [counts, name] = status === 200 ? [this.payments, kind] : [this.refusals, String(json?.code ?? status)];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  get paid(): number {
    return sum(this.payments);
  }

  get refused(): number {
    return sum(this.refusals);
  }
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0);

/** What the parts of the demo work with. */
export interface Demo {
  country: Country;
  client: Client;
  clock: Clock & { moveTo(ms: number): void };
  receiver: WebhookReceiver;
  tally: Tally;
  /** The session of a member of staff, by email. */
  session(email: string): Session;
  /** What the banks of the trust accounts book; of the history only. */
  bankBook: BankBook;
  /** Runs a periodic task of the service at once: the clock moves over days within seconds. */
  runTask(name: string): Promise<unknown>;
  /** As with access to the server; returns the one-time password. */
  makeAdministrator(person: { email: string; firstName: string; lastName: string }): Promise<string>;
  /** Of the USSD gateway, which the demo plays. */
  ussdSecret: string;
  /** The bearer value of the operator's own key. */
  operatorKey(): string;
}

export const ADMIN = { first: 'Aminata', last: 'Koroma', email: 'admin@kissi.example' };

/** Made with access to the server, and so independent of the first one. */
export const SECOND_ADMIN = { first: 'Joseph', last: 'Macauley', email: 'admin2@kissi.example' };

/** Staff besides the administrators. */
export const STAFF = [
  {
    role: 'finance_user',
    first: 'Isatu',
    last: 'Bangura',
    email: 'finance@kissi.example',
    note: 'floats, reversals, bank statements, closes, reports',
  },
  {
    role: 'finance_user',
    first: 'Daniel',
    last: 'Samura',
    email: 'finance2@kissi.example',
    note: 'approves what the other requests',
  },
  {
    role: 'compliance_user',
    first: 'Mohamed',
    last: 'Jalloh',
    email: 'compliance@kissi.example',
    note: 'alerts, rules, PEP access',
  },
  { role: 'support_user', first: 'Hawa', last: 'Kallon', email: 'support@kissi.example', note: 'customers and cards' },
  {
    role: 'sales_user',
    first: 'Sahr',
    last: 'Gborie',
    email: 'sales@kissi.example',
    note: 'merchants and new customers',
  },
  {
    role: 'audit_user',
    first: 'Victoria',
    last: 'Cole',
    email: 'audit@kissi.example',
    note: 'reads customers, payments, alerts, reports and the audit log',
  },
] as const;
