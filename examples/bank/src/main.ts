// Runs the bank: npm start -w examples/bank -- [PHONE AMOUNT]… [--listen] [--reconcile]
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatMoney, Kissi, KissiRefusalError, parseMoney } from '@kissi/client';
import { type Order, openLedger, type Transfer } from './ledger.ts';
import { reconcile } from './reconciliation.ts';
import { createTransfers } from './transfers.ts';
import { createReceiver } from './webhooks.ts';

/** Amounts and numbers of the lab (docs/guides/lab.md). */
const SAMPLES = [
  ['+23210000001', '250.00'],
  ['+23210000001', '91.01'], // The reply is lost.
  ['+23210000001', '91.04'], // The webhook is delivered twice.
  ['+23210000001', '91.09'], // The ledger refuses.
  ['+23210000002', '10.00'], // The wallet is blocked.
];
const WEBHOOK_WAIT_MS = 20_000;

const { env } = process;
const say = (text: string) => void process.stdout.write(`${text}\n`);
const money = (amount: number) => formatMoney(amount, { currency: 'SLE' });

function setting(name: string): string {
  const value = env[name];
  if (value) return value;
  process.stderr.write(`${name} is not set. Start "npm run demo" first: it writes this example's settings.\n`);
  process.exit(1);
}

function readOrders(words: string[]): Order[] {
  const pairs =
    words.length > 0 ? words.flatMap((word, n) => (n % 2 === 0 ? [[word, words[n + 1] ?? '']] : [])) : SAMPLES;
  return pairs.map(([msisdn = '', amount = '']) => ({ msisdn, amount: parseMoney(amount), narration: 'From my bank' }));
}

function show({ reference, msisdn, amount, status, failure_code }: Transfer): void {
  say(`transfer  ${reference}  ${msisdn}  ${money(amount).padStart(12)}  ${status} ${failure_code ?? ''}`.trimEnd());
}

/** Events that arrive later are delivered again at the next start. */
async function webhooksOf(transfers: Transfer[]): Promise<void> {
  const end = performance.now() + WEBHOOK_WAIT_MS;
  const isMissing = ({ reference, status }: Transfer) => status === 'COMPLETED' && !ledger.hasEvent(reference);
  while (transfers.some(isMissing) && performance.now() < end) await pause(50);
}

/** The listeners stay: Ctrl-C arrives twice, from the terminal and from npm. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve());
  });
}

async function showReconciliation(): Promise<void> {
  const { matched, corrected, differences, paid, owed } = await reconcile(kissi, ledger);
  say(`reconciliation: ${matched} transfers agree, ${corrected.length} corrected, ${differences.length} differ`);
  say(`customers paid ${money(paid)}, the bank owes ${money(owed)}`);
  for (const each of differences) {
    say(`  ${each.reference}: ${money(each.bank)} at the bank, ${money(each.kissi)} at Kissi`);
  }
  process.exitCode = differences.length === 0 ? 0 : 1;
}

const { values, positionals } = parseArgs({
  options: { listen: { type: 'boolean' }, reconcile: { type: 'boolean' } },
  allowPositionals: true,
});
const orders = values.reconcile ? [] : readOrders(positionals);
const baseUrl = setting('KISSI_URL');
say(`Kissi is at ${baseUrl}`);
const kissi = new Kissi({
  baseUrl,
  keyId: setting('KISSI_KEY_ID'),
  secret: setting('KISSI_SECRET'),
  partnerId: setting('KISSI_PARTNER_ID'),
});
const ledger = openLedger(env.DATABASE_FILE ?? 'bank.db');
const transfers = createTransfers(kissi, ledger);
const receiver = createReceiver({
  ledger,
  secrets: setting('KISSI_WEBHOOK_SECRET').split(','),
  onEvent: ({ event, reference }, isNew) => say(`webhook   ${reference}  ${event}${isNew ? '' : ' (again)'}`),
});
const port = Number(env.PORT ?? 4102);
receiver.listen(port, '127.0.0.1');
await once(receiver, 'listening').catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error;
  process.stderr.write(
    `Port ${port} is taken by another program: end it, or set PORT and the partner's webhook_url.\n`,
  );
  process.exit(1);
});

const sent = await transfers.resume();
for (const transfer of sent) show(transfer);
for (const order of orders) {
  try {
    const result = await transfers.transfer(order);
    if ('refused' in result) {
      say(`transfer  ${order.msisdn}: ${result.refused}`);
    } else {
      sent.push(result);
      show(result);
    }
  } catch (error) {
    // The enquiry was refused, for example because no wallet has this number.
    if (!(error instanceof KissiRefusalError)) throw error;
    say(`transfer  ${order.msisdn}: ${error.code}`);
  }
}
await webhooksOf(sent);
if (values.listen) {
  say('Waiting for webhooks; Ctrl-C reconciles and ends.');
  await interrupted();
}
await showReconciliation();
receiver.close();
receiver.closeIdleConnections();
