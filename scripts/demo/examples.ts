// What the programs in examples/ need: their own bank, money on the card of the lab, and a file of settings for each.

import { randomUUID } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inbound } from '@kissi/testkit/signing';
import { LAB_PIN, LAB_SUBSCRIBERS } from '../../src/features/lab/effects.ts';
import { ADMIN, type Country, type Demo, type DemoMerchant, type ExampleBank, type ExampleShop } from './country.ts';
import { SLE } from './money.ts';
import { must } from './runtime/client.ts';

const BANK = { name: 'Example Bank', port: 4102 };
const SHOP_PORT = 4101;
const SHOP_EVENTS = ['paid', 'declined', 'expired', 'cancelled'].map((outcome) => `payment_request.${outcome}`);
const FUNDS = 2_000 * SLE;

/** Folders of earlier versions lack what later examples need: it is created at the next start. */
export async function prepareExamples(demo: Demo): Promise<void> {
  const { country } = demo;
  if (!country.exampleBank) {
    country.exampleBank = await createBank(demo);
    await fundCard(demo);
  }
  const shop = shopOf(country);
  if (shop && !country.exampleShop) country.exampleShop = await prepareShop(demo, shop);
}

/** The merchant of the example shop. */
export function shopOf({ merchants }: Country): DemoMerchant | undefined {
  return merchants.find(({ name }) => name === 'Makit Online') ?? merchants.find(({ online }) => online);
}

/** Its customers return to it from the payment page, and it gets webhooks. */
async function prepareShop(demo: Demo, { id }: DemoMerchant): Promise<ExampleShop> {
  const admin = demo.session(ADMIN.email);
  const host = `127.0.0.1:${SHOP_PORT}`;
  await must(admin.call('POST', `/processors/${id}/return-hosts`, { return_hosts: [host] }), 'return host of the shop');
  const endpoint = { processor_id: id, url: `http://${host}/webhooks`, events: SHOP_EVENTS };
  const { secret } = await must(admin.call('POST', '/webhook-endpoints', endpoint), 'webhooks of the shop');
  const { card } = await must(admin.call('GET', `/cards/${LAB_SUBSCRIBERS[0]?.serial}`), 'card of the lab');
  return { webhookSecret: secret, payerId: card.subscriber_id };
}

async function createBank(demo: Demo): Promise<ExampleBank> {
  const admin = demo.session(ADMIN.email);
  const webhook_url = `http://127.0.0.1:${BANK.port}/webhooks`;
  const { partner, webhook_secret } = await must(
    admin.call('POST', '/admin/partners', { name: BANK.name, webhook_url }),
    'bank of the examples',
  );
  const scopes = ['payments:read', 'inbound:read', 'inbound:write'];
  const body = { name: `${BANK.name} API`, partner_id: partner.id, scopes };
  const { api_key, secret } = await must(admin.call('POST', '/admin/api-keys', body), 'key of the examples');
  return { id: partner.id, keyId: api_key.id, secret, webhookSecret: webhook_secret };
}

/** From the first bank whose limits allow it, so that the examples can pay at once. */
async function fundCard(demo: Demo): Promise<void> {
  const msisdn = LAB_SUBSCRIBERS[0]?.phone;
  for (const { key } of demo.country.banks) {
    const body = { reference: randomUUID(), amount: FUNDS, msisdn, narration: 'For the examples' };
    const { status } = await demo.client.postSigned(inbound(key, body.reference), '/api/v1/inbound/credit', body);
    if (status === 200) return;
  }
}

/** Written at every start, because the address may have changed. The files contain keys, so only their owner can read them. */
export async function writeExampleSettings({ country }: Demo, address: string, dataDir: string): Promise<void> {
  const { merchants, exampleBank: bank, exampleShop } = country;
  const shop = shopOf(country);
  const store = merchants.find(({ terminals }) => terminals.length > 0);
  if (!shop || !exampleShop || !store || !bank) return;
  const folder = resolve(dataDir, 'examples');
  await mkdir(folder, { recursive: true });
  const card = { DEMO_CARD: LAB_SUBSCRIBERS[0]?.serial ?? '', DEMO_PIN: LAB_PIN };
  const write = async (name: string, settings: Record<string, string | number>) => {
    // Their records belong to this country: --fresh deletes both.
    const all = { KISSI_URL: address, ...settings, DATABASE_FILE: join(folder, `${name}.db`) };
    const lines = Object.entries(all).map(([key, value]) => `${key}="${value}"\n`);
    await writeFile(join(folder, `${name}.env`), lines.join(''), { mode: 0o600 });
    await chmod(join(folder, `${name}.env`), 0o600);
  };
  const { webhookSecret, payerId } = exampleShop;
  await write('shop', { ...merchantSettings(shop), KISSI_WEBHOOK_SECRET: webhookSecret, PORT: SHOP_PORT });
  // A login of staff: in a file of its own, which the shop does not read.
  const login = { LAB_EMAIL: ADMIN.email, LAB_PASSWORD: country.password };
  await write('lab', { ...login, LAB_PAYER_ID: payerId, LAB_PIN, KISSI_PROCESSOR_ID: shop.id });
  await write('terminal', { ...merchantSettings(store), KISSI_TERMINAL_ID: store.terminals[0] ?? '', ...card });
  await write('bank', {
    KISSI_KEY_ID: bank.keyId,
    KISSI_SECRET: bank.secret,
    KISSI_PARTNER_ID: bank.id,
    KISSI_WEBHOOK_SECRET: bank.webhookSecret,
    PORT: BANK.port,
  });
}

const merchantSettings = ({ id, merchantId, key }: DemoMerchant) => ({
  KISSI_KEY_ID: key.id,
  KISSI_SECRET: key.secret,
  KISSI_PROCESSOR_ID: id,
  KISSI_MERCHANT_ID: merchantId,
});
