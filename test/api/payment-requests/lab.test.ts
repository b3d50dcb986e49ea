// Tests that only the lab confirms payment requests: without it, and so in production, its routes answer 404.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testGateway } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { confirm, decline, shopOf } from '../../support/payment-requests.ts';
import { assertRefused } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();

test('without LAB=on nobody confirms, declines or asks as a customer', async () => {
  const [{ id }, wallet] = [await (await shopOf(kissi)).asked(), await bank.wallet(50_000)];
  assertRefused(await confirm(kissi, id, wallet.id), 404, 'NOT_FOUND');
  assertRefused(await decline(kissi, id, wallet.id), 404, 'NOT_FOUND');
  const body = { subscriber_id: wallet.id, amount: 5, description: 'Lunch' };
  assertRefused(await kissi.asAdmin.post('/admin/lab/payment-requests', body), 404, 'NOT_FOUND');
  assert.equal(await bank.balance(wallet.id), 50_000);
});

test('production does not start with the lab', async () => {
  await assert.rejects(
    testGateway({ db: kissi.db, env: { APP_ENV: 'production', LAB: 'on', DATABASE_URL: kissi.db.url } }),
  );
});
