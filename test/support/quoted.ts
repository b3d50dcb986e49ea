// A file's set-up for payments that customers confirm after a quote: two gateways, of which the second takes only the careful path.
import { after } from 'node:test';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { assertClean } from '../ledger/books.ts';
import { again, newPhone, type Phone } from './customers.ts';
import { assertStatus, type Json, testGateway } from './gateway.ts';
import { createBank, type Wallet } from './money.ts';
import { shopOf } from './payment-requests.ts';

export async function quotesForFile() {
  const kissi = await testGateway();
  const bank = await createBank(kissi);
  const second = await testGateway({ db: kissi.db, clock: kissi.clock, fastPath: false });
  after(async () => {
    await second.close();
    await assertClean(kissi.db.url);
    await kissi.close();
  });
  const shop = await shopOf(kissi);

  /** Phones that are no longer new. The clock moves by a day. */
  async function phonesOf(...wallets: Wallet[]): Promise<Phone[]> {
    const phones: Phone[] = [];
    for (const wallet of wallets) phones.push(await newPhone(kissi, wallet));
    kissi.clock.advance(DAY_MS);
    return Promise.all(phones.map((phone) => again(kissi, phone)));
  }

  return { kissi, second, bank, balance: bank.balance, shop, phonesOf };
}

let requests = 0;
export const newId = () => `mine-${++requests}`;

export async function quoted(phone: Phone, body: Json): Promise<Json> {
  return assertStatus(await phone.post('/me/quote', body), 200).json.quote;
}
