// The part of the scenario about finance, reports, fees and compliance.
import assert from 'node:assert/strict';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { camtFile, csvFile, mt940File } from '../support/bank-files.ts';
import type { Json } from '../support/gateway.ts';
import { merchantToken } from '../support/processors.ts';
import { bulkPayments } from './bulk-payments.ts';
import type { People } from './customers.ts';
import type { Scene } from './scene.ts';

export async function finance(scene: Scene, people: People): Promise<void> {
  await compliance(scene, people);
  await fees(scene);
  await payouts(scene, people);
  await ownKeys(scene, people);
  await bankStatements(scene);
  await suspense(scene, people);
  await bulkPayments(scene, people);
  const { send } = scene;
  const settlement = { amount: 100_000, reference: 'RCB-SETTLE-0301', request_id: 'settle-2026-0001' };
  await send('POST', `/admin/partners/${people.partner.id}/settle`, settlement);
  for (const path of ['/overview', '/counts', '/series?metric=value&step=day&from=2026-03-01&to=2026-03-01'])
    await send('GET', `/admin${path}`);
  for (const path of ['/ledger/accounts?limit=2', '/ledger/trial-balance', '/agents/float'])
    await send('GET', `/admin${path}`);
}

async function compliance({ send, refused }: Scene, { aminata, mohamed }: People): Promise<void> {
  const { rule } = await send('POST', '/compliance/rules', {
    ...{ name: 'Large transfers', kind: 'amount', side: 'payer', transaction_types: ['transfer_p2p'] },
    ...{ outcome: 'block', severity: 'HIGH', threshold: 800_000 },
  });
  await send('GET', '/compliance/rules?limit=2');
  await send('GET', `/compliance/rules/${rule.id}`);
  await send('POST', '/compliance/rules/what-if', {
    ...{ name: 'Many transfers', kind: 'velocity_count', transaction_types: ['transfer_p2p'] },
    ...{ outcome: 'flag', threshold: 1, window_seconds: 86_400 },
  });
  await send('POST', `/compliance/rules/${rule.id}/what-if`, { threshold: 10_000 });
  await send('POST', '/compliance/check', {
    subscriber_id: aminata.id,
    transaction_type: 'transfer_p2p',
    amount: 900_000,
  });
  const { key } = await send('POST', '/admin/api-keys', { name: 'Checks', scopes: ['payments:write'], bearer: true });
  const blocked = {
    sender_id: aminata.id,
    recipient_id: mohamed.id,
    amount: 900_000,
    pin: '4821',
    request_id: 'p2p-2026-0009',
  };
  await refused('COMPLIANCE_BLOCKED', 'POST', '/wallet/transfer', blocked, { token: key });
  await send('PUT', `/compliance/rules/${rule.id}`, { threshold: 900_000, outcome: 'flag' });
  const { alert } = await send('POST', '/compliance/alerts', {
    ...{
      severity: 'MEDIUM',
      type: 'manual',
      description: 'Three cash-ins within ten minutes',
      subscriber_id: aminata.id,
    },
  });
  await send('GET', '/compliance/alerts?limit=2');
  await send('GET', `/compliance/alerts/${alert.id}`);
  await send('PUT', `/compliance/alerts/${alert.id}`, { status: 'in_review', notes: 'Called the holder' });
  await send('POST', `/compliance/alerts/${alert.id}/assign`);
  await send('POST', `/compliance/alerts/${alert.id}/release`);
  await send('POST', `/compliance/alerts/${alert.id}/resolve`, {
    resolution: 'Market trader; the cash-ins are daily sales.',
    outcome: 'customer_explained',
  });
  await send('GET', `/compliance/network/${aminata.id}?days=7`);
  await send('GET', '/compliance/account-rules');
  await send('GET', '/account-rules/1');
}

