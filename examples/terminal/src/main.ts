// Starts the terminal: npm start -w examples/terminal
import { formatMoney, Kissi, parseMoney } from '@kissi/client';
import { type Entry, openJournal } from './journal.ts';
import { bold, frame, green, openKeypad, red, show, yellow } from './screen.ts';
import { createTerminal, type Outcome } from './terminal.ts';

const { env } = process;

function setting(name: string): string {
  const value = env[name];
  if (value) return value;
  process.stderr.write(`${name} is not set. Start "npm run demo" first: it writes this example's settings.\n`);
  process.exit(1);
}

const store = {
  processor_id: setting('KISSI_PROCESSOR_ID'),
  merchant_id: setting('KISSI_MERCHANT_ID'),
  terminal_id: setting('KISSI_TERMINAL_ID'),
};
const baseUrl = setting('KISSI_URL');
const kissi = new Kissi({
  baseUrl,
  keyId: setting('KISSI_KEY_ID'),
  secret: setting('KISSI_SECRET'),
  // The customer waits at the counter.
  timeoutMs: 10_000,
  maxRetries: 3,
});
const journal = openJournal(env.DATABASE_FILE ?? 'terminal.db');
const terminal = createTerminal({ kissi, journal, store });
const keypad = openKeypad();
const money = (amount: number) => formatMoney(amount, { currency: 'SLE' });

function readAmount(text: string): number | null {
  try {
    const amount = parseMoney(text);
    return amount > 0 ? amount : null;
  } catch {
    show(red('Not an amount, such as 45.00'));
    return null;
  }
}

function showOutcome({ kind }: Entry, outcome: Outcome): void {
  const what = kind === 'sale' ? 'payment' : 'refund';
  if (outcome.is === 'approved') {
    show(green(kind === 'sale' ? 'APPROVED' : 'REFUND APPROVED'));
    show(frame(outcome.receipt));
    if (outcome.attempts > 1) show(`The connection was lost: sent ${outcome.attempts} times.`);
    if (outcome.isReplay) show(`The ${what} had already been made. It was made once.`);
  } else if (outcome.is === 'declined') {
    show(red(`DECLINED  ${outcome.code}`));
    if (outcome.code === 'INVALID_PIN') show(`${outcome.fields.attempts_remaining} attempts left.`);
  } else {
    show(yellow(`NO REPLY  ${outcome.code} after ${outcome.attempts} attempts. The ${what} may have been made.`));
  }
}

async function send(entry: Entry, { isRepeat = false } = {}): Promise<void> {
  const pin = entry.kind === 'sale' ? await keypad.askPin() : '';
  // The entry stays unfinished.
  if (pin === null) return;
  show('Connecting …');
  showOutcome(entry, await terminal.send(entry, { pin, isRepeat }));
}

async function sale(): Promise<void> {
  const amount = readAmount((await keypad.ask('Amount: ')) ?? '');
  if (amount === null) return;
  const card =
    (await keypad.ask(`Card${env.DEMO_CARD ? ` [${env.DEMO_CARD}, PIN ${env.DEMO_PIN}]` : ''}: `)) || env.DEMO_CARD;
  if (card) await send(journal.open({ kind: 'sale', amount, card, original: null }));
}

async function refund(): Promise<void> {
  const sales = journal.last().filter(({ kind, status }) => kind === 'sale' && status === 'approved');
  const lastSale = sales[0];
  if (!lastSale) return show('There is no sale to refund.');
  const original = (await keypad.ask(`Transaction [${lastSale.transaction_id}]: `)) || lastSale.transaction_id;
  const known = sales.find(({ transaction_id }) => transaction_id === original) ?? lastSale;
  const amount = readAmount((await keypad.ask(`Amount [${formatMoney(known.amount)}]: `)) || formatMoney(known.amount));
  if (amount !== null) await send(journal.open({ kind: 'refund', amount, card: null, original }));
}

/** Before anything else: a payment whose outcome is unknown is sent again, with the same request_id. */
async function finish(entry: Entry): Promise<boolean> {
  const { kind, amount, card } = entry;
  show(
    yellow(
      `Unfinished ${kind} of ${money(amount)}${card ? ` with card ${card}` : ''}: it is sent again and made once.`,
    ),
  );
  const choice = await keypad.ask('Enter: send again, 9: leave it to the office, 0: switch off: ');
  if (choice === '') await send(entry, { isRepeat: true });
  if (choice === '9') journal.leave(entry);
  return choice !== '0' && choice !== null;
}

function showJournal(): void {
  for (const { kind, amount, status, transaction_id, code } of journal.last()) {
    show(
      `${kind.padEnd(6)} ${money(amount).padStart(14)}  ${status.padEnd(8)} ${transaction_id ?? code ?? ''}`.trimEnd(),
    );
  }
}

async function serve(): Promise<boolean> {
  const unfinished = journal.unfinished();
  if (unfinished) return finish(unfinished);
  const choice = await keypad.ask(`\n${bold('1')} Sale  ${bold('2')} Refund  ${bold('3')} Journal  ${bold('0')} Off: `);
  if (choice === '1') await sale();
  if (choice === '2') await refund();
  if (choice === '3') showJournal();
  return choice !== '0' && choice !== null;
}

show(frame(`${store.merchant_id}   Terminal ${store.terminal_id}`));
show(`Kissi is at ${baseUrl}`);
while (await serve());
keypad.close();
