// Bulk payments that are approved and paid, for tests: a merchant with two logins, and waiting until everything is paid.
import assert from 'node:assert/strict';
import type { Actor } from '../../src/audit/log.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import type { Queries } from '../../src/db/database.ts';
import type { TestAgent } from './agents.ts';
import { bulkRows, checkedBulk, csvOf, type FileRow, getBulk } from './bulk-payments.ts';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import type { Bank, Wallet } from './money.ts';
import { directPayments, type Merchant } from './processors.ts';
import { messageTo, openSession, PASSWORD, runChore, staffToken } from './staff.ts';
import { newRequestId } from './terminal.ts';
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
export async function accountOf(
  kissi: TestGateway,
  { id }: { id: string },
): Promise<{ balance: number; held: number }> {
  const { rows } = await kissi.db.query('select balance, held from accounts where id = $1', [id]);
  return { balance: Number(rows[0].balance), held: Number(rows[0].held) };
}

export const IDENTITY = { type: 'national_id', number: 'SL-1234567', full_name: 'Isatu Conteh' };

/** The code that a number without a wallet was sent. */
export async function codeSentTo(kissi: TestGateway, phone: string): Promise<string> {
  const { text } = await waitFor('the code is sent', () => messageTo(kissi, phone));
  return /\b\d{8}\b/.exec(text)?.[0] ?? '';
}

/** As the agent's own login. */
export async function redeemCode(
  kissi: TestGateway,
  agent: TestAgent,
  phone_number: string,
  code: string,
  extra: Json = {},
): Promise<CallReply> {
  const { token } = await openSession(kissi, agent);
  const body = {
    code,
    phone_number,
    pin: agent.pin,
    request_id: newRequestId(),
    identity_document: IDENTITY,
    ...extra,
  };
  return kissi.call('POST', '/api/v1/agents/cashout-code', { body, token });
}

/** A partner's or the treasury's bulk payment with a row for this wallet and one for a number without, whose code an agent redeems. */
export async function paidByOperator(
  kissi: TestGateway,
  query: Record<string, string>,
  { to, agent }: { to: Pick<Wallet, 'phone'>; agent: TestAgent },
): Promise<{ paid: string; redeemed: string }> {
  const [one, other] = [await staffToken(kissi, 'finance_user'), await staffToken(kissi, 'finance_user')];
  const phone = '+23299000777';
  const rows = rowsTo([to, { phone }], '100.00');
  const payment = await checkedBulk(kissi, one, csvOf(rows), { ...query, unclaimed: 'code' });
  assertStatus(await approve(kissi, other, payment), 200);
  await whenEnded(kissi, other, payment);
  const [row] = await bulkRows(kissi, other, payment.id);
  const reply = await redeemCode(kissi, agent, phone, await codeSentTo(kissi, phone));
  return { paid: row?.transaction_id, redeemed: assertStatus(reply, 200).json.transaction_id };
}
