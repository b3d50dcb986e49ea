// Bulk payments during the faults: one after the other is uploaded, approved and paid, and every row must be paid exactly once.
import { setTimeout as wait } from 'node:timers/promises';
import type { Journal } from '@kissi/testkit/journal';
import type { Parties } from '@kissi/testkit/parties';

const ROWS = 300;
const AMOUNT = 10;
const PASSWORD = 'Faults-Password-1';
const ANSWER_WITHIN_MS = 20_000;
/** A gateway that was killed holds its lease for ten seconds. */
const END_WITHIN_MS = 180_000;

export interface BulkLoad {
  start(): void;
  /** Waits for the one in work, and enters the rows of all into the journal. Call it once everything runs again. */
  settle(): Promise<void>;
}

interface Options {
  urls: readonly string[];
  parties: Pick<Parties, 'adminToken' | 'wallets'>;
  journal: Journal;
}

interface Answer {
  status: number;
  json: ReturnType<typeof JSON.parse>;
}

export function createBulkLoad({ urls, parties, journal }: Options): BulkLoad {
  const { wallets } = parties;
  const done: string[] = [];
  let stopping = false;
  let running: Promise<void> = Promise.resolve();
  let calls = 0;

  /** Sent until a gateway answers: one that is killed answers nothing, and one without its database 5xx. */
  async function call(
    method: string,
    path: string,
    token: string,
    body?: string,
    type = 'application/json',
  ): Promise<Answer> {
    const end = performance.now() + END_WITHIN_MS;
    for (;;) {
      const url = `${urls[calls++ % urls.length]}/api/v1${path}`;
      const headers = { authorization: `Bearer ${token}`, 'content-type': type };
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
      const init = { method, headers, signal, ...(body === undefined ? {} : { body }) };
      const response = await fetch(url, init).catch(() => null);
      const text = await response?.text().catch(() => null);
      if (response && text != null && response.status < 500 && response.status !== 429) {
        return { status: response.status, json: text === '' ? null : JSON.parse(text) };
      }
      if (performance.now() > end) throw new Error(`${method} ${path} was never answered`);
      await wait(100);
    }
  }

  /** Two of finance, so that one uploads and the other approves. */
  async function logins(): Promise<[string, string]> {
    const made = ['first', 'second'].map(async (name) => {
      const email = `${name}.finance@faults.example.com`;
      const person = { email, password: PASSWORD, first_name: 'Fatu', last_name: 'Sesay', role: 'finance_user' };
      const created = await call('POST', '/admin/users', parties.adminToken, JSON.stringify(person));
      if (created.status !== 201 && created.json.code !== 'USER_EXISTS') throw new Error(JSON.stringify(created));
      const login = await call('POST', '/admin/login', '', JSON.stringify({ email, password: PASSWORD }));
      return login.json.token as string;
    });
    return (await Promise.all(made)) as [string, string];
  }

  const fileOf = (file: number) => {
    const rows = Array.from({ length: ROWS }, (_, row) => {
      const { phone } = wallets[row % wallets.length] as { phone: string };
      return `faults-${file}-${row},${phone},${AMOUNT / 100}`;
    });
    return ['reference,phone_number,amount', ...rows].join('\n');
  };

  async function payOne(file: number, [uploader, approver]: [string, string]): Promise<void> {
    const query = `?treasury=true&name=Faults%20${file}`;
    const sent = await call('POST', `/bulk-payments${query}`, uploader, fileOf(file), 'text/csv');
    const id = sent.json.bulk_payment?.id ?? sent.json.bulk_payment_id;
    if (typeof id !== 'string') throw new Error(`a file was refused: ${JSON.stringify(sent.json)}`);
    const checked = await whenIn(id, approver, (status) => status !== 'checking');
    const approval = { file_sha256: checked.file_sha256, mode: 'all_or_nothing' };
    const approved = await call('POST', `/bulk-payments/${id}/approve`, approver, JSON.stringify(approval));
    // An approval whose answer was lost is repeated.
    if (approved.status !== 200 && approved.json.code !== 'BULK_PAYMENT_STATE') {
      throw new Error(`an approval was refused: ${JSON.stringify(approved.json)}`);
    }
    const ended = await whenIn(id, approver, (status) => !['approved', 'running', 'checked'].includes(status));
    if (ended.status !== 'completed' || ended.paid_count !== ROWS) {
      journal.violations.push(
        `the bulk payment ${id} is ${ended.status} with ${ended.paid_count} of ${ROWS} rows paid`,
      );
    }
    done.push(id);
  }

  async function whenIn(id: string, token: string, isIn: (status: string) => boolean): Promise<Answer['json']> {
    const end = performance.now() + END_WITHIN_MS;
    for (;;) {
      const { json } = await call('GET', `/bulk-payments/${id}`, token);
      if (isIn(json.bulk_payment.status)) return json.bulk_payment;
      if (performance.now() > end) throw new Error(`the bulk payment ${id} stays ${json.bulk_payment.status}`);
      await wait(100);
    }
  }

  /** As if a client had sent each row: its movement exists once, whole, and the balances contain it. */
  async function enter(id: string, token: string): Promise<void> {
    const paid = new Map<number, string>();
    for (let offset = 0; offset < ROWS; offset += 100) {
      const { json } = await call('GET', `/bulk-payments/${id}/rows?limit=100&offset=${offset}`, token);
      for (const row of json.rows) paid.set(row.line, row.transaction_id);
    }
    for (let row = 0; row < ROWS; row++) {
      const line = row + 2;
      const wallet = wallets[row % wallets.length] as { id: string };
      journal.entries.push({
        ...{ id: `bulk:${id}:${line}`, route: 'bulk payment', once: true, state: 'acknowledged', attempts: 1 },
        effect: {
          type: 'processor_transfer',
          amount: AMOUNT,
          fee: 0,
          legs: { treasury: -AMOUNT, [wallet.id]: AMOUNT },
        },
        ...{ transactionId: paid.get(line) ?? null, reply: null, code: null, reportedBalance: null, inbound: null },
      });
    }
  }

  async function run(): Promise<void> {
    for (let file = 1; !stopping; file++) await payOne(file, await logins());
  }

  return {
    start() {
      running = run();
      // Awaited at the end.
      running.catch(() => undefined);
    },
    async settle() {
      stopping = true;
      await running;
      const [token] = await logins();
      for (const id of done) await enter(id, token);
    },
  };
}
