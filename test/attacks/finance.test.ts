// Attacks on finance: clocks that jump under the list of the reconciliation, and hostile files.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { OVERLAP_MS } from '../../src/features/finance/reconciliation/listing.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { newAgent } from '../support/agents.ts';
import { CSV, csvFile, newTrustAccount, uploadStatement } from '../support/bank-files.ts';
import { dayOf } from '../support/closes.ts';
import { assertStatus, type Json } from '../support/gateway.ts';
import { assertLedgerConsistent, bankForFile, newFundingId } from '../support/money.ts';
import { assertRefused, runChore, staffToken } from '../support/staff.ts';

const { kissi } = await bankForFile();
const agent = await newAgent(kissi);

/** With a new token: old ones expire when the clock moves. */
async function call(method: string, path: string, body?: object): Promise<Json> {
  const token = await staffToken(kissi, 'finance_user');
  const reply = await kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.json;
}

async function fund(amount: number): Promise<string> {
  return (await call('POST', `/agents/${agent.id}/fund`, { amount, request_id: newFundingId() })).transaction_id;
}

async function listed(): Promise<string[]> {
  return (await call('GET', '/admin/reconciliation?limit=100')).items.map(({ id }: Json) => id);
}

describe('the items of the reconciliation stay complete when the clock', () => {
  test('jumps ahead and back', async () => {
    const from = kissi.clock.now();
    kissi.clock.set(from + 30 * DAY_MS);
    await listed();
    kissi.clock.set(from + 1);
    const movement = await fund(2);
    const { id } = await newTrustAccount(kissi, await staffToken(kissi, 'finance_user'));
    const file = csvFile({ from: dayOf(from - DAY_MS), entries: [{ amount: 7 }] });
    assertStatus(await uploadStatement(kissi, await staffToken(kissi, 'finance_user'), id, [CSV, file]), 201);
    kissi.clock.set(from + 2 * OVERLAP_MS);
    const items = await listed();
    assert.ok(items.includes(movement));
    assert.equal(items.filter((each) => each.startsWith('bent_')).length, 1);
    const later = await fund(3);
    kissi.clock.set(from + 5 * OVERLAP_MS);
    assert.ok((await listed()).includes(later), 'the progress follows the clock again');
    await assertLedgerConsistent(kissi);
  });

  test('goes back for a while in which nobody reads them', async () => {
    await listed();
    const from = kissi.clock.now();
    kissi.clock.set(from - DAY_MS);
    const movement = await fund(4);
    await runChore(kissi, 'post movements of matches');
    kissi.clock.set(from + 2 * OVERLAP_MS);
    assert.ok((await listed()).includes(movement));
    await assertLedgerConsistent(kissi);
  });
});

test('a compressed statement is not expanded', async () => {
  const token = await staffToken(kissi, 'finance_user');
  const { id } = await newTrustAccount(kissi, token);
  const raw = new Uint8Array(gzipSync(csvFile({ entries: [{ amount: 1 }] })));
  const path = `/api/v1/admin/trust-accounts/${id}/statements`;
  for (const headers of [{ 'content-encoding': 'gzip' }, {}]) {
    const reply = await kissi.call('POST', path, { token, raw, headers: { 'content-type': CSV, ...headers } });
    assertRefused(reply, 422, 'STATEMENT_INVALID');
  }
});
