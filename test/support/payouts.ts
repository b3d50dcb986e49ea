// Pay-outs, their debits and credits at the bank, and their returns, for tests.
import assert from 'node:assert/strict';
import { type User, user } from './approvals.ts';
import { assertStatus, type CallReply } from './gateway.ts';
import { bankForFile, newFundingId } from './money.ts';
import { directPayments, type Merchant } from './processors.ts';
import { financeOf, INSERTED_STATEMENTS } from './reconciliation.ts';

export const IN_TRANSIT = 'sys_payouts_in_transit';
export const AMOUNT = 4_000;

export interface PaidOut {
  merchant: Merchant;
  payoutId: string;
}

/** One gateway, whose user of finance makes pay-outs of 4,000 from merchants with 10,000. */
export async function payoutsForFile() {
  const { kissi, bank } = await bankForFile({
    ...INSERTED_STATEMENTS,
    brokenRules: [...INSERTED_STATEMENTS.brokenRules, 'account_terms_differ', 'recent_differs'],
  });
  const payments = directPayments(kissi, bank);
  const maker: User = await user(kissi, 'finance_user');
  const finance = await financeOf(kissi, maker.token);

  async function inTransit(): Promise<PaidOut & { reference: string }> {
    const merchant = await payments.fundedMerchant(10_000);
    const body = { amount: AMOUNT, bank_account: 'SL0042001', request_id: newFundingId() };
    const reply = await kissi.call('POST', `/api/v1/processors/${merchant.id}/payout`, { body, token: maker.token });
    assert.equal(reply.status, 200, reply.text);
    return { merchant, payoutId: reply.json.transaction_id, reference: reply.json.reference };
  }

  /** A pay-out whose debit at the bank is matched. */
  async function cleared(): Promise<PaidOut & { debit: string; matchId: string }> {
    const { merchant, payoutId, reference } = await inTransit();
    const [debit = ''] = await finance.statement({ amount: -AMOUNT, reference });
    const match = assertStatus(await finance.match([debit], [payoutId]), 201);
    return { merchant, payoutId, debit, matchId: match.json.match.id };
  }

  async function credit(amount = AMOUNT): Promise<string> {
    const [entry] = await finance.statement({ amount });
    return String(entry);
  }

  const giveBack = ({ merchant, payoutId }: PaidOut, fields: object = {}): Promise<CallReply> =>
    kissi.call('POST', `/api/v1/processors/${merchant.id}/payouts/${payoutId}/return`, {
      body: { reason: 'Account closed', ...fields },
      token: maker.token,
    });

  async function claims(): Promise<number> {
    const { rows } = await kissi.db.query('select count(*)::int as n from payout_return_claims');
    return rows[0].n;
  }

  return { kissi, bank, maker, finance, inTransit, cleared, credit, giveBack, claims };
}
