// A rolling restart of two gateways under load: acknowledged payments persist, and a retried payment is posted exactly once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import pg from 'pg';
import { verifyBooks } from '../../src/app/verification.ts';
import { ADMIN, type Json } from '../support/gateway.ts';
import { SECRETS } from '../support/secrets.ts';
import { runService, type ServiceProcess, temporaryFolder } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const ENV = {
  BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
  BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
  RATE_LIMIT_RPS: '100000',
  RATE_LIMIT_BURST: '100000',
  ...SECRETS,
};
const PIN = '4821';
const AMOUNT = 100;
const FUNDS = 5_000_000;
const CLIENTS = 12;
/** Payments between two steps of the restart: enough to overlap with it, few enough to be fast. */
const PAYMENTS_PER_STEP = 40;

async function post(url: string, path: string, body: object, token?: string): Promise<{ reply: Response; json: Json }> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const reply = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { reply, json: await reply.json() };
}

/** Creates two wallets, funds the first, and creates an API key. */
async function prepare(url: string): Promise<{ sender: string; recipient: string; key: string }> {
  const { token } = (await post(url, '/admin/login', ADMIN)).json;
  const scopes = ['payments:read', 'payments:write'];
  const { key } = (await post(url, '/admin/api-keys', { name: 'shop', scopes }, token)).json;
  const wallet = async (phone: string) => {
    const person = { phone_number: phone, first_name: 'Fatu', last_name: 'Sesay', pin: PIN };
    return (await post(url, '/subscribers', person, token)).json.subscriber_id as string;
  };
  const [sender, recipient] = [await wallet('076100001'), await wallet('076100002')];
  const partner = (await post(url, '/admin/partners', { name: 'Rokel Test Bank' }, token)).json.partner.id;
  const fund = { partner_id: partner, subscriber_id: sender, amount: FUNDS };
  assert.equal((await post(url, '/wallet/fund-from-partner', fund, token)).reply.status, 200);
  return { sender, recipient, key };
}

interface Paid {
  requestId: string;
  transactionId: string;
  attempts: number;
  replayed: boolean;
}

/** Clients that pay continuously and retry with the same request id on 503 and on connection errors. */
class Clients {
  readonly paid: Paid[] = [];
  readonly unexpected: string[] = [];
  readonly failures = { stopping: 0, broken: 0 };
  private stopped = false;
  private readonly running: Promise<void>[];

  constructor(urls: string[], wallets: { sender: string; recipient: string; key: string }) {
    this.running = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = 0; !this.stopped; n++) await this.pay(urls, wallets, `${client}-${n}`);
    });
  }

  stop(): Promise<unknown> {
    this.stopped = true;
    return Promise.all(this.running);
  }

  private async pay(
    urls: string[],
    { sender, recipient, key }: { sender: string; recipient: string; key: string },
    requestId: string,
  ) {
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

describe('a rolling restart', () => {
  test('loses no acknowledged payment, and posts every payment exactly once', async () => {
    const folder = await temporaryFolder();
    const server = await startEmbeddedServer({ dataDir: folder.path, report: () => undefined });
    const env = { ...ENV, DATABASE_URL: server.url, DATA_DIR: folder.path };
    const gateways: ServiceProcess[] = [];
    const database = new pg.Client({ connectionString: server.url });
    try {
      await database.connect();
      gateways.push(await runService(env));
      gateways.push(await runService(env));
      const urls = gateways.map(({ url }) => url);
      const wallets = await prepare(urls[0] ?? '');
      const clients = new Clients(urls, wallets);
      const waitForPayments = (count: number) => {
        const goal = clients.paid.length + count;
        return waitFor('payments are acknowledged', async () => clients.paid.length >= goal);
      };
      await waitForPayments(PAYMENTS_PER_STEP);
      for (const [index, url] of urls.entries()) {
        assert.equal(await gateways[index]?.stop('SIGTERM'), 0, 'the gateway exits cleanly');
        await waitForPayments(PAYMENTS_PER_STEP);
        gateways[index] = await runService({ ...env, PORT: new URL(url).port });
        assert.equal(gateways[index].url, url);
        await waitForPayments(PAYMENTS_PER_STEP);
      }
      await clients.stop();

      const { paid, unexpected, failures } = clients;
      assert.deepEqual(unexpected, []);
      assert.ok(failures.broken + failures.stopping > 0, 'the clients noticed the restarts');
      assert.equal(new Set(paid.map(({ transactionId }) => transactionId)).size, paid.length);
      const { rows } = await database.query<{ request_id: string; id: string }>(
        `select request_id, id from movements where type = 'transfer_p2p'`,
      );
      assert.deepEqual(
        rows.map(({ request_id, id }) => `${request_id} ${id}`).sort(),
        paid.map(({ requestId, transactionId }) => `${requestId} ${transactionId}`).sort(),
        'each payment is stored once, with the acknowledged id',
      );
      const { rows: accounts } = await database.query('select id, balance::int from accounts where id = any($1)', [
        [wallets.sender, wallets.recipient],
      ]);
      const balances = Object.fromEntries(accounts.map(({ id, balance }) => [id, balance]));
      const fee = 2;
      assert.equal(balances[wallets.recipient], paid.length * AMOUNT);
      assert.equal(balances[wallets.sender], FUNDS - paid.length * (AMOUNT + fee));
      assert.deepEqual((await verifyBooks(server.url, SECRETS.MASTER_KEY)).clean, true);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')));
      await database.end();
      await server.stop();
      await folder.remove();
    }
  });
});
