// The shop, the bank and the terminal of examples/, started by npm with the demo's settings, against the service.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ADMIN, freePorts, inheritedEnv, temporaryFolder } from '@kissi/testkit/service';
import { openLedger } from '../../examples/bank/src/ledger.ts';
import type { Demo } from '../../scripts/demo/country.ts';
import { writeExampleSettings } from '../../scripts/demo/examples.ts';
import { LAB_PIN, LAB_SUBSCRIBERS } from '../../src/features/lab/effects.ts';
import { assertStatus, type Json } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { partnerBank } from '../support/partner.ts';
import { confirm } from '../support/payment-requests.ts';
import { directPayments } from '../support/processors.ts';
import { apiKey } from '../support/staff.ts';
import { TERMINAL_SCOPES } from '../support/terminal.ts';
import { waitFor } from '../support/wait.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CARD = 'LAB-0001';
const FUNDS = 1_000_000;

// The examples sign with the clock of the machine, and a slow machine takes longer than signatures are valid.
const clock = { now: () => Date.now(), advance: () => undefined, set: () => undefined };
const { kissi, bank } = await bankForFile({ clock, env: { WEBHOOK_ALLOW_PRIVATE: 'true', LAB: 'on' } });
await kissi.gateway.services.lab?.prepare();
const phone = LAB_SUBSCRIBERS[0]?.phone ?? '';
const { rows: found } = await kissi.db.query('select id from subscribers where phone_number = $1', [phone]);
const wallet = { id: String(found[0]?.id), phone };
await bank.fund(wallet, FUNDS);

/** The network between the examples and the service. */
type Fate = 'answered' | 'not sent' | 'reply lost' | Promise<void>;
let fateOf = (_path: string): Fate => 'answered';
const network = createServer(async (request, response) => {
  const { url = '', method = 'GET', headers } = request;
  const body = new Uint8Array(await buffer(request));
  const fate = fateOf(url);
  if (fate === 'not sent') return void request.socket.destroy();
  // On its way for as long as the test wants.
  if (fate instanceof Promise) await fate;
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...others } = headers;
  const init = { method, headers: others as Record<string, string>, ...(body.length > 0 ? { body } : {}) };
  // Null: the lab cuts the connection.
  const reply = await fetch(kissi.url + url, init).catch(() => null);
  const text = await reply?.text();
  if (!reply || fate === 'reply lost') return void request.socket.destroy();
  const { 'content-length': _____, 'transfer-encoding': ______, ...replied } = Object.fromEntries(reply.headers);
  response.writeHead(reply.status, replied).end(text);
});
network.listen(0, '127.0.0.1');
await once(network, 'listening');

const folder = await temporaryFolder();
const children = new Set<ChildProcess>();
afterEach(async () => {
  fateOf = () => 'answered';
  for (const child of children) await stop(child, 'SIGKILL');
});
after(async () => {
  network.closeAllConnections();
  network.close();
  await folder.remove();
});

/** What the demo writes for its examples, for a merchant and a bank of this test. */
const [port, shopPort] = (await freePorts(2)) as [number, number];
const partner = await partnerBank(kissi, { fields: { webhook_url: `http://127.0.0.1:${port}/webhooks` } });
const address = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
await writeSettings();

async function writeSettings(): Promise<void> {
  const { id, merchantId } = await directPayments(kissi, bank).fundedMerchant(100_000);
  const key = await apiKey(kissi, ['payments:read', ...TERMINAL_SCOPES], { processor_id: id });
  const host = `127.0.0.1:${shopPort}`;
  assertStatus(await kissi.asAdmin.post(`/processors/${id}/return-hosts`, { return_hosts: [host] }), 200);
  const endpoint = { processor_id: id, url: `http://${host}/webhooks`, events: ['payment_request.paid'] };
  const hooks = assertStatus(await kissi.asAdmin.post('/webhook-endpoints', endpoint), 201).json;
  const exampleShop = { webhookSecret: hooks.secret, payerId: wallet.id };
  const merchant = { id, merchantId, key, name: 'Makit Online', online: true, terminals: ['T-1'] };
  const { id: keyId, secret } = partner.key;
  const exampleBank = { id: partner.id, keyId, secret, webhookSecret: partner.webhookSecret };
  const country = { merchants: [merchant], exampleBank, exampleShop, password: ADMIN.password };
  const demo = { country } as unknown as Demo;
  await writeExampleSettings(demo, address, folder.path);
}

