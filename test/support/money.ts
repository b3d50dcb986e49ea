// Partners, funded wallets and cards for tests, and a check of the ledger's invariants.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { verifyBooks } from '../../src/app/verification.ts';
import { SYSTEM } from '../../src/audit/log.ts';
import type { Scope } from '../../src/auth/roles.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { AccountKind } from '../../src/ledger/account-kinds.ts';
import { openAccount } from '../../src/ledger/accounts.ts';
import { reportOf } from '../../src/ledger/verification/verify.ts';
import {
  assertRecordsAudited,
  assertStatus,
  type CallReply,
  type TestGateway,
  type TestGatewayOptions,
  testGateway,
} from './gateway.ts';
import { SECRETS } from './secrets.ts';
import { apiKey, messageTo } from './staff.ts';

export const PIN = '1234';
export const WRONG_PIN = '9999';
/** Maximum balance and daily limit of KYC level 1. */
export const MAX_BALANCE = 50_000_000;
export const DAILY_LIMIT = 10_000_000;

const BANK_SCOPES: Scope[] = [
  'payments:read',
  'payments:write',
  'balance:read',
  'cards:read',
  'cards:write',
  'treasury:write',
  'payouts:write',
];

export interface Wallet {
  id: string;
  phone: string;
}

/** A partner bank and an API key, with which tests create, fund and call wallets and cards. */
export interface Bank {
  /** The partner whose clearing account funds the wallets. */
  partnerId: string;
  /** API key with all wallet scopes, treasury:write and payouts:write. */
  key: string;
  keyId: string;
  wallet(balance?: number, extra?: Record<string, unknown>): Promise<Wallet>;
  /** Links a new card to the wallet. */
  card(wallet: Wallet): Promise<string>;
  /** A wallet with this balance and a card linked to it. */
  customer(balance?: number): Promise<{ wallet: Wallet; card: string }>;
  fund(wallet: Wallet, amount: number): Promise<void>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<CallReply>;
  get(path: string): Promise<CallReply>;
  balance(id: string): Promise<number>;
}

export interface BankOptions extends TestGatewayOptions {
  /** Rules of ledger:verify that the tests of the file break, because they write rows themselves. */
  brokenRules?: readonly string[];
}

let phoneCount = 0;
let serialCount = 0;
let fundings = 0;
/** Keys need a request id to fund wallets and agents and to pay out processors. */
export const newFundingId = () => `funding-${++fundings}`;

/** Starts one gateway with a bank for all tests of a file; verifies the ledger and closes the gateway after them. */
export async function bankForFile(options: BankOptions = {}): Promise<{ kissi: TestGateway; bank: Bank }> {
  const kissi = await testGateway(options);
  after(async () => {
    try {
      await assertLedgerConsistent(kissi, options.brokenRules);
      await assertRecordsAudited(kissi, options.unauditedRecords);
    } finally {
      await kissi.close();
    }
  });
  return { kissi, bank: await createBank(kissi) };
}

export async function createBank(kissi: TestGateway): Promise<Bank> {
  const partnerId = await newPartner(kissi);
  const { key, id: keyId } = await apiKey(kissi, BANK_SCOPES);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    kissi.call('POST', `/api/v1${path}`, { body, token: key, headers });

  async function fund({ id }: Wallet, amount: number): Promise<void> {
    const funding = { partner_id: partnerId, subscriber_id: id, amount, request_id: newFundingId() };
    assertStatus(await post('/wallet/fund-from-partner', funding), 200);
  }

  async function newWallet(balance = 0, extra: Record<string, unknown> = {}): Promise<Wallet> {
    const phone = `+23276${String(++phoneCount).padStart(6, '0')}`;
    const body = { phone_number: phone, first_name: 'Aminata', last_name: 'Kamara', pin: PIN, ...extra };
    const reply = assertStatus(await kissi.asAdmin.post('/subscribers', body), 201);
    const wallet = { id: reply.json.subscriber_id, phone };
    if (reply.json.subscriber.phone_verified === false) await verifyPhone(kissi, wallet);
    if (balance > 0) await fund(wallet, balance);
    return wallet;
  }

  async function newCard({ id }: Wallet): Promise<string> {
    const serial = `CARD-${String(++serialCount).padStart(6, '0')}`;
    assertStatus(await post('/cards/link', { card_serial: serial, subscriber_id: id }), 201);
    return serial;
  }

  return {
    partnerId,
    key,
    keyId,
    wallet: newWallet,
    card: newCard,
    async customer(balance = 100_000) {
      const wallet = await newWallet(balance);
      return { wallet, card: await newCard(wallet) };
    },
    fund,
    post,
    get: (path) => kissi.call('GET', `/api/v1${path}`, { token: key }),
    async balance(id) {
      const rows = kissi.db.database.queries.selectFrom('accounts').select('balance').where('id', '=', id);
      return (await rows.executeTakeFirstOrThrow()).balance;
    },
  };
}

