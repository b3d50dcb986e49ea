// A small demo: repeatable by its seed, with correct books, working logins, and every kind of record that staff works on.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { Kissi } from '@kissi/client';
import { inheritedEnv, temporaryFolder } from '@kissi/testkit/service';
import { type DemoOptions, type RunningDemo, runDemo } from '../../scripts/demo/run.ts';
import { createClient, createSession, type Json, must, type Session } from '../../scripts/demo/runtime/client.ts';
import { ROLES } from '../../src/auth/roles.ts';
import { LAB_SUBSCRIBERS } from '../../src/features/lab/effects.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { waitFor } from '../support/wait.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Includes salary days and two weekends. */
const SMALL: Omit<DemoOptions, 'env'> = {
  seed: 'test',
  subscribers: 150,
  days: 9,
  rate: 0,
  fresh: false,
  until: Date.parse('2026-03-29T16:30:00Z'),
  signal: new AbortController().signal,
};

const silent = { begin: () => undefined, update: () => undefined, end: () => undefined };

async function startDemo(dataDir: string, options: Partial<DemoOptions> = {}): Promise<RunningDemo> {
  return runDemo({ ...SMALL, ...options, env: { PORT: '0', DATA_DIR: dataDir, ...options.env } }, silent);
}

/** The output of `npm run ledger:verify` for the folder, without the times. Throws if it finds a fault. */
async function verifyLedger(dataDir: string): Promise<string> {
  const env = { ...inheritedEnv(), DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/ledger-verify.ts'], { cwd: ROOT, env });
  return stdout.replace(/took .* s/, '');
}

function sessionOf({ address, country }: RunningDemo, email: string): Session {
  return createSession(createClient(address, systemClock), systemClock, { email, password: country.password });
}

async function read(demo: RunningDemo, email: string, path: string): Promise<Json> {
  return must(sessionOf(demo, email).call('GET', path), path);
}

const [one, two] = [await temporaryFolder(), await temporaryFolder()];
const first = await startDemo(one.path);
const running = [first];
after(async () => {
  for (const demo of running) await demo.stop();
  await Promise.all([one.remove(), two.remove()]);
});

describe('the country', () => {
  test('every printed login works and has its role, and all roles are printed', async () => {
    for (const { email, role } of first.country.logins) {
      assert.equal((await read(first, email, '/admin/me')).role, role, email);
    }
    assert.deepEqual(
      new Set(first.country.logins.map(({ role }) => role)),
      new Set(ROLES.filter((role) => role !== 'subscriber')),
    );
    assert.equal(first.country.logins.filter(({ role }) => role === 'system_admin').length, 2);
  });

  test('the printed bearer values work', async () => {
    for (const { key } of first.country.keys) {
      const reply = await createClient(first.address, systemClock).call('GET', '/subscribers?limit=1', { token: key });
      assert.equal(reply.status, 200);
      assert.equal(reply.json.total_count, SMALL.subscribers + LAB_SUBSCRIBERS.length);
    }
  });

  test('the settings of the examples work and are readable by their owner only, and their card has money', async () => {
    const clientOf = async (name: string) => {
      const path = join(one.path, 'examples', `${name}.env`);
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      const settings = parseEnv(await readFile(path, 'utf8'));
      const { KISSI_URL = '', KISSI_KEY_ID: keyId, KISSI_SECRET: secret, KISSI_PARTNER_ID: partnerId } = settings;
      // This demo's clock is fixed.
      const time = { now: () => SMALL.until ?? 0, wait: async () => undefined };
      return { settings, kissi: new Kissi({ baseUrl: KISSI_URL, keyId, secret, partnerId, time }) };
    };
    const [shop, terminal, bank] = [await clientOf('shop'), await clientOf('terminal'), await clientOf('bank')];
    const card_serial = terminal.settings.DEMO_CARD ?? '';
    assert.equal((await shop.kissi.inApp.verifyCard({ card_serial })).balance, 200_000);
    assert.equal((await shop.kissi.paymentRequests.list()).total_count, 0);
    const { webhook_endpoints: hooks } = await shop.kissi.webhookEndpoints.list();
    assert.deepEqual(
      hooks.map(({ url }) => url),
      ['http://127.0.0.1:4101/webhooks'],
    );
    const hosts = `/processors/${shop.settings.KISSI_PROCESSOR_ID}/return-hosts`;
    assert.deepEqual((await read(first, 'admin@kissi.example', hosts)).return_hosts, ['127.0.0.1:4101']);
    assert.equal((await terminal.kissi.terminal.verifyCard({ card_serial })).valid, true);
    assert.equal((await bank.kissi.partner.transactions()).total_count, 0);
  });

  test('there are alerts in every state', async () => {
    for (const status of ['open', 'in_review', 'resolved', 'dismissed']) {
      const { total_count } = await read(first, 'compliance@kissi.example', `/compliance/alerts?status=${status}`);
      assert.ok(total_count > 0, status);
    }
  });

  test('the rules were changed on different days', async () => {
    const { rules } = await read(first, 'compliance@kissi.example', '/compliance/rules?limit=100');
    const days = new Set(rules.map(({ updated_at }: Json) => updated_at.slice(0, 10)));
    assert.ok(days.size >= 3, [...days].join());
  });

  test('there are refunds, refusals and an inbound credit with a delivered webhook', async () => {
    const { transactions } = await read(first, 'finance@kissi.example', '/transactions?type=pos_refund');
    assert.ok(transactions.length > 0);
    for (const code of ['INVALID_PIN', 'INSUFFICIENT_BALANCE', 'COMPLIANCE_BLOCKED']) {
      assert.ok(first.history.refusals.has(code), code);
    }
    const credits = await read(first, 'finance@kissi.example', '/transactions?type=inbound_credit');
    const { deliveries } = await read(
      first,
      'admin@kissi.example',
      '/admin/webhook-deliveries?status=delivered&limit=100',
    );
    const delivered = new Set(deliveries.map(({ reference }: Json) => reference));
    assert.ok(credits.transactions.some(({ reference }: Json) => delivered.has(reference)));
    assert.equal(first.webhooks.forged, 0);
  });

  test('people use USSD, and were told of the payments of the last two days', async () => {
    for (const kind of ['transfer by USSD', 'cash-out by code', 'request by USSD']) {
      assert.ok((first.history.payments.get(kind) ?? 0) > 0, kind);
    }
    const { messages, total_count } = await read(first, 'admin@kissi.example', '/admin/messages?limit=100');
    const payments = messages.filter(({ kind }: Json) => kind === 'payment');
    assert.ok(total_count < 2 * (first.history.paid + first.history.refused), 'not of the whole history');
    assert.ok(payments.length > 50, `${payments.length} of ${messages.length}`);
    const { to } = payments[0];
    const path = `/admin/lab/phone?phone_number=${encodeURIComponent(to)}`;
    const phone = await read(first, 'support@kissi.example', path);
    assert.equal(phone.service_code, '*715#');
    assert.ok(phone.messages.some(({ kind, channel }: Json) => kind === 'payment' && channel === 'sms'));
  });

  test('there are payment requests and holds in every state, and merchants with webhook endpoints', async () => {
    const finance = (path: string) => read(first, 'finance@kissi.example', path);
    for (const status of ['open', 'paid', 'declined', 'expired', 'cancelled']) {
      const { total_count } = await finance(`/payment-requests?status=${status}`);
      assert.ok(total_count > 0, `${status} requests`);
    }
    const { payment_requests: open } = await finance('/payment-requests?status=open');
    assert.ok(open.some(({ single_use, payment_count }: Json) => !single_use && payment_count > 0));
    for (const status of ['active', 'captured', 'released']) {
      assert.ok((await finance(`/holds?status=${status}`)).total_count > 0, `${status} holds`);
    }
    const { webhook_endpoints: hooks } = await read(first, 'admin@kissi.example', '/webhook-endpoints');
    assert.ok(new Set(hooks.map(({ processor_id }: Json) => processor_id)).size >= 3);
    // The example shop does not run.
    const hook = hooks.find(({ url }: Json) => !url.includes(':4101/'));
    const path = `/admin/webhook-deliveries?processor_id=${hook.processor_id}&status=delivered`;
    assert.ok((await read(first, 'admin@kissi.example', path)).total_count > 0);
  });

  test('approvals wait for a second person, and others were executed, rejected and withdrawn', async () => {
    const { approvals } = await read(first, 'finance2@kissi.example', '/admin/approvals?status=pending');
    const actions = approvals.map(({ action }: Json) => action).sort();
    assert.deepEqual(actions, ['agents.fund', 'agents.fund', 'agents.fund', 'inbound.reverse']);
    for (const action of ['fees.change', 'kyc.raise']) {
      const path = `/admin/approvals?status=pending&action=${action}`;
      assert.equal((await read(first, 'admin2@kissi.example', path)).total_count, 1, action);
    }
    // The administrator that a newcomer logs in as can approve all but its own.
    const waiting = (await read(first, 'admin@kissi.example', '/admin/approvals?status=pending')).approvals;
    assert.equal(waiting.filter((each: Json) => each.not_independent).length, 0);
    const { approvals_to_decide } = await read(first, 'admin@kissi.example', '/admin/counts');
    assert.equal(approvals_to_decide, waiting.filter((each: Json) => each.action !== 'fees.change').length);
    for (const status of ['executed', 'rejected', 'withdrawn']) {
      const { total_count } = await read(first, 'finance2@kissi.example', `/admin/approvals?status=${status}`);
      assert.equal(total_count, 1, status);
    }
  });

  test('a webhook was replayed after an error, and others wait for their next attempt', async () => {
    const path = `/admin/webhook-deliveries?limit=20&partner_id=${first.country.banks[2]?.id}`;
    const { deliveries } = await read(first, 'admin@kissi.example', path);
    const statuses = deliveries.map(({ status, attempts }: Json) => [
      status,
      ...(attempts ?? []).map((one: Json) => one.status),
    ]);
    assert.equal(statuses.filter((each: unknown[]) => `${each}` === 'pending,503').length, 3);
    assert.equal(statuses.filter((each: unknown[]) => `${each}` === 'delivered,503,200').length, 1);
  });

  test('floats run dry, and staff wrote notes', async () => {
    const { floats } = await read(first, 'admin@kissi.example', '/admin/agents/float?limit=2');
    for (const { hours_left } of floats) assert.ok(hours_left < 24, `${hours_left} hours`);
    const blocked = first.country.subscribers.find(({ cardBlocked, status }) => cardBlocked && status === 'active');
    assert.ok((await read(first, 'support@kissi.example', `/subscribers/${blocked?.id}/notes`)).total_count > 0);
  });

  test('people have KYC levels, blocks, retired cards and a suspended agent', async () => {
    for (const filter of ['kyc_level=2', 'kyc_level=3', 'status=BLOCKED', 'status=PENDING']) {
      assert.ok((await read(first, 'support@kissi.example', `/subscribers?${filter}`)).total_count > 0, filter);
    }
    assert.ok((await read(first, 'support@kissi.example', '/cards?status=blocked')).total_count > 0);
    assert.equal((await read(first, 'sales@kissi.example', '/agents?status=suspended')).total_count, 1);
    assert.equal((await read(first, 'sales@kissi.example', '/agents')).total_count, 60);
    assert.equal((await read(first, 'sales@kissi.example', '/processors')).total_count, 30);
  });

  test('the same seed makes the same payments and balances, and the books are in order', async () => {
    const second = await startDemo(two.path);
    running.push(second);
    assert.deepEqual(sorted(second.history.payments), sorted(first.history.payments));
    assert.deepEqual(sorted(second.history.refusals), sorted(first.history.refusals));
    assert.deepEqual(peopleOf(second), peopleOf(first));
    const [report, again] = [await verifyLedger(one.path), await verifyLedger(two.path)];
    assert.match(report, /The books are in order/);
    assert.equal(booksOf(again), booksOf(report));
  });
});

describe('finance', () => {
  const finance = () => sessionOf(first, 'finance@kissi.example');
  const call = (method: string, path: string, body?: object) => must(finance().call(method, path, body), path);
  const open = async () => (await call('GET', '/admin/reconciliation?status=unmatched&limit=100')).items as Json[];
  const of = (items: Json[], side: string) =>
    items.filter((each) => each.side === side && each.date < '2026-03-28').map(({ amount }) => amount);

  test('all days but the last were reconciled and closed, and the differences are left', async () => {
    const { finance: attention } = await call('GET', '/admin/overview');
    assert.deepEqual(attention.closes, { missing: 1, last_date: '2026-03-27' });
    assert.deepEqual(attention.statements, { missing: 2, late: 0, covered_until: '2026-03-27', gaps: [] });
    assert.equal(attention.cover.is_below_1, false);
    assert.equal(attention.suspense.under_7_days, 1);
    assert.equal((await call('GET', '/admin/closes')).total_count, 7);
    const items = await open();
    assert.deepEqual(of(items, 'bank'), [375_000, 1_836_000], 'a credit without a slip, transposed digits');
    const isPayout = ({ side, amount }: Json) => side === 'books' && amount < 0;
    const [payouts, others] = [items.filter(isPayout), items.filter((each) => !isPayout(each))];
    assert.deepEqual(of(others, 'books'), [1_863_000, 2_250_000], 'transposed digits, no deposit');
    for (const { date } of payouts) assert.ok(date >= '2026-03-27', 'the bank debits a pay-out the next day');
    const { suggestions } = await call('GET', '/admin/reconciliation/suggestions');
    assert.deepEqual(
      suggestions.map(({ amount }: Json) => amount),
      [1_425_000],
    );
  });

  test('commission was settled by day and week, and merchants were paid out to their banks', async () => {
    for (const type of ['commission_settlement', 'processor_payout', 'payout_cleared', 'agent_return']) {
      const { transactions } = await call('GET', `/transactions?type=${type}`);
      assert.ok(transactions.length > 0, type);
    }
    const { agents } = await must(sessionOf(first, 'sales@kissi.example').call('GET', '/agents?limit=100'), 'agents');
    const modes = new Set(agents.map(({ settlement_mode: mode }: Json) => mode));
    assert.deepEqual(modes, new Set(['instant', 'daily', 'weekly']));
  });

  test("the user uploads yesterday's statements, reconciles and closes the day, and the books stay in order", async () => {
    for (const { id, waiting } of first.country.trustAccounts) {
      assert.ok(waiting);
      const file = { mediaType: waiting.mediaType, text: await readFile(waiting.path, 'utf8') };
      await must(finance().upload(`/admin/trust-accounts/${id}/statements`, file), waiting.path);
    }
    const { run } = await call('POST', '/admin/reconciliation/run');
    assert.ok(run.matched >= 2, 'deposits and the approved float');
    const charge = (await open()).find(({ amount }) => amount === -8_500);
    const body = { bank_entry_ids: [charge?.id], reason: 'Bank charges, paid by the operator' };
    assert.equal((await call('POST', '/admin/reconciliation/write-offs', body)).match.status, 'written_off');
    const { close } = await call('POST', '/admin/closes', { date: '2026-03-28' });
    assert.equal(close.number, 8);
    assert.match(await verifyLedger(one.path), /The books are in order/);
  });
});

describe('later starts', () => {
  test('a second start makes no new history and continues with live traffic', async () => {
    const before = await read(first, 'finance@kissi.example', '/transactions?limit=1');
    await running.shift()?.stop();
    const again = await startDemo(one.path, { rate: 20 });
    running.push(again);
    assert.equal(again.isNew, false);
    assert.equal(again.history.paid, 0);
    assert.equal(again.country.password, first.country.password);
    const later = await waitFor('live payments', async () => {
      const now = await read(again, 'finance@kissi.example', '/transactions?limit=1');
      return now.total_count >= before.total_count + 5 && now;
    });
    assert.ok(again.live.paid >= 5);
    assert.ok(later.total_count < before.total_count * 2);
  });

  test('a demo that runs is not deleted by --fresh', async () => {
    await assert.rejects(startDemo(one.path, { fresh: true }), /A demo is running in .*: stop it first/);
  });
});

describe('protection of other data', () => {
  test('the demo refuses production and staging', async () => {
    for (const APP_ENV of ['production', 'staging']) {
      const started = runDemo({ ...SMALL, env: { APP_ENV } }, silent);
      await assert.rejects(started, new RegExp(`APP_ENV=development only, not ${APP_ENV}`));
    }
  });

  test('the demo refuses a folder with other data, even with --fresh', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder.path, 'secrets.json'), '{}');
    await assert.rejects(startDemo(folder.path, { fresh: true }), /is not a demo folder/);
    await folder.remove();
  });
});

const sorted = (counts: Map<string, number>) => [...counts].sort();
const peopleOf = ({ country }: RunningDemo) =>
  country.subscribers.map(({ name, phone, town, status, balance }) => [name, phone, town, status, balance]);
/** The part about the ledger: the audit log also has entries of this test's requests. */
/** Without notes: there is one from the first time on that the task for expired idempotency keys has run. */
const booksOf = (report: string) => report.slice(0, report.indexOf('Audit log')).replace(/^Note: .*\n\n/gm, '');
