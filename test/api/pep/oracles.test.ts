// What staff without PEP access could find out by asking again and again: the amount of a payment, or that it exists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bankForFile } from '../../support/money.ts';
import { partnerBank, webhookHeaders } from '../../support/partner.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { assertRefused, assertStatus, runChore, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const { kissi, bank } = await bankForFile({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET } });
const AMOUNT = 417_731;
const UNKNOWN = 'txn_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const get = (path: string, token: string) => kissi.call('GET', `/api/v1${path}`, { token });
const post = (path: string, token: string, body: object) => kissi.call('POST', `/api/v1${path}`, { token, body });

const terminal = await terminalOf(kissi);
const pep = await bank.customer(5_000_000);
const other = await bank.customer(5_000_000);
await markPep(kissi, pep.wallet.id);
const pay = async (card: string, amount: number, request_id: string) => {
  kissi.clock.advance(60_000);
  return assertStatus(await terminal.pay(card, { amount, request_id }), 200).json.transaction_id as string;
};
await pay(other.card, 100, 'order-1');
const hidden = await pay(pep.card, AMOUNT, 'order-2');
await pay(other.card, 200, 'order-3');
const [support, finance] = [await staffToken(kissi, 'support_user'), await staffToken(kissi, 'finance_user')];
const open = await newAuthorizedStaff(kissi, 'system_admin');
await openAccess(kissi, open);
const openToken = open.token;

test('pages, offsets, cursors and counts of histories do not depend on a hidden payment', async () => {
  const from = encodeURIComponent(new Date(kissi.clock.now() - 90_000).toISOString());
  const to = encodeURIComponent(new Date(kissi.clock.now() - 30_000).toISOString());
  for (const scope of ['', `processor_id=${terminal.merchant.id}&`]) {
    for (const page of ['limit=1', 'limit=1&offset=1', 'limit=0', 'limit=2', 'limit=1&offset=2']) {
      const ask = async (max: number) => {
        const { json, text } = await get(
          `/transactions?${scope}type=pos_payment&min_amount=100&max_amount=${max}&${page}`,
          support,
        );
        assert.ok(json.transactions, text);
        const { transactions, total_count, total_is_minimum, next_cursor } = json;
        return [transactions, total_count, total_is_minimum, next_cursor === null];
      };
      assert.deepEqual(await ask(AMOUNT), await ask(AMOUNT - 1), `${scope}${page}`);
    }
    const around = (await get(`/transactions?${scope}from=${from}&to=${to}`, support)).json;
    assert.deepEqual([around.transactions, around.total_count, around.next_cursor], [[], 0, null], scope);
    const { transactions, total_count } = (await get(`/transactions?${scope}type=pos_payment`, support)).json;
    assert.deepEqual([transactions.length, total_count], [2, 2], scope);
    const seen = (await get(`/transactions?${scope}type=pos_payment`, openToken)).json;
    assert.deepEqual([seen.transactions.length, seen.total_count], [3, 3], 'with access');
  }
});

test('what a rule would have done leaves out payments that the user may not see', async () => {
  const body = {
    ...{ name: 'x', kind: 'amount', side: 'payer', transaction_types: ['pos_payment'] },
    ...{ threshold: 100_000, outcome: 'flag', severity: 'LOW' },
  };
  const ask = async (token: string) => (await post('/compliance/rules/what-if', token, body)).json;
  const seen = await ask(await staffToken(kissi, 'compliance_user'));
  assert.deepEqual([seen.proposed.flagged, seen.proposed.value, seen.payments_checked], [0, 0, 2]);
  const whole = await ask(openToken);
  assert.deepEqual([whole.proposed.flagged, whole.proposed.value, whole.payments_checked], [1, AMOUNT, 3]);
});

test('the trial balance is open at whole days only, and at any instant with access', async () => {
  const path = '/admin/ledger/trial-balance';
  const instant = encodeURIComponent(new Date(kissi.clock.now() - 30_000).toISOString());
  const refused = assertRefused(await get(`${path}?at=${instant}`, finance), 400, 'INVALID_REQUEST');
  assert.match(refused.text, /at must be a whole day/);
  const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  for (const query of ['', `?at=${day}`, `?at=${day}T00:00:00Z`]) {
    assert.equal((await get(`${path}${query}`, finance)).status, 200, query);
  }
  assert.equal((await get(`${path}?at=${instant}`, openToken)).status, 200);
});

test('quotes and refunds of a hidden payment are answered as of one that does not exist, and move nothing', async () => {
  const balance = await bank.balance(pep.wallet.id);
  const ask = async (id: string) => {
    const replies = [
      await get(`/fee-quote?transaction_type=pos_refund&transaction_id=${id}&amount=99999999`, finance),
      await get(`/fee-quote?transaction_type=pos_refund&transaction_id=${id}&amount=1`, finance),
      ...(await Promise.all(
        [99_999_999, 1].map((amount) =>
          post(`/processors/${terminal.merchant.id}/refunds`, finance, {
            ...{ transaction_id: id, amount, request_id: `refund-${amount}` },
          }),
        ),
      )),
    ];
    return replies.map(({ status, json }) => [status, json.code, json.error ?? json.message]);
  };
  assert.deepEqual(await ask(hidden), await ask(UNKNOWN));
  assert.equal((await ask(hidden)).filter(([status]) => status === 404).length, 4);
  assert.equal(await bank.balance(pep.wallet.id), balance);
});

