// A gateway is killed again and again in the middle of payments: clients that retry make every payment exactly once.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeKey, makeMerchant, makePartner, makeWallet, PIN, times } from '@kissi/testkit/parties';
import { ADMIN, SECRETS, temporaryFolder } from '@kissi/testkit/service';
import { type Gateway, startGateway } from '../../../test/faults/gateways.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { assertCleanBooks } from '../../../test/support/ledger.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { Kissi, type KissiOptions, type ResponseInfo } from '../src/index.ts';

const KILLS = 3;
const PAYMENTS_BETWEEN_KILLS = 40;
const CLIENTS = 12;
const FUNDS = 5_000_000;

const db = await testDatabase();
const folder = await temporaryFolder();
const gateway: Gateway = await startGateway('gateway', folder.path, db.url);
after(async () => {
  await gateway.stop();
  await folder.remove();
  await db.close();
});

/** Persistent: a killed gateway is away for seconds. */
const clientOf = (options: Partial<KissiOptions>) =>
  new Kissi({ baseUrl: gateway.url, maxRetries: 200, maxRetryDelayMs: 250, timeoutMs: 120_000, ...options });

interface Paid {
  id: string;
  /** Changes of the balances. */
  effect: Record<string, number>;
  response: ResponseInfo;
}

async function createParties() {
  const admin = clientOf({ login: ADMIN });
  const { id: partnerId, key: bankKey } = await makePartner(admin, {}, ['inbound:read', 'inbound:write']);
  const key = await makeKey(admin, ['payments:write', 'cards:read', 'treasury:write']);
  const kissi = clientOf({ keyId: key.id, apiKey: key.bearer, secret: key.secret });
  const processor = await makeMerchant(admin);
  const wallets = await times(4, () => makeWallet(admin));
  for (const { id } of wallets) {
    await kissi.wallet.fundFromPartner({ partner_id: partnerId, subscriber_id: id, amount: FUNDS });
  }
  return { wallets, processor, partnerId, kissi, bank: clientOf({ keyId: bankKey.id, secret: bankKey.secret }) };
}

type Parties = Awaited<ReturnType<typeof createParties>>;

/** The n-th payment: by card, at a terminal, or from the bank. */
async function pay({ wallets, processor, partnerId, kissi, bank }: Parties, n: number): Promise<Paid> {
  const payer = wallets[n % 4] ?? assert.fail();
  const payee = wallets[(n + 1) % 4] ?? assert.fail();
  const amount = 100 + (n % 50);
  if (n % 3 === 0) {
    const transfer = { sender_id: payer.id, recipient_card_serial: payee.card, amount, pin: PIN };
    const { transaction_id: id, fee, lastResponse: response } = await kissi.wallet.transferByCard(transfer);
    return { id, effect: { [payer.id]: -amount - fee, [payee.id]: amount }, response };
  }
  if (n % 3 === 1) {
    const shop = { merchant_id: processor.merchantId, processor_id: processor.id, terminal_id: 'T-1' };
    const payment = { ...shop, card_serial: payer.card, amount, pin: PIN };
    const { transaction_id: id, fee, lastResponse: response } = await kissi.terminal.pay(payment);
    return { id, effect: { [payer.id]: -amount, [processor.id]: amount - fee }, response };
  }
  const { data, lastResponse: response } = await bank.inbound.credit({ msisdn: payee.phone, amount });
  return { id: String(data.transaction_id), effect: { [payee.id]: amount, [partnerId]: -amount }, response };
}

test('every payment is made exactly once, and the balances are exact', async (t) => {
  const parties = await createParties();
  const paid: Paid[] = [];
  let sent = 0;
  let stop = false;
  const client = async () => {
    while (!stop) paid.push(await pay(parties, sent++));
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  for (let kill = 0; kill < KILLS; kill++) {
    const before = paid.length;
    await waitFor('payments are made', async () => paid.length >= before + PAYMENTS_BETWEEN_KILLS);
    await gateway.kill();
    await gateway.ensureRunning();
  }
  stop = true;
  await clients;

  const retried = paid.filter(({ response }) => response.attempts > 1).length;
  const replayed = paid.filter(({ response }) => response.isReplay).length;
  t.diagnostic(
    `${paid.length} payments, ${KILLS} kills, ${retried} retried, ${replayed} had been made before the kill`,
  );
  assert.ok(retried >= KILLS, 'the kills interrupted payments');
  const { rows } = await db.query("select id from movements where type <> 'vult_fund' order by id");
  assert.deepEqual(
    rows.map(({ id }) => id),
    paid.map(({ id }) => id).sort(),
  );
  assert.deepEqual(await balances(parties), expectedBalances(parties, paid));
  await assertCleanBooks(db.url, SECRETS.MASTER_KEY);
  assert.deepEqual(gateway.unexpectedExits, []);
});

async function balances({ wallets, processor, partnerId }: Parties): Promise<Record<string, number>> {
  const ids = [...wallets.map(({ id }) => id), processor.id, partnerId];
  const { rows } = await db.query('select id, balance from accounts where id = any ($1)', [ids]);
  return Object.fromEntries(rows.map(({ id, balance }) => [id, Number(balance)]));
}

function expectedBalances({ wallets, processor, partnerId }: Parties, paid: readonly Paid[]): Record<string, number> {
  const sums: Record<string, number> = { [processor.id]: 0, [partnerId]: -FUNDS * wallets.length };
  for (const { id } of wallets) sums[id] = FUNDS;
  for (const [account, change] of paid.flatMap(({ effect }) => Object.entries(effect))) {
    sums[account] = (sums[account] ?? 0) + change;
  }
  return sums;
}
