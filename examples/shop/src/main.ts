// Starts the shop: npm start -w examples/shop
import { Kissi } from '@kissi/client';
import { createApp } from './app.ts';
import { createCheckout } from './checkout.ts';
import { openOrders } from './orders.ts';
import { setting } from './setting.ts';
import { createReceive } from './webhooks.ts';

const { env } = process;
const port = Number(env.PORT ?? 4101);
const baseUrl = setting('KISSI_URL');
const kissi = new Kissi({
  baseUrl,
  keyId: setting('KISSI_KEY_ID'),
  secret: setting('KISSI_SECRET'),
  // The customer waits: two retries, then the page says that there was no reply.
  timeoutMs: 10_000,
  maxRetries: 2,
});
const orders = openOrders(env.DATABASE_FILE ?? 'shop.db');
const processorId = setting('KISSI_PROCESSOR_ID');
const shopUrl = env.SHOP_URL ?? `http://127.0.0.1:${port}`;
const checkout = createCheckout({ kissi, processorId, shopUrl, orders });
const receive = createReceive({ checkout, secrets: setting('KISSI_WEBHOOK_SECRET').split(',') });
await checkout.finishRefunds();

createApp({ orders, checkout, receive }).listen(port, '127.0.0.1', (error) => {
  if (!error) return void process.stdout.write(`The shop is on ${shopUrl}\nKissi is at ${baseUrl}\n`);
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
  process.stderr.write(`Port ${port} is taken by another program: end it, or set PORT and register it (README.md).\n`);
  process.exitCode = 1;
});
