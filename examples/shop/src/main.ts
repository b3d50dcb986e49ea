// Starts the shop: npm start -w examples/shop
import { Kissi } from '@kissi/client';
import { createApp } from './app.ts';
import { createCheckout } from './checkout.ts';
import { openOrders } from './orders.ts';

const { env } = process;

function setting(name: string): string {
  const value = env[name];
  if (value) return value;
  process.stderr.write(`${name} is not set. Start "npm run demo" first: it writes this example's settings.\n`);
  process.exit(1);
}

const kissi = new Kissi({
  baseUrl: setting('KISSI_URL'),
  keyId: setting('KISSI_KEY_ID'),
  secret: setting('KISSI_SECRET'),
  // The customer waits: two retries, then the page says that the outcome is unknown.
  timeoutMs: 10_000,
  maxRetries: 2,
});
const merchant = { processor_id: setting('KISSI_PROCESSOR_ID'), merchant_id: setting('KISSI_MERCHANT_ID') };
const orders = openOrders(env.DATABASE_FILE ?? 'shop.db');
const checkout = createCheckout({ kissi, merchant, orders });
await checkout.finishRefunds();

const demo = env.DEMO_CARD && env.DEMO_PIN ? { card: env.DEMO_CARD, pin: env.DEMO_PIN } : null;
const server = createApp({ orders, checkout, demo }).listen(Number(env.PORT ?? 4101), '127.0.0.1', (error) => {
  if (error) throw error;
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`The shop is on http://127.0.0.1:${address?.port}\n`);
});
