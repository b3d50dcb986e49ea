// A customer about whom everything is stored that can be, whose data may be erased, and requests to erase it.
import assert from 'node:assert/strict';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { decide, pendingOf, setPolicy, type User, user } from './approvals.ts';
import { knownPhone, type Phone } from './customers.ts';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { type Bank, PIN, type Wallet } from './money.ts';
import { LAB, shopOf } from './payment-requests.ts';
import { openSession, runChore, type Staff } from './staff.ts';
import { dial, USSD } from './ussd.ts';

export const PRIVACY_ENV = { ...LAB, ...USSD };

/** Nobody else in the tests has any of it. */
export const IDENTITY = {
  first_name: 'Zephyrine',
  last_name: 'Quillfeather',
  email: 'zephyrine@quillfeather.example',
  address: '77 Zebulon Lane',
  date_of_birth: '1987-03-29',
  id_type: 'NATIONAL_ID',
  id_number: 'ZQ88412077',
  id_document_url: 'https://files.example/zq-id.png',
  selfie_url: 'https://files.example/zq-face.jpg',
};
export const WORDS = ['zephyrin', 'quillfeather', 'zebulon', '1987-03-29', 'zq88412077', 'zq-id', 'zq-face'];

/** The clock moves, and sessions end. */
export async function now(kissi: TestGateway, member: Staff): Promise<User> {
  return { ...member, token: (await openSession(kissi, member)).token };
}

export interface Compliance {
  one: User;
  two: User;
  support: User;
}

export async function complianceUsers(kissi: TestGateway): Promise<Compliance> {
  // So that wallets can be emptied by transfers.
  const free = { transaction_type: 'transfer_p2p', party_type: 'sender', fee_type: 'percentage', fee_value: 0 };
  const setting = { ...free, debit_enabled: true, credit_enabled: false };
  assertStatus(await kissi.asAdmin.put('/fee-settings', setting), 200);
  const [one, two] = [await user(kissi, 'compliance_user'), await user(kissi, 'compliance_user')];
  return { one, two, support: await user(kissi, 'support_user') };
}

export async function ask(kissi: TestGateway, member: Staff, id: string, body: Json = { reason: 'Letter 12' }) {
  const { token } = await now(kissi, member);
  return kissi.call('POST', `/api/v1/subscribers/${id}/erase`, { token, body });
}

/** Requested by one user, and approved by the other. */
export async function erase(kissi: TestGateway, { one, two }: Compliance, id: string): Promise<CallReply> {
  const approval = pendingOf(await ask(kissi, one, id));
  return decide(kissi, approval.id, 'approve', await now(kissi, two));
}

let customers = 0;

/** A customer with what every feature stores, whose wallet is empty again. */
export async function storedEverywhere(kissi: TestGateway, bank: Bank, staff: Compliance): Promise<Phone> {
  const wallet = await bank.wallet(100_000, { ...IDENTITY, id_number: `${IDENTITY.id_number}${++customers}` });
  const about = `${IDENTITY.first_name} ${IDENTITY.last_name}, ${wallet.phone}`;
  assertStatus(await kissi.asAdmin.put(`/subscribers/${wallet.id}`, { kyc_level: 2 }), 200);
  const card = await bank.card(wallet);
  assertStatus(await kissi.asAdmin.put(`/cards/${card}`, { label: about }), 200);
  const phone = await knownPhone(kissi, wallet);
  const other = await bank.wallet(50_000, { first_name: 'Foday', last_name: 'Sesay' });
  await addPayments(kissi, bank, wallet, other);
  await addMessages(kissi, phone, about);
  await addReviews(kissi, staff, wallet, about);
  await addChange(kissi, staff, wallet);
  await empty(bank, wallet, other);
  return phone;
}

