// Tampering by the database's owner, who knows the source but not MASTER_KEY: ledger:verify detects each change.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { verifyBooks } from '../../src/app/verification.ts';
import { reportOf } from '../../src/ledger/verification/verify.ts';
import { agentToken, fundAgent, newAgent, newSubAgent } from '../support/agents.ts';
import { changeRows } from '../support/citus.ts';
import { earningAgent, payCommission, settleFinally } from '../support/commissions.ts';
import type { CallReply, Json } from '../support/gateway.ts';
import { testGateway } from '../support/gateway.ts';
import { newReference, testBank } from '../support/inbound.ts';
import { bankForFile, PIN } from '../support/money.ts';
import { partnerBank, webhookHeaders } from '../support/partner.ts';
import { setNewPin } from '../support/pin-reset.ts';
import { newMerchant } from '../support/processors.ts';
import { SECRETS } from '../support/secrets.ts';
import { newRequestId, type Terminal, terminalOf } from '../support/terminal.ts';
import { asOwner } from './books.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const { kissi, bank } = await bankForFile({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET } });
const SCRIPT = fileURLToPath(new URL('../../scripts/ledger-verify.ts', import.meta.url));

async function done(reply: Promise<CallReply>, status = 200): Promise<Json> {
  const { status: actual, json, text } = await reply;
  assert.equal(actual, status, text);
  return json;
}

const admin = await kissi.adminToken();
const asAdmin = (path: string, body: object, method = 'POST') =>
  kissi.call(method, `/api/v1${path}`, { body, token: admin });

/** One of everything, over HTTP: payments of all types, refunds, reversals, alerts, blocked cards, suspended parties. */
async function makeHistory() {
  for (const party_type of ['sender', 'recipient']) {
    const earns = party_type === 'recipient';
    const terms = { fee_type: 'percentage', fee_value: 0.5, debit_enabled: !earns, credit_enabled: earns };
    await done(asAdmin('/fee-settings', { transaction_type: 'transfer_p2p', party_type, ...terms }, 'PUT'));
  }
  const [alice, bob, carol] = [await bank.wallet(40_000_000), await bank.wallet(), await bank.wallet(50_000)];
  const aliceCard = await bank.card(alice);
  const bobCard = await bank.card(bob);
  const child = { parent_serial: aliceCard, card_serial: 'CHILD-0001', daily_limit: 20_000 };
  await done(bank.post('/cards/child', child), 201);
  const transfer = { sender_id: alice.id, recipient_id: bob.id, pin: PIN };
  const paid = await done(bank.post('/wallet/transfer', { ...transfer, amount: 10_000, request_id: 'r-1' }));
  await done(bank.post('/wallet/transfer', { ...transfer, amount: 6_000_000, description: 'Large' }));
  const agent = await newAgent(kissi);
  const sub = await newSubAgent(kissi, agent);
  await fundAgent(kissi, agent, 900_000);
  const token = await agentToken(kissi, agent);
  const asAgent = (path: string, body: object) => kissi.call('POST', `/api/v1${path}`, { body, token });
  await done(asAgent('/agents/cashin', { agent_id: agent.id, subscriber_id: bob.id, pin: agent.pin, amount: 3_000 }));
  await done(
    asAgent('/agents/transfer', { from_agent_id: agent.id, to_agent_id: sub.id, pin: agent.pin, amount: 900 }),
  );
  await done(asAdmin(`/agents/${agent.id}/return-float`, { amount: 500 }));
  await done(bank.post('/wallet/withdraw', { subscriber_id: alice.id, agent_id: agent.id, pin: PIN, amount: 2_000 }));
  const terminal = await terminalOf(kissi);
  const bought = await done(terminal.pay(aliceCard, { amount: 9_000 }));
  await done(terminal.pay('CHILD-0001', { amount: 4_000 }));
  for (const amount of [1_000, 500]) await done(terminal.refund(bought.transaction_id, { amount }));
  await done(asAdmin(`/processors/${terminal.merchant.id}/transfer`, { to_subscriber_id: bob.id, amount: 700 }));
  const [open, captured, voided] = [
    await authorize(terminal, aliceCard),
    await authorize(terminal, aliceCard),
    await authorize(terminal, aliceCard),
  ];
  await done(terminal.send(`/pos/payment/${captured}/capture`, { request_id: newRequestId(), amount: 300 }));
  await done(terminal.send(`/pos/payment/${voided}/void`, { request_id: newRequestId() }));
  const partner = await partnerBank(kissi);
  await done(partner.cashIn({ phone_number: bob.phone, amount: 1_200 }));
  const inbound = await testBank(kissi);
  const credit = (amount: number) => inbound.credit({ reference: newReference(), msisdn: bob.phone, amount });
  const [kept, reversed] = [(await done(credit(5_000))).data, (await done(credit(6_000))).data];
  await done(inbound.credit({ reference: newReference(), msisdn: '+23279999999', amount: 10 }), 404);
  await done(asAdmin(`/admin/inbound/${reversed.inbound_id}/reverse`, { reason: 'Sent twice' }));
  await done(asAdmin(`/admin/partners/${inbound.partnerId}/settle`, { amount: 1_000 }));
  const raw = JSON.stringify({ card_serial: bobCard, amount: 60 });
  await done(kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) }));
  await resolveSuspenseItem(bobCard, partner.id);
  await done(asAdmin(`/subscribers/${carol.id}/block`, { reason: 'Fraud' }));
  await done(bank.post(`/cards/${bobCard}/block`, { reason: 'Lost' }));
  const dora = await bank.wallet();
  await setNewPin(kissi, 'subscribers', dora, '4711');
  await setNewPin(kissi, 'agents', sub, '4711');
  const idle = await newMerchant(kissi);
  await done(asAdmin(`/processors/${idle.id}/suspend`, { reason: 'Documents expired' }));
  await payCommission(kissi);
  const earner = await earningAgent(kissi, bank);
  const earned = await earner.deposit(5_000);
  await settleFinally(kissi, earner.id);
  await earner.deposit(7_000);
  // A second gateway: its chain of seals names the newest seal of the first.
  const second = await testGateway({ db: kissi.db, clock: kissi.clock });
  const body = { ...transfer, amount: 77, request_id: 'r-2' };
  await done(second.call('POST', '/api/v1/wallet/transfer', { body, token: bank.key }));
  await second.close();
  return {
    alice,
    bob,
    carol,
    dora,
    agent,
    sub,
    partner,
    merchant: terminal.merchant,
    paid,
    bought,
    kept,
    reversed,
    holds: { open, captured, voided },
    aliceCard,
    earner,
    earned,
  };
}