async function fees({ send }: Scene): Promise<void> {
  await send('GET', '/fee-quote?transaction_type=transfer_p2p&amount=10000');
  const setting = { transaction_type: 'transfer_p2p', party_type: 'sender', fee_type: 'percentage', fee_value: 0.5 };
  await send('PUT', '/fee-settings', { ...setting, debit_enabled: true });
  await send('GET', '/fee-settings?transaction_type=transfer_p2p');
  await send('GET', '/fee-settings/transfer_p2p/sender');
  await send('DELETE', '/fee-settings/transfer_p2p/sender');
  await send('POST', '/fee-settings/what-if', { settings: [setting] });
  await send('PUT', '/admin/commission-tiers', { standard: 100, premium: 125 });
  await send('GET', '/admin/commission-tiers');
}

async function ownKeys({ kissi, send }: Scene, { processor }: People): Promise<void> {
  const { id, email, phone_number: phone } = processor;
  const token = await merchantToken(kissi, { id, email, phone, merchantId: '', userId: '' });
  const key = { name: 'Lumley terminal 2', scopes: ['payments:read', 'payments:write'] };
  const { api_key } = await send('POST', `/processors/${id}/keys`, key, { token });
  await send('DELETE', `/processors/${id}/keys/${api_key.id}`, undefined, { token });
  const person = { first_name: 'Isha', last_name: 'Bangura', phone_number: '+23233112244' };
  await send('POST', `/processors/${id}/users`, { email: 'grill.office@example.com', ...person });
}

async function payouts({ send, refused, kissi }: Scene, { processor, aminata }: People): Promise<void> {
  const path = `/processors/${processor.id}`;
  await send('POST', `${path}/transfer`, { to_subscriber_id: aminata.id, amount: 5_000, request_id: 'proc-2026-0001' });
  const account = { account_number: '003-001234567801', bank: 'Rokel Commercial Bank', holder: 'Lumley Beach Grill' };
  const added = await send('POST', `${path}/bank-accounts`, account);
  const bank_account = added.bank_account.id;
  await refused('DUPLICATE_BANK_ACCOUNT', 'POST', `${path}/bank-accounts`, account);
  await send('GET', `${path}/bank-accounts`);
  const closed = await send('POST', `${path}/bank-accounts`, { ...account, account_number: '003-001234567802' });
  await send('DELETE', `${path}/bank-accounts/${closed.bank_account.id}`);
  const payout = await send('POST', `${path}/payout`, { amount: 40_000, bank_account, request_id: 'payout-2026-0001' });
  await refused('INSUFFICIENT_BALANCE', 'POST', `${path}/payout`, {
    amount: 9_000_000,
    bank_account,
    request_id: 'payout-2026-0002',
  });
  await send('GET', `${path}/payouts?limit=2`);
  await send('GET', '/admin/payouts?limit=2');
  await send('GET', `${path}/keys?limit=2`);
  await send('GET', `${path}/payouts/${payout.transaction_id}/bank-entries`);
  const back = { reason: 'The account is closed', request_id: 'return-2026-0001' };
  await send('POST', `${path}/payouts/${payout.transaction_id}/return`, back);
  await send('GET', `${path}/transactions?limit=2`);
  const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  await send('GET', `${path}/takings?from=${day}`);
  await send('POST', `${path}/suspend`, { reason: 'Contract under review' });
  await send('POST', `${path}/reactivate`);
}

