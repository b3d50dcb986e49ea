// Bulk payments that are approved and paid, for tests: a merchant with two logins, and waiting until everything is paid.
import assert from 'node:assert/strict';
import type { Actor } from '../../src/audit/log.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import type { Queries } from '../../src/db/database.ts';
import { csvOf, checkedBulk, type FileRow, getBulk } from './bulk-payments.ts';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import type { Bank, Wallet } from './money.ts';
import { directPayments, type Merchant } from './processors.ts';
import { openSession, PASSWORD, runChore } from './staff.ts';
import { waitFor } from './wait.ts';

export interface Payer {
  merchant: Merchant;
  /** Access tokens of its logins, which are independent of each other. */
  uploader: string;
  approver: string;
}

/** A merchant with this balance. */
export async function bulkPayer(kissi: TestGateway, bank: Bank, balance: number): Promise<Payer> {
  const merchant = await directPayments(kissi, bank).fundedMerchant(balance);
  return { merchant, uploader: await loginOf(kissi, merchant), approver: await loginOf(kissi, merchant) };
}

/** Nobody is its author. */
const AUTHOR: Actor = { caller: { kind: 'service', id: 'test' }, ip: '', requestId: 'test' };
let logins = 0;

/** The access token of a new login, of which no user is the author. */
export async function loginOf(kissi: TestGateway, { id }: Pick<Merchant, 'id'>): Promise<string> {
  logins += 1;
  const email = `login.${logins}.${id}@example.com`;
  const names = { first_name: 'Isha', last_name: 'Bangura', phone_number: `+23234${String(logins).padStart(6, '0')}` };
  const fields = { email, ...names, password_hash: await hashPassword(PASSWORD), role: 'processor' as const };
  const { users } = kissi.gateway.services;
  const create = (trx: Queries) => users.createLogin(trx, AUTHOR, { ...fields, owner: { processor_id: id } });
  assert.ok(await kissi.db.database.transact(create));
  return (await openSession(kissi, { email, password: PASSWORD })).token;
}

export async function wallets(bank: Bank, count: number): Promise<Wallet[]> {
  return Promise.all(Array.from({ length: count }, () => bank.wallet()));
}

export const rowsTo = (wallets: readonly Pick<Wallet, 'phone'>[], amount = '10.00'): FileRow[] =>
  wallets.map(({ phone }) => ({ phone, amount }));

/** Uploads the rows and waits until they are checked. */
export function uploaded(
  kissi: TestGateway,
  { uploader }: Payer,
  rows: readonly FileRow[],
  query: Record<string, string> = {},
): Promise<Json> {
  return checkedBulk(kissi, uploader, csvOf(rows), query);
}

export function approve(
  kissi: TestGateway,
  token: string,
  { id, file_sha256 }: Json,
  extra: Record<string, unknown> = {},
): Promise<CallReply> {
  const body = { file_sha256, mode: 'continue', ...extra };
  return kissi.call('POST', `/api/v1/bulk-payments/${id}/approve`, { body, token });
}

export function change(
  kissi: TestGateway,
  token: string,
  { id }: Json,
  what: 'stop' | 'cancel' | 'retry-failed',
): Promise<CallReply> {
  return kissi.call('POST', `/api/v1/bulk-payments/${id}/${what}`, { body: {}, token });
}

export const payDue = (kissi: TestGateway) => runChore(kissi, 'pay bulk payments');

/** Pays what is due until the bulk payment has ended with this status. */
export async function whenEnded(kissi: TestGateway, token: string, { id }: Json, status = 'completed'): Promise<Json> {
  await waitFor(`the bulk payment is ${status}`, async () => {
    await payDue(kissi);
    return (await getBulk(kissi, token, id)).ended_at !== null;
  });
  const payment = await getBulk(kissi, token, id);
  assert.equal(payment.status, status);
  return payment;
}

/** Uploads, approves and pays. */
export async function paid(kissi: TestGateway, payer: Payer, rows: readonly FileRow[]): Promise<Json> {
  const payment = await uploaded(kissi, payer, rows);
  assertStatus(await approve(kissi, payer.approver, payment), 200);
  return whenEnded(kissi, payer.approver, payment);
}

/** What the account has and what is held of it. */
export async function accountOf(kissi: TestGateway, { id }: { id: string }): Promise<{ balance: number; held: number }> {
  const { rows } = await kissi.db.query('select balance, held from accounts where id = $1', [id]);
  return { balance: Number(rows[0].balance), held: Number(rows[0].held) };
}