const authorize = async (terminal: Terminal, card: string): Promise<string> =>
  (await done(terminal.pay(card, { amount: 800, capture: false }))).transaction_id;

/** Charges a notified deposit to the partner. */
async function resolveSuspenseItem(card_serial: string, partner_id: string): Promise<void> {
  const raw = JSON.stringify({ card_serial, amount: 61 });
  const headers = webhookHeaders(SECRET, raw);
  const { transaction_id } = await done(kissi.call('POST', '/webhooks/partner/cashin', { raw, headers }));
  await done(asAdmin(`/admin/suspense/${transaction_id}/resolve`, { partner_id, reason: 'Slip 42' }));
}

const made = await makeHistory();
const { alice, bob, carol } = made;
const payment = `'${made.paid.transaction_id}'`;

/** Rebuilds what the owner can rebuild: balances after each posting, last seqs, counts and balances of accounts. */
const REBUILD = `
  update postings p set balance_after = c.after from (select account_id, seq,
    sum(amount) over (partition by account_id order by seq) as after from postings) c
  where c.account_id = p.account_id and c.seq = p.seq;
  update accounts a set balance = coalesce(p.sum, 0), posting_count = coalesce(p.count, 0), last_seq = coalesce(p.last, 0),
    recent_seq = 0, received_seq = 0
  from (select a.id, sum(p.amount), count(p.seq), max(p.seq) as last from accounts a
    left join postings p on p.account_id = a.id group by a.id) p where p.id = a.id`;

const [aWallet, bWallet] = [`'${alice.id}'`, `'${bob.id}'`];
const bought = `'${made.bought.transaction_id}'`;
/** The numbers of two adjacent batches. */
const TWO = ['(1::bigint << 32) + 4', '(1::bigint << 32) + 5'];
const [kept, reversed] = [`'${made.kept.inbound_id}'`, `'${made.reversed.inbound_id}'`];

