// docs/chart-of-accounts.md: the accounts, and the journal entry of every movement type, generated from the registry.
import { ACCOUNT_KINDS, type AccountKind } from '../ledger/account-kinds.ts';
import { isEMoney } from '../ledger/e-money.ts';
import { ALL_TYPES, MOVEMENT_TYPES, type MovementType, type Party } from '../ledger/movement-types.ts';
import { STRIPES, SYSTEM_ACCOUNTS } from '../ledger/system-accounts.ts';

/** Whose account it is, and what its balance means. */
const MEANING: Record<AccountKind, { owner: string; balance: string }> = {
  wallet: { owner: 'a customer', balance: 'what the operator owes the customer' },
  agent_float: { owner: 'an agent', balance: 'e-money the agent can sell for cash' },
  agent_commission: { owner: 'an agent', balance: 'commission earned and not yet settled into the float' },
  processor: { owner: 'a merchant', balance: 'what the operator owes the merchant' },
  partner_clearing: { owner: 'a partner bank', balance: 'negative: what the partner owes for credits it ordered' },
  fee_income: { owner: 'the operator', balance: 'fees earned, less commissions paid' },
  treasury: { owner: 'the operator', balance: 'negative: e-money issued against money in the trust accounts' },
  suspense: { owner: 'the operator', balance: 'negative: credits whose payer is not yet identified' },
  payouts_in_transit: { owner: 'the operator', balance: "pay-outs on their way to the merchants' banks" },
};

/** What causes it. Paths are relative to /api/v1, except webhooks. */
const CAUSES: Record<MovementType, string> = {
  transfer_p2p: '`POST /wallet/transfer`, `POST /wallet/transfer-p2p`',
  agent_cashin: '`POST /agents/cashin`',
  pos_payment: '`POST /pos/payment`, `POST /payment`',
  vult_fund: '`POST /wallet/fund-from-partner`, a row of a bulk payment by a partner',
  wallet_withdraw: '`POST /wallet/withdraw`',
  inbound_credit: '`POST /inbound/credit`',
  inbound_reversal: '`POST /admin/inbound/{inbound_id}/reverse`',
  partner_cashin: '`POST /partner/cashin`, `POST /webhooks/partner/cashin`',
  suspense_resolution: '`POST /admin/suspense/{transaction_id}/resolve` with `partner_id`',
  suspense_refund: '`POST /admin/suspense/{transaction_id}/resolve` with `refund`',
  partner_settlement: '`POST /admin/partners/{id}/settle`',
  agent_fund: '`POST /agents/{id}/fund`',
  agent_return: '`POST /agents/{id}/return-float`',
  agent_transfer: '`POST /agents/transfer`',
  commission_settlement: 'the end of a UTC day or ISO week, or the end of an agency',
  processor_transfer: '`POST /processors/{id}/transfer`, a row of a bulk payment by a merchant or the treasury',
  processor_payout: '`POST /processors/{id}/payout`',
  payout_returned: '`POST /processors/{id}/payouts/{transaction_id}/return`',
  payout_cleared: "the bank's debit is matched: `POST /admin/reconciliation/matches`",
  payout_uncleared:
    "that match is undone: `DELETE /admin/reconciliation/matches/{id}`; or the bank's credit for a returned pay-out is matched",
  recall: '`POST /me/cases/{id}/accept`, `POST /cases/{id}/legal-order`',
  unclaimed_payment:
    'an agent redeems the code of a bulk payment to a number without a wallet: `POST /agents/cashout-code`',
  pos_refund: '`POST /pos/refund`, `POST /payment/refund`, `POST /processors/{id}/refunds`',
};

export function chartOfAccounts(): string {
  return `# Chart of accounts

Every movement is one journal entry: its postings sum to zero, and it is committed completely or not at all. A debit
(Dr) lowers an account's balance and a credit (Cr) raises it. Accounts with a positive balance are what the operator
owes; accounts with a negative balance are what others owe the operator. All balances sum to zero.

E-money is the sum of the accounts that somebody can claim. The trust accounts at banks must cover it: finance imports
their statements and matches them ([finance guide](guides/finance.md)). Trust accounts are not accounts of this ledger.

This page is generated from the source code by \`npm run docs\`. A test posts every movement type through the API and
compares the postings with it.

## Accounts

| kind | owner | how many | e-money | balance |
|---|---|---|---|---|
${ACCOUNT_KINDS.map(accountRow).join('\n')}

The operator's striped accounts count as one account each. A gateway posts to its own stripe, so that gateways do not
wait for each other.

## Journal entries

The debit and the credit are the amount of the movement. A fee charged to a party is added to its debit, or deducted
from its credit; a commission is the reverse. The last column has the entry's other accounts, if fees or
commissions are due.

| movement type | cause | Dr | Cr | fees and commissions |
|---|---|---|---|---|
${ALL_TYPES.map(entryRow).join('\n')}

\`fee_income\` is credited with the fees less the commissions, and debited if the commissions are higher.
\`agent_commission\` is credited if the agent's commission is settled later; otherwise it is added to the float. A refund
takes back the commission that the payment paid.

## Example

A customer sends 125.00 SLE to another customer with the default fee of 1.5 %:

| account | Dr | Cr |
|---|---|---|
| \`wallet\` of the sender | 126.88 | |
| \`wallet\` of the recipient | | 125.00 |
| \`fee_income\` | | 1.88 |
`;
}

function accountRow(kind: AccountKind): string {
  const { owner, balance } = MEANING[kind];
  return `| \`${kind}\` | ${owner} | ${howMany(kind)} | ${isEMoney(kind) ? 'yes' : ''} | ${balance} |`;
}

function howMany(kind: AccountKind): string {
  const ids = [...SYSTEM_ACCOUNTS].filter(([, each]) => each === kind).map(([id]) => id);
  if (ids.length === 0) return 'one each';
  return ids.length === STRIPES ? `${STRIPES} stripes, \`${ids[0]}\` to \`${ids.at(-1)}\`` : `one, \`${ids[0]}\``;
}

function entryRow(type: MovementType): string {
  const [payer, payee] = MOVEMENT_TYPES[type].accounts;
  return `| \`${type}\` | ${CAUSES[type]} | ${named(payer)} | ${named(payee)} | ${named(feeAccounts(type))} |`;
}

function named(kinds: readonly AccountKind[]): string {
  return kinds.map((kind) => `\`${kind}\``).join(' or ');
}

function feeAccounts(type: MovementType): readonly AccountKind[] {
  const { priced, parties }: { priced: boolean; parties: readonly Party[] } = MOVEMENT_TYPES[type];
  // Priced as a withdrawal, at the terms of the hold.
  if (type === 'unclaimed_payment') return ['fee_income', 'agent_commission'];
  if (type === 'pos_refund') return ['fee_income'];
  if (!priced) return [];
  return parties.includes('agent') ? ['fee_income', 'agent_commission'] : ['fee_income'];
}