/** By transfer, request and USSD. */
async function addPayments(kissi: TestGateway, bank: Bank, wallet: Wallet, other: Wallet): Promise<void> {
  const transfer = {
    sender_id: other.id,
    recipient_phone: wallet.phone,
    amount: 700,
    pin: PIN,
    request_id: `zq-${wallet.id}`,
  };
  assertStatus(await bank.post('/wallet/transfer', transfer), 200);
  const shop = await shopOf(kissi);
  await shop.asked({ amount: 500 });
  await dial(kissi, wallet.phone, 'json').type('4', '1', PIN);
}

/** A case with a file, settings, and what the phone calls itself. */
async function addMessages(kissi: TestGateway, phone: Phone, about: string): Promise<void> {
  const { case: opened } = assertStatus(await phone.post('/me/cases', { kind: 'other', description: about }), 201).json;
  const notes = { language: 'kri', channels: ['sms'], payments: true, show_balance: true };
  assertStatus(await phone.put('/me/notifications', notes), 200);
  const token = await kissi.adminToken();
  const pdf = { raw: `%PDF-1.7 ${about}\n`, headers: { 'content-type': 'application/pdf' }, token };
  const name = encodeURIComponent(`${about}.pdf`.replace('+', ''));
  assertStatus(await kissi.call('POST', `/api/v1/cases/${opened.id}/files?name=${name}`, pdf), 201);
  assertStatus(await kissi.call('POST', `/api/v1/subscribers/${phone.wallet.id}/documents?kind=identity`, pdf), 201);
  assertStatus(await kissi.asAdmin.post(`/cases/${opened.id}/notes`, { text: about }), 200);
  const end = { state: 'resolved', reason: `Called ${about}` };
  assertStatus(await kissi.asAdmin.post(`/cases/${opened.id}/state`, end), 200);
}

/** A note, and an alert that staff raised and resolved. */
async function addReviews(kissi: TestGateway, { one }: Compliance, { id }: Wallet, about: string): Promise<void> {
  const { token } = await now(kissi, one);
  const post = (path: string, body: Json) => kissi.call('POST', `/api/v1${path}`, { token, body });
  assertStatus(await post(`/subscribers/${id}/notes`, { text: about }), 201);
  const raised = { subscriber_id: id, severity: 'LOW', type: 'unusual', description: `Asked by ${about}` };
  const { alert } = assertStatus(await post('/compliance/alerts', raised), 201).json;
  assertStatus(await post(`/compliance/alerts/${alert.id}/resolve`, { resolution: `Spoke to ${about}` }), 200);
  await runChore(kissi, 'count refused attempts');
}

/** A change that two users made, which names both values. */
async function addChange(kissi: TestGateway, { one, two }: Compliance, { id }: Wallet): Promise<void> {
  await setPolicy(kissi, 'kyc.raise', { enabled: true });
  const { token } = await now(kissi, one);
  const body = { kyc_level: 3 };
  const approval = pendingOf(await kissi.call('PUT', `/api/v1/subscribers/${id}`, { token, body }));
  assertStatus(await decide(kissi, approval.id, 'approve', await now(kissi, two)), 200);
  await setPolicy(kissi, 'kyc.raise', { enabled: false });
}

/** Leaves nothing in the wallet. */
export async function empty(bank: Bank, from: Wallet, to: Wallet): Promise<void> {
  const amount = await bank.balance(from.id);
  const transfer = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN, request_id: `empty-${from.id}` };
  assertStatus(await bank.post('/wallet/transfer', transfer), 200);
  assert.equal(await bank.balance(from.id), 0);
}

/** Past the five years, with what happens in them to what is kept for a shorter time. */
export async function passRetention(kissi: TestGateway): Promise<void> {
  await kissi.gateway.services.requestLog.flush();
  await kissi.gateway.services.repeatedEvents.flush();
  kissi.clock.advance(5 * 366 * DAY_MS);
  for (const { name, run } of kissi.gateway.backgroundTasks)
    if (name.startsWith('prune') && name !== BY_THE_DATABASE) await run(ALWAYS);
}

/** The database's own clock must agree that idempotency keys are old. */
const BY_THE_DATABASE = 'prune idempotency keys';
const ALWAYS = new AbortController().signal;