const [earner, held] = [`'${made.earner.id}'`, `'commission_${made.earner.id}'`];
const earned = `'${made.earned.transaction_id}'`;
const OF_EARNER = `type = 'commission_settlement' and to_account = ${earner}`;

/** Commission accounts and their settlements. */
const COMMISSION_TAMPERINGS: [what: string, sql: string, rule: string][] = [
  [
    'a commission that is said to be paid at once',
    `update movements set details = (details::jsonb - 'accrued')::json where id = ${earned}`,
    'movement_accrual_differs',
  ],
  [
    'a commission that is moved to the account of another agent',
    `update postings set account_id = 'commission_${made.agent.id}' where account_id = ${held} and movement_id = ${earned};
     ${REBUILD}`,
    'third_account',
  ],
  [
    'a settlement into the float of another agent',
    `update movements set to_account = '${made.agent.id}' where ${OF_EARNER};
     update postings set account_id = '${made.agent.id}', seq = seq + 1000000 where account_id = ${earner}
       and movement_id in (select id from movements where type = 'commission_settlement'); ${REBUILD}`,
    'commission_settlement_differs',
  ],
  [
    'a settlement of another period',
    `update movements set reference = '2020-01-01' where ${OF_EARNER}`,
    'commission_settlement_differs',
  ],
  [
    'a second settlement of the same period',
    `insert into movements select (json_populate_record(m, '{"id":"txn_again","request_id":null}')).* from movements m where ${OF_EARNER};
     insert into postings select p.account_id, p.seq + 1000000, 'txn_again', p.amount, p.fee, 0 from postings p
       join movements m on m.id = p.movement_id where ${OF_EARNER} and m.id <> 'txn_again'; ${REBUILD}`,
    'commission_settled_twice',
  ],
  [
    'a lower total of settlements',
    `update allowances set used = 0 where id = 'commission:${made.earner.id}'`,
    'allowance_differs',
  ],
  ['a frozen commission account', `update accounts set frozen = true where id = ${held}`, 'account_terms_differ'],
  [
    'a commission account that is removed',
    `delete from accounts where id = 'commission_${made.sub.id}'`,
    'owner_without_account',
  ],
  [
    'a commission account without an agent',
    `insert into accounts (id, kind, opened_at) values ('commission_agent_x', 'agent_commission', now())`,
    'account_without_owner',
  ],
];

const [open, captured, voided] = [made.holds.open, made.holds.captured, made.holds.voided].map((id) => `'${id}'`);

/** Holds and how they ended. */
const HOLD_TAMPERINGS: [what: string, sql: string, rule: string][] = [
  ['what is held of a wallet', `update accounts set held = 0 where id = ${aWallet}`, 'held_differs'],
  ['the amount of a hold', `update holds set amount = amount - 1 where id = ${open}`, 'seal_differs'],
  [
    'what a hold reserves',
    `update holds set reserved = 1 where id = ${open}; update accounts set held = 1 where id = ${aWallet}`,
    'seal_differs',
  ],
  ['the payee of a hold', `update holds set payee_id = ${bWallet} where id = ${open}`, 'seal_differs'],
  ['the price of a hold', `update holds set prices = '{"fees":[],"tiers":{}}' where id = ${open}`, 'seal_differs'],
  ['a later expiry', `update holds set expires_at = expires_at + interval '1 day' where id = ${open}`, 'seal_differs'],
  [
    'a removed hold',
    `delete from holds where id = ${open}; update accounts set held = 0 where id = ${aWallet}`,
    'seal_differs',
  ],
  [
    'a forged hold',
    `insert into holds select (json_populate_record(h, '{"id":"txn_forged"}')).* from holds h where id = ${open};
     update accounts set held = held * 2 where id = ${aWallet}`,
    'seal_differs',
  ],
  [
    'a hold that counts as ended',
    `update holds set ended = true where id = ${open}; update accounts set held = 0 where id = ${aWallet}`,
    'hold_end_differs',
  ],
  ['a hold that ended and counts as active', `update holds set ended = false where id = ${voided}`, 'hold_end_differs'],
  [
    'a capture without its end',
    `delete from hold_ends where hold_id = ${captured}; update holds set ended = false where id = ${captured}`,
    'capture_without_hold',
  ],
  ['what was captured', `update hold_ends set captured = 299 where hold_id = ${captured}`, 'hold_captured_wrongly'],
  [
    'a capture that counts as released',
    `update hold_ends set outcome = 'released', captured = 0 where hold_id = ${captured}`,
    'hold_captured_wrongly',
  ],
  [
    'a void that counts as expired',
    `update hold_ends set outcome = 'expired' where hold_id = ${voided}`,
    'hold_captured_wrongly',
  ],
  [
    'a capture of another hold',
    `update movements set details = jsonb_set(details::jsonb, '{hold_id}', '"txn_other"')::json
       where details ->> 'hold_id' = ${captured}`,
    'hold_captured_wrongly',
  ],
];