test('the outcome of a hidden request is that of an unknown one', async () => {
  const ask = async (id: string, token: string) => {
    const { status, json } = await get(`/requests/${id}?party_id=${terminal.merchant.id}`, token);
    return [status, { ...json, request_id: '' }];
  };
  assert.deepEqual(await ask('order-2', finance), await ask('order-9', finance));
  const unopened = await newAuthorizedStaff(kissi, 'finance_user');
  assert.equal((await ask('order-2', unopened.token))[0], 403, 'a user who can open access is told so');
});

test('the resolution of a suspense item is hidden in search, outcomes and what-ifs', async () => {
  const partner = await partnerBank(kissi);
  const raw = JSON.stringify({ card_serial: pep.card, amount: 528_841, reference: 'NOTE-77' });
  const credited = await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
  const body = { partner_id: partner.id, reason: 'theirs', request_id: 'res-1' };
  const resolved = await post(`/admin/suspense/${credited.json.transaction_id}/resolve`, openToken, body);
  assert.equal(resolved.status, 200, resolved.text);
  for (const q of ['NOTE-77', resolved.json.transaction_id]) {
    assert.deepEqual((await get(`/search?q=${q}`, finance)).json.hits, [], q);
  }
  assert.equal((await get('/requests/res-1?party_id=operator', finance)).json.status, 'unknown');
  const rule = {
    ...{ name: 'x', kind: 'amount', side: 'payer', transaction_types: ['suspense_resolution'] },
    ...{ threshold: 1, outcome: 'flag', severity: 'LOW' },
  };
  const whatIf = await post('/compliance/rules/what-if', await staffToken(kissi, 'compliance_user'), rule);
  assert.deepEqual([whatIf.json.proposed.flagged, whatIf.json.payments_checked], [0, 0], whatIf.text);
  const history = (await get(`/transactions?partner_id=${partner.id}`, finance)).json;
  assert.deepEqual([history.transactions, history.total_count], [[], 0]);
});

test('alerts, matches and write-offs name a hidden payment as one that does not exist', async () => {
  const compliance = await staffToken(kissi, 'compliance_user');
  const admin = await kissi.adminToken();
  const ask = async (id: string) => {
    const alert = { type: 'manual', severity: 'LOW', transaction_id: id, description: 'x' };
    const replies = [
      await post('/compliance/alerts', compliance, alert),
      await post('/admin/reconciliation/matches', finance, { transaction_ids: [id, id.replace(/.$/, '0')] }),
      await post('/admin/reconciliation/write-offs', admin, { transaction_ids: [id], reason: 'x', note: 'x' }),
    ];
    return replies.map(({ status, text }) => [status, JSON.parse(text.replaceAll(id, 'ID')).code]);
  };
  const [of, as] = [await ask(hidden), await ask(UNKNOWN)];
  assert.deepEqual(of, as);
  assert.equal(as[0]?.[0], 404);
});

test('the request log hides requests about the person however they are written, and however much comes before', async () => {
  const { phone } = pep.wallet;
  const spaced = [phone.slice(0, 4), phone.slice(4, 6), phone.slice(6, 9), phone.slice(9)];
  const sender = await bank.customer(1_000);
  const amounts = [61_111_111, 61_222_222, 61_333_333, 733_331, 61_444_444];
  const basket = { metadata: { basket: Array.from({ length: 1_100 }, (_, n) => `a${n}`) } };
  const transfer = {
    sender_id: sender.wallet.id,
    recipient_phone: spaced.join(' '),
    pin: '1234',
    request_id: 'spaced',
  };
  const noBreak = { ...transfer, recipient_phone: spaced.join('\u00a0'), request_id: 'no-break' };
  // A key's requests of one second are not all kept in its log.
  const later = <T>(send: () => Promise<T>) => {
    kissi.clock.advance(1_000);
    return send();
  };
  const replies = [
    await terminal.pay(pep.card.toLowerCase(), { amount: amounts[0], request_id: 'lower' }),
    await later(() => bank.post('/wallet/transfer', { ...transfer, amount: amounts[1] })),
    await later(() => terminal.send('/pos/payment', { ...basket, ...payment(amounts[2] ?? 0) })),
    await later(() => terminal.send('/pos/payment', { ...basket, ...payment(amounts[3] ?? 0) })),
    await later(() => bank.post('/wallet/transfer', { ...noBreak, amount: amounts[4] })),
  ];
  assert.deepEqual(
    replies.map(({ status }) => status === 200),
    [false, false, false, true, false],
  );
  await runChore(kissi, 'write the request log');
  for (const key of [terminal.key.id, bank.keyId]) {
    const { text } = await get(`/admin/api-keys/${key}/requests?limit=100`, support);
    for (const amount of amounts) assert.ok(!text.includes(String(amount)), `${amount}`);
  }
  const { text } = await get(`/admin/api-keys/${terminal.key.id}/requests?limit=100`, openToken);
  assert.ok(text.includes('733331'), 'with access');
});

function payment(amount: number) {
  const { id: processor_id, merchantId: merchant_id } = terminal.merchant;
  const parties = { merchant_id, processor_id, card_serial: pep.card, terminal_id: 'T-0001' };
  return { amount, request_id: `basket-${amount}`, ...parties, encrypted_pin: terminal.encrypt(pep.card, '1234') };
}