/** Enters the code that was sent to the number. */
export async function verifyPhone(kissi: TestGateway, { id, phone }: Wallet): Promise<void> {
  const code = /\b\d{6}\b/.exec((await messageTo(kissi, phone)).text)?.[0];
  assertStatus(await kissi.call('POST', `/api/v1/public/subscribers/${id}/verify`, { body: { code } }), 200);
}

export async function newPartner(kissi: TestGateway, status: 'active' | 'suspended' = 'active'): Promise<string> {
  const id = newId('ptn');
  const now = new Date(kissi.clock.now());
  const limit = Number.MAX_SAFE_INTEGER;
  const row = { id, name: 'Rokel Test Bank', status, outstanding_limit: limit, created_at: now, updated_at: now };
  await kissi.db.database.transact(async (trx) => {
    await trx.insertInto('partners').values(row).execute();
    const event = { action: 'partner.create', resourceType: 'partner', resourceId: id };
    await kissi.gateway.services.audit.record(trx, SYSTEM, event);
  });
  const terms = { floor: -limit, ceiling: 0, frozen: status !== 'active' };
  await openAccount(kissi.db.database.queries, { id, kind: 'partner_clearing', ...terms, openedAt: now });
  return id;
}

/** Inserts an agent with a float account but without a login or PIN. */
export async function newAgentFloat(kissi: TestGateway): Promise<string> {
  const id = newId('agent');
  const now = new Date(kissi.clock.now());
  const names = { business_name: 'Kroo Town Cash Point', first_name: 'Mohamed', last_name: 'Bah' };
  const contact = { phone_number: `+23230${String(++phoneCount).padStart(6, '0')}`, email: `${id}@example.com` };
  const terms = { type: 'super_agent', commission_tier: 'standard', settlement_mode: 'instant' } as const;
  const row = { id, ...terms, ...names, ...contact, created_at: now, updated_at: now };
  await kissi.db.database.transact(async (trx) => {
    await trx.insertInto('agents').values(row).execute();
    const event = { action: 'agent.register', resourceType: 'agent', resourceId: id };
    await kissi.gateway.services.audit.record(trx, SYSTEM, event);
  });
  await openAccount(kissi.db.database.queries, { id, kind: 'agent_float', openedAt: now });
  return id;
}

const LEDGER_INVARIANTS: Record<string, string> = {
  'all balances sum to zero': 'select sum(balance) as wrong from accounts having sum(balance) <> 0',
  'every movement sums to zero': 'select movement_id from postings group by movement_id having sum(amount) <> 0',
  'every posting continues from the balance of the one before': `select * from (
      select account_id, seq, balance_after - amount as before,
        lag(balance_after, 1, 0::bigint) over (partition by account_id order by seq) as last from postings) chain
    where before <> last`,
  "every balance is the sum of its account's postings": `select a.id from accounts a
    left join (select account_id, sum(amount) as sum, count(*) as count, max(seq) as last from postings group by 1) p
      on p.account_id = a.id
    where a.balance <> coalesce(p.sum, 0) or a.posting_count <> coalesce(p.count, 0) or a.last_seq <> coalesce(p.last, 0)`,
};

export async function assertLedgerConsistent(kissi: TestGateway, brokenRules: readonly string[] = []): Promise<void> {
  for (const [invariant, violations] of Object.entries(LEDGER_INVARIANTS)) {
    const { rows } = await kissi.db.query(violations);
    assert.deepEqual(rows, [], invariant);
  }
  const verification = await verifyBooks(kissi.db.url, SECRETS.MASTER_KEY);
  const unexpected = [...verification.broken.keys()].filter((rule) => !brokenRules.includes(rule));
  assert.deepEqual(unexpected, [], reportOf(verification));
}

/** Sum of all accounts of a kind; system accounts are striped. */
export async function totalBalance(kissi: TestGateway, kind: AccountKind): Promise<number> {
  const text = 'select sum(balance) as sum from accounts where kind = $1';
  return Number((await kissi.db.query(text, [kind])).rows[0].sum);
}

export async function movementCount(kissi: TestGateway, accountId: string): Promise<number> {
  const text = 'select count(*)::int as n from movements where from_account = $1 or to_account = $1';
  return (await kissi.db.query(text, [accountId])).rows[0].n;
}