async function bankStatements({ send, kissi }: Scene): Promise<void> {
  const account = { name: 'Customer funds', bank: 'Rokel Commercial Bank', account_number: '0030012345678' };
  const { trust_account } = await send('POST', '/admin/trust-accounts', account);
  const path = `/admin/trust-accounts/${trust_account.id}`;
  await send('GET', '/admin/trust-accounts?limit=2');
  await send('GET', path);
  await send('PUT', path, { name: 'Customer funds, Freetown' });
  const today = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  const amounts = [5_000, -5_000, 6_000, -6_000, 7_000, -7_000, -500, 5_000_000];
  const entries = amounts.map((amount, index) => ({ amount, reference: `ROKEL-${index + 1}`, description: 'Counter' }));
  await earlierStatements({ send } as Scene, path, today);
  const file = { raw: csvFile({ from: today, opening: 1_000_000, entries }), headers: { 'content-type': 'text/csv' } };
  const { statement } = await send('POST', `${path}/statements`, undefined, file);
  await send('POST', `${path}/statements`, undefined, file);
  await send('GET', `${path}/statements?limit=2`);
  await send('GET', `${path}/statements/${statement.id}`);
  await send('GET', `${path}/statements/${statement.id}/file`);
  const { entries: listed } = await send('GET', `${path}/statements/${statement.id}/entries?limit=100`);
  await reconcile({ send } as Scene, (amount) => listed.find((entry: Json) => entry.amount === amount).id);
}

/** In the other two formats; each continues the previous one. */
async function earlierStatements({ send }: Scene, path: string, today: string): Promise<void> {
  const day = (before: number) => new Date(Date.parse(today) - before * DAY_MS).toISOString().slice(0, 10);
  const entry = (amount: number, reference: string) => ({ amount, reference, description: 'Cash deposit' });
  const mt940 = mt940File({ from: day(2), opening: 900_000, entries: [entry(60_000, 'ROKEL-A')] });
  const camt = camtFile({ from: day(1), opening: 960_000, entries: [entry(40_000, 'ROKEL-B')] });
  for (const [type, raw] of [['text/plain', mt940] as const, ['application/xml', camt] as const]) {
    await send('POST', `${path}/statements`, undefined, { raw, headers: { 'content-type': type } });
  }
}

async function reconcile({ send }: Scene, entry: (amount: number) => string): Promise<void> {
  const route = '/admin/reconciliation';
  const pair = (amount: number) => ({ bank_entry_ids: [entry(amount), entry(-amount)], transaction_ids: [] });
  const { match } = await send('POST', `${route}/matches`, { ...pair(5_000), note: 'Cheque returned the same day' });
  await send('GET', `${route}/matches/${match.id}`);
  await send('GET', `${route}/matches?limit=2`);
  await send('DELETE', `${route}/matches/${match.id}`);
  const items = { bank_entry_ids: [entry(-500)] };
  await send('POST', `${route}/assign`, items);
  await send('POST', `${route}/release`, items);
  const charges = { bank_entry_ids: [entry(-500)], transaction_ids: [], reason: 'SMS charges of the bank' };
  await send('POST', `${route}/write-offs`, charges);
  await send('POST', `${route}/run`);
  await send('GET', `${route}?limit=2`);
  const { suggestions } = await send('GET', `${route}/suggestions?limit=2`);
  await send('POST', `${route}/suggestions/${suggestions[0].id}/accept`, {
    note: 'Float deposit of Kissy Road Traders',
  });
}

async function suspense({ send }: Scene, { partner }: People): Promise<void> {
  const { suspense: items } = await send('GET', '/admin/suspense?limit=2');
  const resolution = { partner_id: partner.id, reason: 'Confirmed by the bank', request_id: 'suspense-2026-0001' };
  await send('POST', `/admin/suspense/${items[0].transaction_id}/resolve`, resolution);
}

/** Last, because the clock moves to the next day. */
export async function closes({ send, refused, kissi, renew }: Scene): Promise<void> {
  const date = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  await refused('DAY_NOT_OVER', 'POST', '/admin/closes', { date });
  kissi.clock.advance(DAY_MS);
  await renew();
  await send('GET', `/admin/closes/${date}/figures`);
  const { close } = await send('POST', '/admin/closes', { date });
  assert.ok(close.id);
  await send('GET', '/admin/closes?limit=2');
  await send('GET', `/admin/closes/${date}`);
  await send('GET', `/admin/closes/${date}.pdf`);
  await send('GET', '//.well-known/kissi-keys.json');
}
