// Certification runs: a careful integrator passes, a careless one fails step by step, and the report is verified offline.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { keysOf, verifyReport } from '@kissi/signatures/documents';
import { signOutboundWebhook } from '@kissi/signatures/node';
import { verifyFile } from '../../../src/features/finance/closes/verify-file.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import type { Json } from '../../support/gateway.ts';
import { newReference, type TestBank, testBank } from '../../support/inbound.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused, auditLogs, runChore, staffToken } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';
import { acknowledge, type Behaviour, type Receiver, receiver } from '../../webhooks/receiver.ts';

const { kissi, bank } = await bankForFile({ env: { LAB: 'on', WEBHOOK_ALLOW_PRIVATE: 'true' }, labLateMs: 1 });
const wallet = await bank.wallet(0);
const ROUTE = '/api/v1/admin/lab/certifications';

interface Integrator extends TestBank {
  hooks: Receiver;
}

/** A partner whose endpoint verifies signatures if `behaviour` is not given. */
async function integrator(behaviour?: Behaviour): Promise<Integrator> {
  const hooks = await receiver(acknowledge);
  after(() => hooks.close());
  const partner = await testBank(kissi, { webhook_url: hooks.url });
  const path = `/api/v1/admin/partners/${partner.partnerId}/rotate-webhook-secret`;
  const { json } = await kissi.call('POST', `${path}?overlap_seconds=0`, { token: await kissi.adminToken() });
  hooks.behave(behaviour ?? verifying(json.webhook_secret));
  return { ...partner, hooks };
}

const verifying =
  (secret: string): Behaviour =>
  (response, { headers, raw }) => {
    const expected = signOutboundWebhook(secret, String(headers['x-hook-timestamp']), raw);
    response.writeHead(headers['x-hook-signature'] === expected ? 200 : 401).end();
  };

async function as(method: string, path: string, body?: object): Promise<Json> {
  const reply = await kissi.call(method, `${ROUTE}${path}`, {
    token: await kissi.adminToken(),
    ...(body ? { body } : {}),
  });
  assert.ok(reply.status < 300, reply.text);
  return reply.json.certification;
}

const start = ({ partnerId, key }: TestBank) => as('POST', '', { partner_id: partnerId, key_id: key.id });

/** Delivers what is due, and lets the lab act. */
async function proceed(): Promise<void> {
  await runChore(kissi, 'run the lab');
  await runChore(kissi, 'deliver webhooks');
  await kissi.gateway.services.webhooks.settled();
  await runChore(kissi, 'run the lab');
}

async function credit(bankOf: TestBank, amount: number, reference = newReference()): Promise<string> {
  await bankOf.credit({ reference, amount, msisdn: wallet.phone }).catch(() => undefined);
  return reference;
}

const stateOf = ({ steps }: Json, step: string) => steps.find(({ id }: Json) => id === step);

test('a careful integrator passes, and the report can be verified offline', async () => {
  const careful = await integrator();
  const { id, state, steps, expires_at } = await start(careful);
  assert.equal(state, 'running');
  assert.equal(expires_at, new Date(kissi.clock.now() + DAY_MS).toISOString());
  assert.deepEqual([...new Set(steps.map((step: Json) => step.state))], ['waiting']);

  await credit(careful, 9_101, await credit(careful, 9_101));
  await credit(careful, 9_102);
  const refused = await credit(careful, 9_103);
  for (const amount of [9_104, 9_105, 9_107]) await credit(careful, amount);
  const reversed = await credit(careful, 9_108);
  await proceed();
  kissi.clock.advance(5 * SECOND_MS);
  await credit(careful, 9_103, refused);
  await waitFor('the end of the run', async () => {
    kissi.clock.advance(MINUTE_MS);
    await proceed();
    assert.equal((await careful.status(reversed)).json.data.status, 'REVERSED');
    return (await as('GET', `/${id}`)).state !== 'running';
  });

  const done = await as('GET', `/${id}`);
  assert.deepEqual(
    done.steps.filter((step: Json) => step.state !== 'passed'),
    [],
  );
  assert.equal(done.state, 'passed');
  const keys = keysOf((await kissi.call('GET', '/.well-known/kissi-keys.json')).text);
  const { report, faults } = verifyReport(done, keys);
  assert.deepEqual(faults, []);
  assert.deepEqual([report?.result, report?.partner.id, report?.steps.length], ['passed', careful.partnerId, 10]);
  const forged = { ...done, document: done.document.replace(careful.partnerId, 'ptn_of_somebody_else') };
  assert.deepEqual(verifyReport(forged, keys).faults, ['The report was changed, or another key signed it.']);
  const asClose = { document: done.document, signature: done.signature, key_id: done.signing_key_id };
  const close = verifyFile({ name: 'x.json', bytes: Buffer.from(JSON.stringify(asClose)) }, keys);
  assert.ok(close.faults.includes('The document is not a close.'), close.faults.join());
  const [finished, started] = await auditLogs(kissi, { resource_id: id });
  assert.deepEqual([started?.action, finished?.action], ['lab.certify', 'lab.certification_finish']);
  assert.deepEqual([finished?.actor_type, finished?.details.result], ['system', 'passed']);
});

