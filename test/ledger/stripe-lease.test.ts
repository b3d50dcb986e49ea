// Gateways lease different stripes of the system accounts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { leaseStripe } from '../../src/ledger/stripe-lease.ts';
import { STRIPES } from '../../src/ledger/system-accounts.ts';
import { testDatabase } from '../support/database.ts';

const { database, query, close } = await testDatabase();
after(close);

test('gateways that start at the same time get different stripes, and one more than there are shares one', async () => {
  const leases = await Promise.all(Array.from({ length: STRIPES }, () => leaseStripe(database.queries)));
  // A row that another gateway was just leasing is skipped, so a few may not have got one at the first attempt.
  const [first] = leases;
  assert.ok(new Set(leases.map(({ stripe }) => stripe)).size > STRIPES / 2);
  const held = await query('select count(*)::int as count from gateway_stripes where leased_until > now()');
  for (let missing = STRIPES - held.rows[0].count; missing > 0; missing -= 1) await leaseStripe(database.queries);
  const further = await leaseStripe(database.queries);
  assert.ok(further.stripe >= 0 && further.stripe < STRIPES);
  await first?.release();
  assert.equal((await leaseStripe(database.queries)).stripe, first?.stripe);
});

test('a lease that is not renewed ends, and its former holder cannot renew it for the next one', async () => {
  await query(`update gateway_stripes set leased_until = '-infinity'`);
  const late = await leaseStripe(database.queries);
  await query(`update gateway_stripes set leased_until = now() - interval '1 second' where stripe = $1`, [late.stripe]);
  const next = await leaseStripe(database.queries);
  assert.equal(next.stripe, late.stripe);
  const until = async () =>
    (await query('select holder, leased_until from gateway_stripes where stripe = $1', [late.stripe])).rows[0];
  const before = await until();
  await late.renew();
  await late.release();
  assert.deepEqual(await until(), before);
  await next.renew();
  assert.ok((await until()).leased_until > before.leased_until);
});