interface Running {
  child: ChildProcess;
  output(): string;
  exited: Promise<number | null>;
}

function start(name: string, args: string[] = [], env: Record<string, string> = {}, script = 'start'): Running {
  const command = ['run', script, '--silent', '-w', `examples/${name}`, '--', ...args];
  const child = spawn('npm', command, {
    cwd: ROOT,
    env: { ...inheritedEnv(), HOME: folder.path, DATA_DIR: folder.path, PORT: String(port), ...env },
    // Its own group: a kill reaches Node.js behind npm too.
    detached: true,
  });
  children.add(child);
  let text = '';
  const collect = (chunk: Buffer) => {
    text += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const exited = once(child, 'close').then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  return { child, output: () => text, exited };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!children.has(child)) return;
  const closed = once(child, 'close');
  process.kill(-(child.pid ?? assert.fail()), signal);
  await closed;
}

const balance = () => bank.balance(wallet.id);
async function movements(type: string, amount: number): Promise<number> {
  const { rows } = await kissi.db.query('select id from movements where type = $1 and amount = $2', [type, amount]);
  return rows.length;
}

describe('the shop', () => {
  async function open() {
    const { child, output } = start('shop', [], { PORT: String(shopPort) });
    const url = await waitFor('the shop listens', () => /http:\S+/.exec(output())?.[0]);
    const post = (path: string, fields: Record<string, string> = {}) =>
      fetch(url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    const page = async (path: string) => (await fetch(url + path)).text();
    return { url, page, post, output, kill: () => stop(child, 'SIGKILL') };
  }

  /** The newest payment request, as the operator sees it. */
  async function newest(): Promise<Json> {
    const { json } = await kissi.asAdmin.get('/payment-requests?limit=1');
    return json.payment_requests[0];
  }
  const requests = async () => (await kissi.db.query('select id from payment_requests')).rows.length;
  const orderPath = (request: Json) => `/orders/${request.metadata.order_id}`;
  const pay = async ({ id }: Json) => assertStatus(await confirm(kissi, id, wallet.id, { pin: LAB_PIN }), 200);

  test('an order is paid on the page of Kissi, told by a webhook, and refunded', async () => {
    const before = await balance();
    const { url, page, post, output } = await open();
    const bought = await post('/orders', { item: 'Country cloth' });
    const request = await newest();
    assert.deepEqual([bought.status, bought.headers.get('location')], [303, request.url]);
    assert.equal(request.return_url, `${url}/return`);
    assert.match(await page(orderPath(request)), /Waiting for your payment/);
    await pay(request);
    await waitFor('the webhook', () => /webhook payment_request\.paid evt_\w+\n/.exec(output()));
    const back = await fetch(`${url}/return?payment_request_id=${request.id}`);
    assert.equal(back.url, url + orderPath(request));
    assert.match(await back.text(), /Paid\. Thank you!/);
    assert.equal(await balance(), before - 18_000);
    assert.equal((await post(`${orderPath(request)}/refund`)).status, 303);
    assert.match(await page(orderPath(request)), /Refunded\./);
    assert.equal(await balance(), before);
  });

  test('says which Kissi it uses, and that its port is taken', async () => {
    const { output } = await open();
    await waitFor('the address', () => output().includes(`Kissi is at ${address}\n`));
    const second = start('shop', [], { PORT: String(shopPort) });
    assert.equal(await second.exited, 1);
    assert.match(second.output(), new RegExp(`^Port ${shopPort} is taken by another program: .*\n$`));
  });

  test('the demo pays the newest order as its customer', async () => {
    const { page, post } = await open();
    await post('/orders', { item: 'Basket of mangoes' });
    const request = await newest();
    const helper = start('shop', [], { LAB_EMAIL: ADMIN.email }, 'lab:pay');
    assert.equal(await helper.exited, 0, helper.output());
    assert.match(helper.output(), /Lab: paid Basket of mangoes as the demo's customer \(txn_/);
    assert.match(await page(orderPath(request)), /Paid\./);
  });

  test('a forged webhook is refused, and a genuine one that comes twice changes nothing', async () => {
    const { url, page, post, output } = await open();
    await post('/orders', { item: 'Country cloth' });
    const request = await newest();
    const forged = { type: 'payment_request.paid', data: { object: { ...request, status: 'paid' } } };
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
    const signed = { ...headers, 'webhook-signature': 'v1,AAAA' };
    for (const sent of [{}, headers, signed]) {
      const reply = await fetch(`${url}/webhooks`, { method: 'POST', headers: sent, body: JSON.stringify(forged) });
      assert.equal(reply.status, 401);
    }
    assert.match(await page(orderPath(request)), /Waiting for your payment/);
    await pay(request);
    await waitFor('the webhook', () => /webhook payment_request\.paid evt_\w+\n/.exec(output()));
    assert.equal((await post(`${orderPath(request)}/refund`)).status, 303);
    const { json } = await kissi.asAdmin.get('/admin/webhook-deliveries?limit=1');
    assertStatus(await kissi.asAdmin.post(`/admin/webhook-deliveries/${json.deliveries[0].id}/replay`), 200);
    await waitFor('the repeat', () => /nothing new/.exec(output()));
    assert.match(await page(orderPath(request)), /Refunded/);
  });

  test('a payment request and a refund whose replies are lost are made once, even if the shop is killed', async () => {
    const before = await balance();
    const [first, made] = [await open(), await requests()];
    fateOf = () => 'reply lost';
    const lost = await first.post('/orders', { item: 'Basket of mangoes' });
    assert.equal(lost.status, 503);
    assert.match(await lost.text(), /Kissi does not answer\. Try again: you pay only once\./);
    await first.kill();
    fateOf = () => 'answered';

    const second = await open();
    const request = await newest();
    const again = await second.post(`${orderPath(request)}/payment`);
    assert.equal(again.headers.get('location'), request.url);
    assert.equal(await requests(), made + 1);
    await pay(request);
    assert.match(await second.page(orderPath(request)), /Paid/);
    fateOf = () => 'reply lost';
    assert.equal((await second.post(`${orderPath(request)}/refund`)).status, 503);
    await second.kill();
    fateOf = () => 'answered';

    const third = await open();
    assert.match(await third.page(orderPath(request)), /Refunded/, 'the start finished the refund');
    assert.equal(await movements('pos_refund', 4_500), 1);
    assert.equal(await balance(), before);
  });
});

describe('the terminal', () => {
  /** Enters all lines at once, which the terminal reads one after another. */
  async function use(...lines: string[]): Promise<string> {
    const { child, output, exited } = start('terminal');
    child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
    assert.equal(await exited, 0, output());
    return output();
  }

  test('a sale is approved, its connection was lost once, and it is refunded', async () => {
    const before = await balance();
    const text = await use('1', '91.01', CARD, LAB_PIN, '1', '7.00', CARD, '0000', '2', '', '30.00', '3', '0');
    assert.match(text, /APPROVED\n┌[\s\S]+Purchase +91\.01 SLE[\s\S]+sent 2 times\.\n.*It was made once\./);
    assert.match(text, /DECLINED {2}INVALID_PIN\n2 attempts left/);
    assert.match(text, /REFUND {2}30\.00 SLE/);
    assert.match(text, /refund +30\.00 SLE {2}approved txn_\w+\nsale +7\.00 SLE {2}declined INVALID_PIN\nsale +91\.01/);
    assert.equal(await movements('pos_payment', 9_101), 1);
    assert.equal(await balance(), before - 9_101 + 3_000);
  });

  test('a sale without a reply is finished after the next start, before any other, and made once', async () => {
    fateOf = () => 'reply lost';
    const lost = await use('1', '13.50', CARD, LAB_PIN, '0');
    assert.match(lost, /NO REPLY {2}CONNECTION_FAILED after 4 attempts[\s\S]+Unfinished sale of 13\.50 SLE/);
    fateOf = () => 'answered';
    const text = await use('', LAB_PIN, '3', '0');
    assert.match(text, /Unfinished sale of 13\.50 SLE with card LAB-0001[\s\S]+APPROVED/);
    assert.equal(await movements('pos_payment', 1_350), 1);
  });

  test('a wrong PIN does not close a sale whose earlier send may still arrive', async () => {
    fateOf = () => 'not sent';
    await use('1', '14.50', CARD, LAB_PIN, '0');
    fateOf = () => 'answered';
    const text = await use('', '0000', '', LAB_PIN, '3', '0');
    assert.match(text, /DECLINED {2}INVALID_PIN[\s\S]+Unfinished sale of 14\.50 SLE[\s\S]+APPROVED/);
    assert.equal(await movements('pos_payment', 1_450), 1);
  });
});

describe('the bank', () => {
  const ledger = () => openLedger(join(folder.path, 'examples', 'bank.db'));
  const statuses = () =>
    ledger()
      .transfers()
      .map(({ amount, status }) => [amount, status]);

  test('credits are settled by replies and webhooks once, forged webhooks are refused, and the ledgers agree', async () => {
    const before = await balance();
    const { child, output, exited } = start('bank', ['--listen']);
    await waitFor('the samples are sent', () => output().includes('Waiting for webhooks'));
    await waitFor('the second delivery', () => output().includes('credit.completed (again)'));
    const url = `http://127.0.0.1:${port}/webhooks`;
    const headers = {
      'x-hook-event-id': 'evt_1',
      'x-hook-timestamp': new Date().toISOString(),
      'x-hook-signature': 'ab',
    };
    assert.equal((await fetch(url, { method: 'POST', headers, body: '{}' })).status, 401);
    process.kill(-(child.pid ?? 0), 'SIGINT');
    assert.equal(await exited, 0, output());
    assert.match(output(), /\+23210000002: the wallet of Blocked L\. cannot be credited/);
    assert.match(output(), /reconciliation: 4 transfers agree, 0 corrected, 0 differ/);
    assert.match(output(), /customers paid 432\.05 SLE, the bank owes 432\.05 SLE/);
    assert.deepEqual(statuses(), [
      [25_000, 'COMPLETED'],
      [9_101, 'COMPLETED'],
      [9_104, 'COMPLETED'],
      [9_109, 'FAILED'],
    ]);
    assert.equal(await balance(), before + 43_205);
  });

  test('a transfer that did not arrive is sent again at the next start, and a missed reversal is corrected', async () => {
    const before = await balance();
    fateOf = (path) => (path.endsWith('/inbound/credit') ? 'not sent' : 'answered');
    const lost = start('bank', [wallet.phone, '60.00']);
    assert.equal(await lost.exited, 0, lost.output());
    assert.deepEqual(statuses().at(-1), [6_000, 'SENDING']);
    fateOf = () => 'answered';
    const second = start('bank', [wallet.phone, '70.00']);
    assert.equal(await second.exited, 0, second.output());
    assert.deepEqual(statuses().slice(-2), [
      [6_000, 'COMPLETED'],
      [7_000, 'COMPLETED'],
    ]);
    assert.equal(await balance(), before + 13_000);

    await partner.updatePartner({ webhook_url: 'http://127.0.0.1:9/' });
    const { rows } = await kissi.db.query('select id from inbound_transactions where amount = 7000');
    const path = `/api/v1/admin/inbound/${rows[0]?.id}/reverse`;
    const body = { reason: 'Sent twice by the customer', request_id: 'reversal-1' };
    const reversed = await kissi.call('POST', path, { token: await kissi.adminToken(), body });
    assert.equal(reversed.status, 200, reversed.text);
    const third = start('bank', ['--reconcile']);
    assert.equal(await third.exited, 0, third.output());
    assert.match(third.output(), /1 corrected, 0 differ/);
    assert.deepEqual(statuses().at(-1), [7_000, 'REVERSED']);
    assert.equal(ledger().paid(), 43_205 + 6_000);
  });
});