/** What is changed, the SQL, and a rule that must be among those that report it. */
const TAMPERINGS: [what: string, sql: string, rule: string][] = [
  ...COMMISSION_TAMPERINGS,
  ...HOLD_TAMPERINGS,
  [
    'a forged deposit with rebuilt balances',
    `insert into movements (id, type, from_account, to_account, amount, fee, details, at, actor_type, actor_id, batch)
     select 'txn_forged', 'partner_settlement', 'sys_treasury_00', ${aWallet}, 1000000, 0, '{}', now(), 'user', 'usr_x',
       (select max(batch) from movements);
     insert into postings select a, (extract(epoch from now()) * 1000000)::bigint, 'txn_forged', by, 0, 0
       from (values ('sys_treasury_00', -1000000), (${aWallet}, 1000000)) v (a, by); ${REBUILD}`,
    'seal_differs',
  ],
  [
    'a forged deposit without a batch',
    `insert into movements (id, type, from_account, to_account, amount, fee, details, at)
     values ('txn_forged', 'agent_fund', 'sys_treasury_00', ${aWallet}, 5, 0, '{}', now());
     insert into postings select a, (extract(epoch from now()) * 1000000)::bigint, 'txn_forged', by, 0, 0
       from (values ('sys_treasury_00', -5), (${aWallet}, 5)) v (a, by); ${REBUILD}`,
    'row_unsealed',
  ],
  [
    'a forged deposit in an invented batch',
    `insert into seals select max(batch) + 1, 1, now(), null, decode(repeat('00', 32), 'hex') from seals;
     insert into movements (id, type, from_account, to_account, amount, fee, details, at, batch)
     values ('txn_forged', 'agent_fund', 'sys_treasury_00', ${aWallet}, 5, 0, '{}', now(), (select max(batch) from seals));
     insert into postings select a, (extract(epoch from now()) * 1000000)::bigint, 'txn_forged', by, 0, 0
       from (values ('sys_treasury_00', -5), (${aWallet}, 5)) v (a, by); ${REBUILD}`,
    'seal_differs',
  ],
  [
    'an erased payment, all traces removed and balances rebuilt',
    `delete from postings where movement_id = ${payment}; delete from requests where movement_id = ${payment};
     delete from movements where id = ${payment}; ${REBUILD}`,
    'seal_differs',
  ],
  [
    'an erased payment and its seal',
    `delete from seals where batch = (select batch from movements where id = ${payment});
     delete from postings where movement_id = ${payment}; delete from requests where movement_id = ${payment};
     delete from movements where id = ${payment}; ${REBUILD}`,
    'seal_missing',
  ],
  [
    'a payment redirected to another wallet',
    `update movements set to_account = '${carol.id}' where id = ${payment};
     update postings set account_id = '${carol.id}', seq = seq + 1000 where movement_id = ${payment} and account_id = ${bWallet}; ${REBUILD}`,
    'seal_differs',
  ],
  [
    'a resolution of another suspense item',
    `update movements set related_id = (select id from movements where type = 'partner_cashin' and amount = 60)
     where type = 'suspense_resolution'`,
    'suspense_resolution_differs',
  ],
  [
    'a suspense item that counts as resolved',
    `update movements set related_id = (select id from movements where type = 'partner_cashin' and amount = 60),
       type = 'suspense_refund' where type = 'transfer_p2p' and id = ${payment}`,
    'suspense_differs',
  ],
  [
    'a second resolution of a suspense item',
    `update movements set type = 'suspense_refund', related_id = (
       select related_id from movements where type = 'suspense_resolution') where id = ${payment}`,
    'suspense_item_resolved_twice',
  ],
  ['the amount of a payment', `update movements set amount = amount + 1 where id = ${payment}`, 'seal_differs'],
  [
    'a fake commission',
    `update movements set details = '{"earned":{"payer":0,"payee":9999}}' where id = ${payment}`,
    'movement_amount_differs',
  ],
  ['the narration', `update movements set narration = 'Rent' where id = ${payment}`, 'seal_differs'],
  ['the reference', `update movements set reference = 'X' where id = ${payment}`, 'seal_differs'],
  ['the metadata', `update movements set metadata = '{"a":1}' where id = ${payment}`, 'seal_differs'],
  ['the type of a movement', `update movements set type = 'pos_payment' where id = ${payment}`, 'seal_differs'],
  ['a type that does not exist', `update movements set type = 'gift' where id = ${payment}`, 'movement_type_unknown'],
  [
    'the time of a movement',
    `update movements set at = at - interval '1 day' where id = ${payment}`,
    'movement_time_differs',
  ],
  ['the time of a batch', `update seals set at = at - interval '1 day'`, 'seal_differs'],
  ['the author of a movement', `update movements set actor_id = 'key_other' where id = ${payment}`, 'seal_differs'],
  ['a movement in another batch', `update movements set batch = batch + 1 where id = ${payment}`, 'seal_differs'],
  ['a movement without its batch', `update movements set batch = null where id = ${payment}`, 'row_unsealed'],
  ['a stored reply', `update requests set reply = '{}' where movement_id = ${payment}`, 'requests_differ'],
  ['the hash of a request', `update requests set hash = '\\x00' where movement_id = ${payment}`, 'requests_differ'],
  ['a removed request', `delete from requests where refused`, 'requests_differ'],
  [
    'an added request',
    `insert into requests select 'forged', scope, hash, 'txn_none', reply, true, batch from requests where movement_id = ${payment}`,
    'requests_differ',
  ],
  [
    'an added request without a batch',
    `insert into requests select 'forged', scope, hash, 'txn_none', reply, true, null from requests where movement_id = ${payment}`,
    'row_unsealed',
  ],
  [
    'requests and their digest',
    `update requests set reply = '{}' where movement_id = ${payment}; update seals set requests_digest = null`,
    'seal_differs',
  ],
  [
    'a ghost account',
    `insert into accounts (id, kind, opened_at) values ('sub_ghost', 'wallet', now())`,
    'account_without_owner',
  ],
  ['a removed account', `delete from accounts where id = '${made.partner.id}'`, 'owner_without_account'],
  ['the kind of an account', `update accounts set kind = 'processor' where id = ${bWallet}`, 'account_without_owner'],
  ['a second treasury', `update accounts set kind = 'treasury' where id = ${bWallet}`, 'account_without_owner'],
  ['an unfrozen wallet', `update accounts set frozen = false where id = '${carol.id}'`, 'account_terms_differ'],
  ['an unblocked card', `update accounts set barred = '{}' where id = ${bWallet}`, 'account_terms_differ'],
  ['a daily limit', `update accounts set daily_limit = null where id = ${aWallet}`, 'account_terms_differ'],
  [
    'the reduced limit of a wallet after a PIN reset',
    `update accounts set reduced_until = null where id = '${made.dora.id}'`,
    'account_terms_differ',
  ],
  [
    'the reduced float of an agent after a PIN reset',
    `update accounts set reduced_floor = 0 where id = '${made.sub.id}'`,
    'account_terms_differ',
  ],
  ['a ceiling', `update accounts set ceiling = null where id = ${aWallet}`, 'account_terms_differ'],
  ['a floor', `update accounts set floor = -1000000 where id = ${aWallet}`, 'account_terms_differ'],
  [
    'the floor of a partner',
    `update accounts set floor = null where id = '${made.partner.id}'`,
    'account_terms_differ',
  ],
  [
    'disabled types',
    `update accounts set disabled_types = '{pos_payment}' where id = ${aWallet}`,
    'account_terms_differ',
  ],
  ['a frozen system account', `update accounts set frozen = true where id = 'sys_suspense'`, 'account_terms_differ'],
  ['a daily usage', `update accounts set daily_used = 0 where id = ${aWallet}`, 'daily_use_differs'],
  [
    'the day of a daily usage',
    `update accounts set daily_on = daily_on - 1 where id = ${aWallet}`,
    'daily_use_differs',
  ],
  ["a card's total of the day", `update allowances set used = 0 where id like 'card:%'`, 'allowance_differs'],
  ['a removed total', `delete from allowances where id like 'card:%'`, 'allowance_differs'],
  ['an invented total', `insert into allowances values ('card:X:1', 5)`, 'allowance_differs'],
  ['the fees of an hour', `update movement_rollups set fee = fee - 1`, 'movement_rollup_differs'],
  ['the e-money of wallets', `update account_rollups set change = change + 1 where hour = 0`, 'account_rollup_differs'],
  ['the total of refunds', `update allowances set used = used - 1 where id like 'refund:%'`, 'refund_total_differs'],
  [
    'the total of a reversal',
    `update allowances set used = 0 where id = 'reverse:' || ${reversed}`,
    'allowance_differs',
  ],
  [
    'net_credited times 100',
    `update inbound_transactions set net_credited = net_credited * 100 where id = ${kept}`,
    'inbound_differs',
  ],
  ['the payer of a credit', `update inbound_transactions set payer_name = 'X' where id = ${kept}`, 'seal_differs'],
  [
    'the subscriber of a credit',
    `update inbound_transactions set subscriber_id = ${aWallet} where id = ${kept}`,
    'inbound_differs',
  ],
  ['a removed credit record', `delete from inbound_transactions where id = ${kept}`, 'movement_without_inbound'],
  ['a removed rejected credit', `delete from inbound_transactions where status = 'REJECTED'`, 'seal_differs'],
  [
    'a completed credit marked as rejected',
    `update inbound_transactions set status = 'REJECTED', transaction_id = null, failure_code = 'X' where id = ${kept}`,
    'movement_without_inbound',
  ],
  [
    'a forged reversal record',
    `insert into inbound_reversals values (${kept}, 'txn_none', 'x', false, 'usr_x', now())`,
    'reversal_without_movement',
  ],
  ['a removed reversal record', `delete from inbound_reversals`, 'movement_without_reversal'],
  ['a reversal of another credit', `update inbound_reversals set inbound_id = ${kept}`, 'reversal_differs'],
  ['the reason of a reversal', `update inbound_reversals set reason = 'x'`, 'seal_differs'],
  [
    'the description of an alert',
    `update compliance_alerts set description = 'x' where batch is not null`,
    'seal_differs',
  ],
  ['the figures of an alert', `update compliance_alerts set figures = '{}' where batch is not null`, 'seal_differs'],
  ['the severity of an alert', `update compliance_alerts set severity = 'LOW' where batch is not null`, 'seal_differs'],
  ['a removed alert', `delete from compliance_alerts where batch is not null`, 'seal_differs'],
  ['an alert without its batch', `update compliance_alerts set batch = null`, 'seal_differs'],
  ['a removed seal', `delete from seals where batch = (select min(batch) + 2 from seals)`, 'seal_missing'],
  [
    'a forged seal',
    `update seals set mac = decode(repeat('ab', 32), 'hex') where batch = (select min(batch) from seals)`,
    'seal_differs',
  ],
  [
    'a first chain cut off behind a batch',
    `delete from seals where batch in (select max(batch) from seals where batch < 2::bigint << 32)`,
    'chain_shortened',
  ],
  [
    'the first chain cut off with all it wrote',
    `delete from seals where batch < 2::bigint << 32; delete from postings where movement_id in
       (select id from movements where batch < 2::bigint << 32); delete from movements where batch < 2::bigint << 32;
     delete from requests where batch < 2::bigint << 32; ${REBUILD}`,
    'chain_shortened',
  ],
  ['a removed chain', `delete from seal_chains where id = 1`, 'chain_missing'],
  ['the heads of a chain', `update seal_chains set heads = '{}' where id = 2`, 'chain_differs'],
  [
    'the time of a chain',
    `update seal_chains set started_at = started_at - interval '1 hour' where id = 1`,
    'chain_differs',
  ],
  [
    'a seal copied from another batch',
    `update seals s set mac = o.mac from seals o where s.batch = (select min(batch) + 3 from seals) and o.batch = s.batch - 1`,
    'seal_differs',
  ],
  [
    'two seals exchanged with all that their batches wrote',
    `${['movements', 'requests', 'inbound_transactions', 'inbound_reversals', 'compliance_alerts']
      .map(
        (table) =>
          `update ${table} set batch = case when batch = ${TWO[0]} then ${TWO[1]} else ${TWO[0]} end where batch in (${TWO})`,
      )
      .join('; ')};
     update seals s set (format, at, requests_digest, mac) = (select format, at, requests_digest, mac from seals o
       where o.batch = case when s.batch = ${TWO[0]} then ${TWO[1]} else ${TWO[0]} end) where batch in (${TWO})`,
    'seal_differs',
  ],
  [
    'the ids of two movements exchanged',
    `update movements set id = 'txn_x' where id = ${payment}; update movements set id = ${payment} where id = ${bought};
     update movements set id = ${bought} where id = 'txn_x'`,
    'seal_differs',
  ],
  ['a batch marked as history', `update seals set format = 2`, 'seal_differs'],
  ['a format that has the same byte', `update seals set format = 257`, 'seal_differs'],
  [
    'a copied chain',
    `insert into seal_chains select id + 1, started_at, heads, mac from seal_chains where id = 2;
     insert into seals select batch + (1::bigint << 32), format, at, requests_digest, mac from seals where batch > 2::bigint << 32`,
    'chain_differs',
  ],
  [
    'the first chain removed and the second renumbered',
    `delete from seals where batch < 2::bigint << 32; update seals set batch = batch - (1::bigint << 32);
     delete from seal_chains where id = 1; update seal_chains set id = 1, heads = '{}'`,
    'chain_differs',
  ],
  [
    'a chain and a seal with numbers below 1',
    `insert into seal_chains select 0, started_at, '{}', mac from seal_chains where id = 1;
     insert into seals select 1, format, at, requests_digest, mac from seals limit 1`,
    'chain_differs',
  ],
  ['a movement in a batch below 1', `update movements set batch = -1 where id = ${payment}`, 'seal_missing'],
  [
    'requests and their digest removed',
    `delete from requests where batch = (select batch from movements where id = ${payment});
     update seals set requests_digest = null where batch = (select batch from movements where id = ${payment})`,
    'seal_differs',
  ],
  ['a refusal that became a payment', `update requests set refused = false where refused`, 'request_without_movement'],
  [
    'the balance of the treasury',
    `update accounts set balance = balance + 1 where id = 'sys_treasury_00'`,
    'trial_balance',
  ],
  [
    'a wrong checkpoint',
    `insert into account_checkpoints (account_id, seq, type, paid, count, amount, fee, change, newest)
     select ${aWallet}, last_seq, 'transfer_p2p', true, 1, 1, 0, -1, last_seq from accounts where id = ${aWallet}`,
    'checkpoint_differs',
  ],
  [
    'an activity window that hides payments',
    `update accounts set recent = '0', recent_seq = last_seq where id = ${aWallet}`,
    'recent_differs',
  ],
  ['the identifier of a credit', `update inbound_transactions set identifier = 'x' where id = ${kept}`, 'seal_differs'],
  ['the key that sent a credit', `update inbound_transactions set key_id = 'x' where id = ${kept}`, 'seal_differs'],
  ['the currency of a credit', `update inbound_transactions set currency = 'USD' where id = ${kept}`, 'seal_differs'],
  ['who reversed a credit', `update inbound_reversals set reversed_by = 'usr_x'`, 'seal_differs'],
  [
    'a count of subscribers',
    `update subscriber_counts set count = count + 1 where ctid = (select max(ctid) from subscriber_counts)`,
    'subscriber_count_differs',
  ],
  [
    'sums of a gateway that never existed',
    `insert into account_rollups (hour, chain, kind, change, active_in_hour, active_in_day, active_in_week)
       values (0, 0, 'wallet', 1000000, 0, 0, 0)`,
    'account_rollup_differs',
  ],
  [
    'a ledger without its seals',
    `update movements set batch = null; update requests set batch = null; delete from seals; delete from seal_chains`,
    'row_unsealed',
  ],
  [
    'a wallet that cannot be found by its name',
    `delete from search_names where record_id = ${aWallet}`,
    'search_name_differs',
  ],
  [
    'a wallet that is found by the name of another',
    `insert into search_names values ('subscriber', 'zainab', ${aWallet})`,
    'search_name_differs',
  ],
  ['removed marks of the secrets', `delete from secret_checks`, 'fixed_row_differs'],
  ['a removed stripe', `delete from gateway_stripes where stripe = 3`, 'fixed_row_differs'],
  [
    'a migration that would be applied again',
    `delete from kysely_migration where name = (select max(name) from kysely_migration)`,
    'fixed_row_differs',
  ],
  ['an invented migration', `insert into kysely_migration values ('9999_none', '')`, 'fixed_row_differs'],
  ['no record of the deleted idempotency keys', `delete from request_pruning`, 'fixed_row_differs'],
  [
    'two records of the deleted idempotency keys',
    `insert into request_pruning select * from request_pruning`,
    'fixed_row_differs',
  ],
];

