// A commit whose reply is lost, of a payment that cannot be completed again when its batch is repeated: the money moves once.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { faultyPool } from '../ledger/faulty-pool.ts';
import { testGateway } from '../support/gateway.ts';
import { assertLedgerConsistent, createBank, PIN, WRONG_PIN } from '../support/money.ts';

const kissi = await testGateway();
const bank = await createBank(kissi);

/** What happens between the next commit and the loss of its reply. */
let beforeLoss: (() => Promise<unknown>) | null = null;
const faulty = faultyPool(kissi.db.database.ledgerPool, async (statement, { send, socket }) => {
  const happens = beforeLoss;
  if (statement !== 'commit' || !happens) return send();
  beforeLoss = null;
  await send();
  await happens();
  socket.destroy(new Error('broken by the test'));
  throw new Error('broken by the test');
});
const database = new Proxy(kissi.db.database, {
  get: (target, name) => (name === 'ledgerPool' ? faulty.pool : Reflect.get(target, name)),
}) as Database;
const broken = await testGateway({ db: { ...kissi.db, database }, clock: kissi.clock });
after(async () => {
  await assertLedgerConsistent(kissi);
  await broken.close();
  await kissi.close();
});

const post = (path: string, body: object) => broken.call('POST', `/api/v1${path}`, { body, token: bank.key });

/** Two wallets, and the body of a transfer between them. A first one prepares the connection's statements. */
async function transferBody(amount: number) {
  const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
  const body = { sender_id: from.id, recipient_id: to.id, pin: PIN };
  const first = await post('/wallet/transfer', { ...body, amount: 1 });
  assert.equal(first.status, 200, first.text);
  return { ...body, amount };
}

const EVENTS: Record<string, (id: string) => Promise<unknown>> = {
  'nothing else happens': async () => undefined,
  'its holder asks for the balance': (id) => post(`/wallet/balance/${id}`, { pin: PIN }),
  'somebody tries a wrong PIN': (id) => post(`/wallet/balance/${id}`, { pin: WRONG_PIN }),
};

describe('the reply to the commit of a transfer is lost, and', () => {
  for (const [name, happens] of Object.entries(EVENTS)) {
    for (const request of [{}, { request_id: `in-doubt-${name.length}` }]) {
      const how = 'request_id' in request ? 'with' : 'without';
      test(`${name}: a transfer ${how} request_id is made once`, async () => {
        const body = await transferBody(10_000);
        beforeLoss = () => happens(body.sender_id);
        const reply = await post('/wallet/transfer', { ...body, ...request });
        assert.equal(reply.status, 200, reply.text);
        assert.equal(reply.headers.get('idempotent-replayed'), null, 'it is the first reply');
        const made = 'select id from movements where from_account = $1 and amount = 10000';
        const { rows } = await kissi.db.query(made, [body.sender_id]);
        assert.deepEqual(
          rows.map(({ id }) => id),
          [reply.json.transaction_id],
        );
        assert.equal(await bank.balance(body.recipient_id), 10_001);
      });
    }
  }
});

test('the refusal of a blocked transfer names the alert that was written', async () => {
  const rule = {
    name: 'Block',
    kind: 'amount',
    threshold: 49_999,
    transaction_types: ['transfer_p2p'],
    outcome: 'block',
  };
  const made = await broken.asAdmin.post('/compliance/rules', rule);
  assert.equal(made.status, 201, made.text);
  const body = await transferBody(50_000);
  beforeLoss = async () => undefined;
  const reply = await post('/wallet/transfer', body);
  const { rows } = await kissi.db.query('select id from compliance_alerts');
  assert.deepEqual(
    rows.map(({ id }) => id),
    [reply.json.alert_id],
  );
});
