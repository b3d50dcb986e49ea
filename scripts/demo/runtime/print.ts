// Terminal output of the demo: progress, the table of logins and keys, and what the country looks like.
import type { Country, Tally } from '../country.ts';
import type { Phases, RunningDemo } from '../run.ts';

const isTerminal = process.stdout.isTTY === true;
const style = (code: string) => (text: string) => (isTerminal ? `\x1b[${code}m${text}\x1b[0m` : text);
const bold = style('1');
const dim = style('2');
const green = style('32');

export const say = (text = '') => void process.stdout.write(`${text}\n`);
const number = (value: number) => value.toLocaleString('en-US');

const LINE_EVERY = 10;

/** One line per phase. On a terminal the line of the running phase is updated in place; elsewhere every tenth update is a line. */
export class Progress implements Phases {
  private readonly startedAt = performance.now();
  private phaseStartedAt = 0;
  private name = '';
  private updates = 0;

  begin(name: string): void {
    this.name = name;
    this.updates = 0;
    this.phaseStartedAt = performance.now();
    if (isTerminal) process.stdout.write(`  ${dim('·')} ${name} …`);
  }

  update(text: string): void {
    this.updates += 1;
    if (isTerminal) process.stdout.write(`\r\x1b[K  ${dim('·')} ${this.name} … ${dim(text)}`);
    else if (this.updates % LINE_EVERY === 0) say(`  · ${this.name} … ${text}`);
  }

  end(result = ''): void {
    const seconds = `${((performance.now() - this.phaseStartedAt) / 1_000).toFixed(1)} s`;
    const line = `  ${green('✓')} ${this.name.padEnd(34)} ${seconds.padStart(7)}   ${result}`.trimEnd();
    process.stdout.write(isTerminal ? `\r\x1b[K${line}\n` : `${line}\n`);
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1_000;
  }
}

export function printHeader(text: string): void {
  say();
  say(bold(text));
}

/** Columns of equal width. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  say(`  ${dim(line(header))}`);
  for (const row of rows) say(`  ${line(row)}`);
}

export function printAccess(demo: RunningDemo): void {
  const { country, address, webPages, webhooksUrl: webhooks, dataDir } = demo;
  const { logins, keys, banks, password } = country;
  printHeader('Staff');
  say(
    `  ${dim('Log in to the console, or with POST /api/v1/admin/login. They all have the password:')} ${bold(password)}`,
  );
  say();
  table(
    ['role', 'email', 'name', 'what for'],
    logins.map(({ role, email, name, note }) => [role, email, name, note]),
  );
  printHeader('API keys');
  table(
    ['key', 'bearer value', 'what for'],
    keys.map(({ name, key, purpose }) => [name, key, purpose]),
  );
  say();
  table(
    ['signing key of', 'X-API-Key-ID', 'secret'],
    banks.slice(0, 1).map(({ name, key }) => [name, key.id, key.secret]),
  );
  printHeader('Addresses');
  say(`  API            ${bold(`${address}/api/v1`)}`);
  if (webPages.includes('console')) say(`  Console        ${bold(`${address}/console`)}`);
  if (webPages.includes('wallet')) say(`  Wallet         ${bold(`${address}/wallet`)}`);
  say(`  Documentation  ${address}/docs`);
  say(`  Health         ${address}/health`);
  say(`  Webhooks       ${webhooks} receives the banks' webhooks and verifies their signatures`);
  say(`  Ledger         DATA_DIR=${dataDir} npm run ledger:verify`);
  printStatements(country);
  printExamples(dataDir);
  printPhone(demo);
}

function printExamples(dataDir: string): void {
  printHeader('Examples, each in its own terminal');
  say(`  npm start -w examples/shop        ${dim('a web shop on http://127.0.0.1:4101')}`);
  say(`  npm run lab:pay -w examples/shop  ${dim("its customer's phone: pays the newest order")}`);
  say(`  npm start -w examples/terminal    ${dim('a payment terminal')}`);
  say(`  npm start -w examples/bank        ${dim('a partner bank: credits, webhooks, reconciliation')}`);
  say(`  ${dim(`Their keys are in ${dataDir}/examples. Card LAB-0001, PIN 7083.`)}`);
}

function printPhone({ address, webPages, ussdSecret }: RunningDemo): void {
  printHeader("A customer's phone: +23210000001, PIN 7083");
  if (webPages.includes('console')) {
    say(`  USSD and SMS  ${address}/console/lab/phone  ${dim('also as an agent above, or as a new number')}`);
  }
  if (webPages.includes('wallet')) {
    say(`  Wallet        ${address}/wallet  ${dim('the code that it asks for is among the SMS')}`);
  }
  say(`  USSD          POST ${address}/ussd/json/${ussdSecret}  ${dim('(docs/guides/ussd-gateway.md)')}`);
}

/** Folders of earlier versions have no trust accounts. */
function printStatements({ trustAccounts = [] }: Partial<Country>): void {
  const waiting = trustAccounts.filter((each) => each.waiting);
  if (waiting.length === 0) return;
  printHeader("Yesterday's bank statements, for finance to upload (docs/guides/finance.md)");
  table(
    ['trust account', 'bank', 'file', 'content type'],
    waiting.map(({ id, bank, waiting: file }) => [id, bank, file?.path ?? '', file?.mediaType ?? '']),
  );
}

export function printCountry({ subscribers, agents, merchants, banks }: Country): void {
  const count = (suits: (each: Country['subscribers'][number]) => boolean) => number(subscribers.filter(suits).length);
  const supers = agents.filter(({ type }) => type === 'super_agent').length;
  printHeader('Country');
  say(
    `  ${number(subscribers.length)} subscribers (${count(({ status }) => status === 'blocked')} blocked, ${count(({ status }) => status === 'locked')} with a locked account, ${count(({ status }) => status === 'pending')} pending), ${count(({ card }) => card !== null)} cards`,
  );
  say(`  ${agents.length} agents in ${supers} networks, ${merchants.length} merchants, ${banks.length} partner banks`);
}

export function printTally({ payments, refusals }: Tally): void {
  const list = (counts: Map<string, number>) =>
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .map(([name, count]) => `${number(count)} ${name}`)
      .join(', ');
  say(`  ${dim('Movements')}  ${list(payments)}`);
  say(`  ${dim('Refusals')}   ${list(refusals)}`);
}

/** A status line every few seconds on a terminal, every minute elsewhere. */
export function showLive(tally: Tally): { stop(): void } {
  const everyMs = isTerminal ? 2_000 : 60_000;
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const rate = (tally.paid / Math.max(1, seconds)).toFixed(1);
    const text = `  Live for ${seconds} s: ${number(tally.paid)} payments (${rate} a second), ${number(tally.refused)} refused`;
    process.stdout.write(isTerminal ? `\r\x1b[K${dim(text)}` : `${text}\n`);
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      if (isTerminal) process.stdout.write('\r\x1b[K');
    },
  };
}