describe('ledger:verify', () => {
  test('finds nothing in an untouched history, and exits with 0', async () => {
    const { code, out } = await runScript();
    assert.equal(code, 0, out);
    assert.match(out, /The books are in order\./);
    assert.doesNotMatch(out, /Note: .*seal/i);
  });

  for (const [what, sql, rule] of TAMPERINGS) {
    test(`detects ${what}: ${rule}`, async () => {
      const { broken, report } = await whileTampered(sql);
      assert.ok(broken.has(rule), report);
    });
  }

  test('exits with 1 and names the rule and the batch', async () => {
    await tamper(`update movements set narration = 'Rent' where id = ${payment}`, async () => {
      const { code, out } = await runScript();
      assert.equal(code, 1, out);
      assert.match(out, /FAULT seal_differs \(1\): .+\n {2}batch 1\/\d+: it has 1 movement, the first is txn_/);
    });
  });

  test('does not accept another key', async () => {
    const { broken } = await verifyBooks(kissi.db.url, 'another-master-key-0123456789abcdefghijklmnop');
    assert.deepEqual([...broken.keys()], ['seal_differs', 'chain_differs']);
  });
});

function runScript(): Promise<{ code: number; out: string }> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: kissi.db.url, ...SECRETS };
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    );
  });
}

