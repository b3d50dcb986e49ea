// Clients that pay continuously while gateways restart, and what they saw.
import assert from 'node:assert/strict';
import { administrator, makeCustomer, makeKey, makePartner, PIN } from '@kissi/testkit/parties';
import type pg from 'pg';
import { ADMIN, type Json } from '../support/gateway.ts';
import { SECRETS } from '../support/secrets.ts';
import { waitFor } from '../support/wait.ts';

export const ENV = {
  BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
  BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
  RATE_LIMIT_RPS: '100000',
  RATE_LIMIT_BURST: '100000',
  ...SECRETS,
};
const AMOUNT = 100;
const FUNDS = 5_000_000;
const CLIENTS = 12;
const FEE = 2;

export interface Wallets {
  sender: string;
  recipient: string;
  key: string;
}

export async function post(
  url: string,
  path: string,
  body: object,
  token?: string,
): Promise<{ reply: Response; json: Json }> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const reply = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { reply, json: await reply.json() };
}

/** Creates two wallets, funds the first, and creates an API key. */
export async function prepare(url: string): Promise<Wallets> {
  const admin = administrator(url);
  const { bearer: key } = await makeKey(admin, ['payments:read', 'payments:write']);
  const [{ id: sender }, { id: recipient }] = [await makeCustomer(admin), await makeCustomer(admin)];
  const { id: partner } = await makePartner(admin);
  await admin.wallet.fundFromPartner({ partner_id: partner, subscriber_id: sender, amount: FUNDS });
  return { sender, recipient, key };
}

interface Paid {
  requestId: string;
  transactionId: string;
  attempts: number;
  replayed: boolean;
}

/** Clients that pay continuously and retry with the same request id on 503 and on connection errors. */
export class Clients {
  readonly paid: Paid[] = [];
  readonly unexpected: string[] = [];
  readonly failures = { stopping: 0, broken: 0 };
  private stopped = false;
  private readonly running: Promise<void>[];

  constructor(urls: string[], wallets: Wallets) {
    this.running = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = 0; !this.stopped; n++) await this.pay(urls, wallets, `${client}-${n}`);
    });
  }

  stop(): Promise<unknown> {
    this.stopped = true;
    return Promise.all(this.running);
  }

  /** Resolves when so many more payments are acknowledged. */
  async morePayments(count: number): Promise<void> {
    const goal = this.paid.length + count;
    await waitFor('payments are acknowledged', async () => this.paid.length >= goal);
  }

  private async pay(urls: string[], { sender, recipient, key }: Wallets, requestId: string) {
    const order = { sender_id: sender, recipient_id: recipient, amount: AMOUNT, pin: PIN, request_id: requestId };
    for (let attempts = 1; ; attempts++) {
      const url = urls[(Number.parseInt(requestId, 10) + attempts) % urls.length] ?? '';
      const answer = await post(url, '/wallet/transfer', order, key).catch(() => null);
      if (answer === null) this.failures.broken += 1;
      else if (answer.reply.status === 503) {
        this.failures.stopping += 1;
        if (!answer.reply.headers.get('retry-after')) this.unexpected.push(`${requestId}: 503 without Retry-After`);
      } else return this.answered(requestId, attempts, answer);
      // Retries without a delay, because the other gateway is available.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private answered(requestId: string, attempts: number, { reply, json }: { reply: Response; json: Json }): void {
    if (reply.status !== 200) this.unexpected.push(`${requestId}: ${reply.status} ${JSON.stringify(json)}`);
    const replayed = reply.headers.get('idempotent-replayed') === 'true';
    this.paid.push({ requestId, transactionId: json.transaction_id, attempts, replayed });
  }
}

/** Every acknowledged payment is stored once, with the acknowledged id, and the balances are their sum. */
export async function assertPaidOnce(
  database: pg.Client,
  paid: Paid[],
  { sender, recipient }: Pick<Wallets, 'sender' | 'recipient'>,
): Promise<void> {
  assert.equal(new Set(paid.map(({ transactionId }) => transactionId)).size, paid.length);
  const { rows } = await database.query<{ request_id: string; id: string }>(
    `select request_id, id from movements where type = 'transfer_p2p'`,
  );
  assert.deepEqual(
    rows.map(({ request_id, id }) => `${request_id} ${id}`).sort(),
    paid.map(({ requestId, transactionId }) => `${requestId} ${transactionId}`).sort(),
  );
  const { rows: accounts } = await database.query('select id, balance::int from accounts where id = any($1)', [
    [sender, recipient],
  ]);
  const balances = Object.fromEntries(accounts.map(({ id, balance }) => [id, balance]));
  assert.equal(balances[recipient], paid.length * AMOUNT);
  assert.equal(balances[sender], FUNDS - paid.length * (AMOUNT + FEE));
}