test('a careless integrator fails, and each step says why', async () => {
  let answers = 0;
  const seen = new Set<string>();
  // Accepts everything, but no webhook twice.
  const careless = await integrator((response, { id }) => {
    answers += 1;
    response.writeHead(seen.has(id) ? 500 : 200).end();
    seen.add(id);
  });
  const { id } = await start(careless);
  await credit(careless, 9_101);
  await credit(careless, 9_101);
  await credit(careless, 9_102);
  await credit(careless, 9_102);
  await credit(careless, 9_103, await credit(careless, 9_103));
  for (const amount of [9_104, 9_105]) await credit(careless, amount);
  const nonce = crypto.randomUUID();
  await careless.status('x', { nonce });
  assertRefused(await careless.status('x', { nonce }), 409, 'REPLAYED_REQUEST');
  await proceed();
  kissi.clock.advance(30 * SECOND_MS);
  await proceed();
  assert.ok(answers > 4);

  const run = await as('GET', `/${id}`);
  const reasons = Object.fromEntries(run.steps.map((step: Json) => [step.id, `${step.state}: ${step.reason}`]));
  assert.deepEqual(reasons, {
    retry_after_cut: 'failed: The credit was sent again under a new reference: the customer would be credited twice.',
    new_nonce: 'failed: A request used a nonce a second time.',
    late_reply: 'failed: The credit was sent again under a new reference: the customer would be credited twice.',
    retry_after: 'failed: The retry came after 0.0 seconds; Retry-After asked for 5.',
    webhook_acknowledged: 'passed: A webhook was answered with 2xx.',
    webhook_signature: 'failed: It was accepted with 200: anybody could report payments to you.',
    webhook_duplicate: 'failed: The second failed: The endpoint responded with 500.',
    webhook_retry: 'failed: The repeat failed: The endpoint responded with 500.',
    webhook_out_of_order: 'waiting: No credit with this amount was received yet.',
    reversal_noticed: 'waiting: No credit with this amount was received yet.',
  });
  const finished = await as('POST', `/${id}/finish`);
  assert.equal(finished.state, 'failed');
  const report = JSON.parse(finished.document);
  assert.equal(report.kind, 'certification');
  const statesOf = (steps: Json[]) => Object.fromEntries(steps.map(({ id: step, state }) => [step, state]));
  assert.equal(statesOf(report.steps).reversal_noticed, 'not_run', 'nothing was observed for it');
  assert.equal(statesOf(report.steps).new_nonce, 'failed');
  assert.deepEqual(statesOf(finished.steps), statesOf(report.steps), 'the reply and the report agree');
  assert.deepEqual(await as('POST', `/${id}/finish`), finished, 'a finished run does not change');
});

describe('a run', () => {
  test('is one of a partner at a time, and ends after a day', async () => {
    const partner = await integrator();
    const { id } = await start(partner);
    const token = await kissi.adminToken();
    const body = { partner_id: partner.partnerId, key_id: partner.key.id };
    assertRefused(await kissi.call('POST', ROUTE, { token, body }), 409, 'CERTIFICATION_RUNNING');
    kissi.clock.advance(DAY_MS);
    await proceed();
    assert.equal((await as('GET', `/${id}`)).state, 'failed');
    assert.equal((await start(partner)).state, 'running');
  });

  test('needs an endpoint, and a key of the same partner', async () => {
    const [partner, without] = [await integrator(), await testBank(kissi)];
    const token = await staffToken(kissi, 'support_user');
    const attempt = (partner_id: string, key_id: string) =>
      kissi.call('POST', ROUTE, { token, body: { partner_id, key_id } });
    assertRefused(await attempt(partner.partnerId, without.key.id), 400, 'INVALID_REQUEST');
    assertRefused(await attempt(without.partnerId, without.key.id), 400, 'INVALID_REQUEST');
    assertRefused(await attempt('ptn_0', without.key.id), 404, 'NOT_FOUND');
    assertRefused(await kissi.call('GET', `${ROUTE}/cert_0`, { token }), 404, 'NOT_FOUND');
  });

  test('passes the step of a lost reply by a status enquiry too, and is open while a step waits', async () => {
    const partner = await integrator();
    const { id } = await start(partner);
    const reference = await credit(partner, 9_101);
    assert.equal(stateOf(await as('GET', `/${id}`), 'retry_after_cut').state, 'waiting');
    await partner.status(reference);
    assert.equal(stateOf(await as('GET', `/${id}`), 'retry_after_cut').state, 'passed');
    await proceed();
    assert.equal((await as('GET', `/${id}`)).state, 'running');
  });
});