async function whileTampered(sql: string) {
  return tamper(sql, async () => {
    const verification = await verifyBooks(kissi.db.url, SECRETS.MASTER_KEY);
    return { broken: verification.broken, report: reportOf(verification) };
  });
}

const TABLES = [
  ...['accounts', 'movements', 'postings', 'requests', 'allowances', 'seals', 'seal_chains', 'holds', 'hold_ends'],
  ...[
    'unclaimed_redemptions',
    'inbound_transactions',
    'inbound_reversals',
    'compliance_alerts',
    'account_checkpoints',
    'subscriber_counts',
  ],
  ...['movement_rollups', 'account_rollups', 'compliance_alert_assignees'],
  ...['search_names', 'secret_checks', 'gateway_stripes', 'kysely_migration', 'request_pruning'],
];

/** Changes the tables as their owner, runs the work, and restores the tables. */
async function tamper<T>(sql: string, work: () => Promise<T>): Promise<T> {
  return asOwner(kissi.db.url, async (client) => {
    for (const table of TABLES) await client.query(`create temp table saved_${table} as table ${table}`);
    await changeRows(client, sql);
    try {
      return await work();
    } finally {
      const restore = TABLES.map((table) => `insert into ${table} table saved_${table}`).join('; ');
      // The holds have ended already.
      const silent = 'alter table hold_ends disable trigger end_hold';
      const heard = 'alter table hold_ends enable trigger end_hold';
      await client.query(`begin; truncate ${TABLES.join(', ')}; ${silent}; ${restore}; ${heard}; commit`);
    }
  });
}
