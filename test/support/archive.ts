// A ledger with payments of all kinds over seven quarters, for tests of archives.
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveBooks } from '../../src/app/archive.ts';
import { verifyBooks } from '../../src/app/verification.ts';
import { openDatabase } from '../../src/db/database.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { reportOf, type Verification } from '../../src/ledger/verification/verify.ts';
import { TEST_SHARDS } from './citus.ts';
import { testClock } from './clock.ts';
import { LONG_TIMEOUTS } from './database.ts';
import { type TestGateway, testGateway } from './gateway.ts';
import { newReference as inboundReference, type TestBank, testBank } from './inbound.ts';
import { type Bank, createBank, PIN, type Wallet } from './money.ts';
import { newReference, type PartnerBank, partnerBank } from './partner.ts';
import { SECRETS } from './secrets.ts';
import { runChore } from './staff.ts';
import { type Terminal, terminalOf } from './terminal.ts';

export const HISTORY_MONTHS = 6;
export const START = Date.parse('2023-01-10T09:00:00Z');

export interface OldLedger {
  kissi: TestGateway;
  bank: Bank;
  terminal: Terminal;
  partner: PartnerBank;
  inbound: TestBank;
  /** Pay every month. */
  active: { wallet: Wallet; card: string };
  shop: { wallet: Wallet; card: string };
  /** Paid once, in the first month. */
  idle: Wallet;
  /** The transactions of each month, from the first. */
  months: MonthOfPayments[];
}

export interface MonthOfPayments {
  at: number;
  transfer: string;
  payment: string;
  refund: string;
  cashIn: string;
  /** The inbound id of a credit. */
  credit: string;
}

/** Payments of 21 months; the clock is then in October of the next year. */
export async function oldLedger(): Promise<OldLedger> {
  const clock = testClock(START);
  const kissi = await testGateway({ clock });
  const bank = await createBank(kissi);
  const [terminal, partner, inbound] = [await terminalOf(kissi), await partnerBank(kissi), await testBank(kissi)];
  const [active, shop] = [await bank.customer(10_000_000), await bank.customer(0)];
  const idle = await bank.wallet(50_000);
  const ledger = { kissi, bank, terminal, partner, inbound, active, shop, idle, months: [] as MonthOfPayments[] };
  assert.equal((await transfer(ledger, idle, active.wallet)).status, 200);
  for (let month = 0; month < 21; month++) {
    ledger.months.push(await monthOf(ledger));
    clock.advance(30 * DAY_MS);
  }
  await runChore(kissi, 'write checkpoints');
  await runChore(kissi, 'prune idempotency keys');
  await runChore(kissi, 'seal the audit chain');
  return ledger;
}

export function transfer({ bank }: OldLedger, from: Wallet, to: Wallet, extra: object = {}) {
  const body = { sender_id: from.id, recipient_id: to.id, amount: 1_000, pin: PIN, ...extra };
  return bank.post('/wallet/transfer', body);
}

async function monthOf(ledger: OldLedger): Promise<MonthOfPayments> {
  const { kissi, terminal, partner, inbound, active, shop } = ledger;
  const at = kissi.clock.now();
  const sent = await transfer(ledger, active.wallet, shop.wallet, { request_id: `month-${at}` });
  const paid = await terminal.pay(active.card, { amount: 5_000 });
  const refunded = await terminal.refund(paid.json.transaction_id, { amount: 1_500 });
  const cashIn = await partner.cashIn({ reference: newReference(), phone_number: active.wallet.phone, amount: 700 });
  const credit = await inbound.credit({
    ...{ msisdn: shop.wallet.phone, amount: 900, currency: 'SLE', reference: inboundReference() },
  });
  for (const reply of [sent, paid, refunded, cashIn, credit]) assert.ok(reply.status < 300, reply.text);
  return {
    at,
    transfer: sent.json.transaction_id,
    payment: paid.json.transaction_id,
    refund: refunded.json.transaction_id,
    cashIn: cashIn.json.transaction_id,
    credit: credit.json.data.inbound_id,
  };
}

export const newArchiveDirectory = () => mkdtemp(join(tmpdir(), 'archive-'));

interface ArchiveTestOptions {
  before?: number | null;
  months?: number;
  /** 2,000 as in production: gateways that read histories before know of the archive afterwards. */
  noticeMs?: number;
  report?(line: string): void;
}

/** As npm run ledger:archive does. Returns how many archives were written. */
export async function archive(
  { db, clock }: Pick<TestGateway, 'db' | 'clock'>,
  directory: string,
  { before = null, months = HISTORY_MONTHS, noticeMs = 0, report = () => undefined }: ArchiveTestOptions = {},
): Promise<number> {
  const database = openDatabase({ url: db.url, poolSize: 5, timeouts: LONG_TIMEOUTS, shards: TEST_SHARDS });
  try {
    return await archiveBooks({
      ...{ url: db.url, database, clock, masterKey: SECRETS.MASTER_KEY, directory, before },
      historyMonths: months,
      noticeMs,
      report,
    });
  } finally {
    await database.close();
  }
}

export function verifiedWith({ db }: Pick<TestGateway, 'db'>, directory: string | null): Promise<Verification> {
  return verifyBooks(db.url, SECRETS.MASTER_KEY, directory);
}

export async function assertInOrder(kissi: Pick<TestGateway, 'db'>, directory: string | null): Promise<Verification> {
  const verification = await verifiedWith(kissi, directory);
  assert.ok(verification.clean, reportOf(verification));
  return verification;
}
