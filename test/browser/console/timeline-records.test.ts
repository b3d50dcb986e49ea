// The timelines of merchants, partners and transactions: who did what by name, and nothing of what the reader may not read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { PIN } from '../../support/money.ts';
import { lastCodeSentTo, markPep, newAuthorizedStaff } from '../../support/pep.ts';
import { directPayments, newMerchant } from '../../support/processors.ts';
import { openSession, type Staff, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';
import { consoleForFile, openConsole } from './console.ts';
import { entries, places, showTimeline } from './timeline.ts';

const { kissi, bank, browser } = await consoleForFile({ brokenRules: ['account_terms_differ', 'recent_differs'] });
const minute = () => kissi.clock.advance(60_000);
const named = (first_name: string, last_name: string) => ({ first_name, last_name });
const [mariama, sorie] = [
  await user(kissi, 'finance_user', named('Mariama', 'Conteh')),
  await user(kissi, 'finance_user', named('Sorie', 'Koroma')),
];

/** Sessions end while the clock moves. */
async function post(by: Staff, path: string, body: object): Promise<Json> {
  const { token } = await openSession(kissi, by);
  const reply = await kissi.call('POST', `/api/v1${path}`, { token, body });
  assert.ok(reply.status < 300, reply.text);
  return reply.json;
}

async function textsFor(role: Parameters<typeof staffMember>[1], path: string): Promise<string[]> {
  const { page, go, check, close } = await openConsole(browser, kissi.url, await staffMember(kissi, role));
  await go(path);
  if (path.startsWith('/transactions/')) await page.getByText('This payment').waitFor();
  await entries(page).first().waitFor();
  const texts = await entries(page).allInnerTexts();
  await check(`the timeline for ${role}`);
  await close();
  return texts;
}

/** The entries are in this order, newest first. */
function assertOrder(texts: readonly string[], wanted: readonly RegExp[]): void {
  const found = places(texts, wanted);
  assert.deepEqual(
    found,
    found.toSorted((one, other) => one - other),
    texts.join('\n---\n'),
  );
  assert.doesNotMatch(texts.join('\n'), /usr_|key_/);
}

// First: a second administrator, whom another test adds, would have to approve the policy.
test("a transaction's timeline has its return and who approved it, for those who read approvals", async () => {
  const merchant = await directPayments(kissi, bank).fundedMerchant(10_000, { business_name: 'Kenema Traders' });
  minute();
  const body = { amount: 4_000, bank_account: 'SL0042001', request_id: 'payout-1' };
  const { transaction_id } = await post(mariama, `/processors/${merchant.id}/payout`, body);
  await setPolicy(kissi, 'processors.payout', { enabled: true });
  minute();
  const { token } = await openSession(kissi, mariama);
  const returning = `/api/v1/processors/${merchant.id}/payouts/${transaction_id}/return`;
  const asked = await kissi.call('POST', returning, {
    token,
    body: { reason: 'Account closed', request_id: 'back-1' },
  });
  minute();
  assertStatus(await decide(kissi, pendingOf(asked).id, 'approve', (await openSession(kissi, sorie)) as never), 200);
  await setPolicy(kissi, 'processors.payout', { enabled: false });
  const path = `/transactions/${transaction_id}`;
  assertOrder(await textsFor('finance_user', path), [
    /Pay-out returned[\s\S]*40\.00/,
    /approved by Sorie Koroma[\s\S]*Mariama Conteh/,
    /This payment[\s\S]*Mariama Conteh/,
  ]);
  const ofSupport = await textsFor('support_user', path);
  assertOrder(ofSupport, [/Pay-out returned[\s\S]*40\.00/, /This payment[\s\S]*Mariama Conteh/]);
  assert.doesNotMatch(ofSupport.join('\n'), /Sorie|Account closed/);
});

test("a merchant's timeline names the till and the colleague, without webhooks for compliance", async () => {
  const merchant = await newMerchant(kissi, { business_name: 'Lumley Beach Grill' });
  const till = await terminalOf(kissi, { merchant, keyExtra: { name: 'Till one' } });
  const { card } = await bank.customer(100_000);
  minute();
  assertStatus(await till.pay(card, { amount: 4_300 }), 200);
  minute();
  const sales = await staffMember(kissi, 'sales_user', named('Isatu', 'Bangura'));
  await post(sales, `/processors/${merchant.id}/suspend`, { reason: 'Licence expired' });
  const path = `/merchants/${merchant.id}?tab=timeline`;
  const texts = await textsFor('compliance_user', path);
  assertOrder(texts, [/suspended[\s\S]*Licence expired[\s\S]*Isatu Bangura/, /\+4\d\.\d\d[\s\S]*Till one/]);
  assert.doesNotMatch(texts.join('\n'), /Webhook/);
  // Finance reads no audit log.
  const ofFinance = await textsFor('finance_user', path);
  assertOrder(ofFinance, [/\+4\d\.\d\d[\s\S]*Till one/]);
  assert.doesNotMatch(ofFinance.join('\n'), /suspended|Licence|Isatu/);
});

test("a partner's timeline has its credits, settlements and webhooks, and for finance no webhooks nor changes", async () => {
  const partner = await testBank(kissi, { name: 'Rokel Bank', webhook_url: 'https://rokel.example/kissi' });
  const wallet = await bank.wallet(0, named('Fatmata', 'Sesay'));
  minute();
  const credit = { reference: newReference(), amount: 9_100, msisdn: wallet.phone };
  assertStatus(await partner.credit(credit), 200);
  minute();
  await partner.updatePartner({ name: 'Rokel Commercial Bank' });
  const path = `/partners/${partner.partnerId}`;
  const texts = await textsFor('system_admin', path);
  assertOrder(texts, [/Partner: changed[\s\S]*Name/, /91\.00/]);
  assert.match(texts.join('\n'), /Webhook: /);
  assert.match(texts.join('\n'), /91\.00[\s\S]*Fatmata Sesay/);
  const ofFinance = await textsFor('finance_user', path);
  assertOrder(ofFinance, [/91\.00/]);
  assert.doesNotMatch(ofFinance.join('\n'), /Webhook|changed/);
});

test('nothing of a timeline stays visible once the access to its person has ended', async () => {
  const [person, friend] = [
    await bank.wallet(90_000, named('Alhaji', 'Bundu')),
    await bank.wallet(0, named('Zainab', 'Kallon')),
  ];
  for (let n = 1; n <= 17; n++) {
    const transfer = { sender_id: person.id, recipient_id: friend.id, amount: n * 100, pin: PIN };
    assertStatus(await bank.post('/wallet/transfer', transfer), 200);
  }
  await markPep(kissi, person.id);
  const staff = await newAuthorizedStaff(kissi, 'compliance_user');
  const { page, go, check, expectRefusal, errors, close } = await openConsole(browser, kissi.url, staff);
  await go(`/customers/${person.id}`);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').waitFor();
  await page.getByLabel('Code').fill(await lastCodeSentTo(kissi, staff.phone));
  await page.getByRole('button', { name: 'Open the record' }).click();
  await page.getByRole('heading', { name: 'Alhaji Bundu', level: 1 }).waitFor();
  await showTimeline(page);
  await page.getByText('−17.00').waitFor();
  expectRefusal(403);
  errors.splice(0);

  // A login anywhere ends the access.
  await openSession(kissi, staff);
  await page.getByRole('button', { name: 'Show earlier' }).click();
  await page.getByRole('button', { name: 'Send me a code' }).waitFor();
  await page.getByRole('heading', { name: 'Alhaji Bundu' }).waitFor({ state: 'detached' });
  const text = await page.getByRole('main').innerText();
  assert.doesNotMatch(text, /Alhaji|Bundu|Zainab|Kallon|17\.00/);
  assert.equal(await entries(page).count(), 0);
  expectRefusal(403);
  errors.splice(0);
  await check('a person whose access has ended');
  await close();
});
