// Cases and recalls for tests: two customers with known phones, a transfer to the wrong one, and calls about it.

import { again, newPhone, type Phone } from './customers.ts';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { type Bank, PIN, type Wallet } from './money.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DESCRIPTION = 'I typed the wrong number.';

let requests = 0;
export const newRequestId = () => `case-${++requests}`;

/** Phones that are no longer new. The clock moves by a day. */
export async function knownPhones(kissi: TestGateway, wallets: readonly Wallet[]): Promise<Phone[]> {
  const phones: Phone[] = [];
  for (const wallet of wallets) phones.push(await newPhone(kissi, wallet));
  kissi.clock.advance(DAY_MS);
  return Promise.all(phones.map((phone) => again(kissi, phone)));
}

/** Two customers who never paid each other. The names are theirs in all tests. */
export async function strangers(kissi: TestGateway, bank: Bank, balance = 500_000): Promise<[Phone, Phone]> {
  const sender = await bank.wallet(balance, { first_name: 'Aminata', last_name: 'Kamara' });
  const recipient = await bank.wallet(0, { first_name: 'Foday', last_name: 'Sesay' });
  return (await knownPhones(kissi, [sender, recipient])) as [Phone, Phone];
}

/** Returns the id of the transfer. */
export async function transferTo(sender: Phone, phone_number: string, amount: number): Promise<string> {
  const quote = assertStatus(await sender.post('/me/quote', { type: 'transfer', phone_number, amount }), 200).json
    .quote;
  const confirmation = { quote_id: quote.id, pin: PIN, request_id: newRequestId() };
  return assertStatus(await sender.post('/me/transfers', confirmation), 200).json.transaction_id;
}

export function askBack(sender: Phone, transaction_id: string, extra: Json = {}): Promise<CallReply> {
  const body = { kind: 'wrong_transfer', transaction_id, description: DESCRIPTION, pin: PIN, ...extra };
  return sender.post('/me/cases', body);
}

export async function recalled(sender: Phone, transactionId: string): Promise<Json> {
  return assertStatus(await askBack(sender, transactionId), 201).json.case;
}

export function accept(recipient: Phone, caseId: string, extra: Json = {}): Promise<CallReply> {
  return recipient.post(`/me/cases/${caseId}/accept`, { pin: PIN, request_id: newRequestId(), ...extra });
}

export async function ownCase(phone: Phone, id: string): Promise<Json> {
  return assertStatus(await phone.get(`/me/cases/${id}`), 200).json.case;
}

/** What is held of a wallet. */
export async function heldOf(kissi: TestGateway, walletId: string): Promise<number> {
  const { rows } = await kissi.db.query('select held from accounts where id = $1', [walletId]);
  return Number(rows[0].held);
}
