// Processors for tests: created and logged in through the API; payments and refunds post directly to the payments layer.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Refusal } from '../../src/kernel/refusal.ts';
import type { MovementType } from '../../src/ledger/movement-types.ts';
import { createPayments } from '../../src/payments/execute.ts';
import type { Receipt, Side } from '../../src/payments/plan.ts';
import { assertStatus, type Json, type TestGateway } from './gateway.ts';
import { TEST_ACTOR, testLedger } from './ledger.ts';
import type { Bank, Wallet } from './money.ts';
import { messageTo, openSession } from './staff.ts';

export { assertRefused, messageTo } from './staff.ts';

export interface Merchant {
  id: string;
  merchantId: string;
  userId: string;
  email: string;
  phone: string;
}

let phones = 0;

export function newMerchantBody(extra: Record<string, unknown> = {}) {
  return {
    business_name: 'Lumley Beach Grill',
    contact_name: 'Fatu Sesay',
    phone_number: `+23233${String(++phones).padStart(6, '0')}`,
    email: `merchant.${randomBytes(6).toString('hex')}@example.com`,
    ...extra,
  };
}

export async function newMerchant(kissi: TestGateway, extra: Record<string, unknown> = {}): Promise<Merchant> {
  const body = newMerchantBody(extra);
  const reply = await kissi.asAdmin.post('/processors', body);
  assert.equal(reply.status, 201, reply.text);
  const { id, merchant_id, email, phone_number } = reply.json.processor;
  return { id, merchantId: merchant_id, userId: reply.json.user_id, email, phone: phone_number };
}

/** Logs in the processor's user with the password sent to its phone and returns the access token. */
export async function merchantToken(kissi: TestGateway, { email, phone }: Merchant): Promise<string> {
  const { text } = await messageTo(kissi, phone);
  const password = /^Temporary password: (.+)$/m.exec(text)?.[1] ?? '';
  return (await openSession(kissi, { email, password })).token;
}

/** Stores a bank account, to which the processor can be paid out. Returns its id. */
export async function storeAccount(kissi: TestGateway, processorId: string, number = PAYOUT_ACCOUNT): Promise<string> {
  const body = { account_number: number, bank: 'Rokel Commercial Bank', holder: 'Fatu Sesay' };
  const path = `/api/v1/processors/${processorId}/bank-accounts`;
  const reply = assertStatus(await kissi.call('POST', path, { body, token: await kissi.adminToken() }), 201);
  return reply.json.bank_account.id;
}

/** The bank account of every funded merchant. */
export const PAYOUT_ACCOUNT = 'SL0042001';

export interface DirectPayments {
  /** A `pos_payment` with fees; the processor pays the fee. */
  pay(customer: Wallet, merchant: Merchant, amount: number): Promise<Json>;
  refund(merchant: Merchant, customer: Wallet, amount: number): Promise<Json>;
  /** A processor with a bank account, whose balance comes from one free `partner_cashin`. */
  fundedMerchant(balance: number, extra?: Record<string, unknown>): Promise<Merchant>;
}

export function directPayments(kissi: TestGateway, bank: Bank): DirectPayments {
  const ledger = testLedger({ pool: kissi.db.database.pool, clock: kissi.clock });
  const feeSettings = kissi.gateway.services.fees.settings;
  const nothing = async () => null;
  const rest = { answered: nothing, rules: nothing, feeSettings, stripe: 0 };
  const payments = createPayments({ ledger, clock: kissi.clock, ...rest });

  async function move(type: MovementType, payer: Side, payee: Side, amount: number): Promise<Json> {
    const payment = { type, actor: TEST_ACTOR, payer, payee, amount, key: null };
    const plan = { ...payment, onPosted: (receipt: Receipt) => ({ reply: receipt }) };
    const moved = await payments.execute(plan, await payments.policy(type));
    assert.ok(!(moved instanceof Refusal), JSON.stringify(moved));
    return JSON.parse(moved.json);
  }

  return {
    pay: ({ id }, merchant, amount) =>
      move('pos_payment', { accountId: id, party: 'sender' }, { accountId: merchant.id, party: 'processor' }, amount),
    refund: (merchant, { id }, amount) =>
      move('pos_refund', { accountId: merchant.id, party: 'processor' }, { accountId: id, party: 'recipient' }, amount),
    async fundedMerchant(balance, extra = {}) {
      const merchant = await newMerchant(kissi, extra);
      await storeAccount(kissi, merchant.id);
      const partner: Side = { accountId: bank.partnerId, party: 'sender' };
      if (balance > 0) await move('partner_cashin', partner, { accountId: merchant.id, party: 'processor' }, balance);
      return merchant;
    },
  };
}

export const balanceOf = async (kissi: TestGateway, id: string): Promise<number> => {
  const rows = kissi.db.database.queries.selectFrom('accounts').select('balance').where('id', '=', id);
  return (await rows.executeTakeFirstOrThrow()).balance;
};
