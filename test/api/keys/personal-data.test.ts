// Personal data and the rotation of keys: customers' own keys are encrypted again, and an erased customer needs no old key.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countUses } from '../../../src/app/keys/counts.ts';
import { createVault } from '../../../src/auth/vault.ts';
import { ringOf } from '../../../src/kernel/key-ring.ts';
import { asOwner } from '../../ledger/books.ts';
import type { Json } from '../../support/gateway.ts';
import {
  AFTER,
  assertVerified,
  BEFORE,
  BOTH,
  type KeyedGateway,
  keyedGateway,
  rotate,
  stopGateway,
} from '../../support/keys.ts';
import { createBank, PIN, type Wallet } from '../../support/money.ts';
import { type Compliance, complianceUsers, erase, now, passRetention } from '../../support/privacy.ts';
import { assertRefused, assertStatus } from '../../support/staff.ts';

const old = await keyedGateway(BEFORE);
const bank = await createBank(old);
const staff: Compliance = await complianceUsers(old);
const WORDS = 'Quillfeather';

interface StoredFile {
  id: string;
  case_id: string;
  sealed: Buffer;
}

async function fileOf(caseId: string): Promise<StoredFile> {
  const token = await old.adminToken();
  const pdf = { raw: `%PDF-1.7 ${WORDS}\n`, headers: { 'content-type': 'application/pdf' }, token };
  assertStatus(await old.call('POST', `/api/v1/cases/${caseId}/files?name=letter.pdf`, pdf), 201);
  return (await old.db.query('select * from case_files order by id desc limit 1')).rows[0];
}

/** Two files of one case: one under the customer's own key, and one as version 0.5 encrypted it. */
async function withFiles({ id }: Wallet) {
  const about = { subscriber_id: id, kind: 'other', description: WORDS };
  const { case: opened } = assertStatus(await old.asAdmin.post('/cases', about), 201).json;
  const [own, earlier] = [await fileOf(opened.id), await fileOf(opened.id)];
  const content = Buffer.from(`%PDF-1.7 ${WORDS}\n`).toString('base64');
  const sealed = createVault(BEFORE.MASTER_KEY).seal(content, earlier.id);
  await asOwner(old.db.url, (owner) =>
    owner.query('update case_files set sealed = $2 where id = $1', [earlier.id, sealed]),
  );
  const end = { state: 'resolved', reason: 'Sent' };
  assertStatus(await old.asAdmin.post(`/cases/${opened.id}/state`, end), 200);
  return { own, earlier };
}

const versionOf = async ({ id }: StoredFile): Promise<number> =>
  (await old.db.query('select get_byte(sealed, 0) as version from case_files where id = $1', [id])).rows[0].version;

describe('a rotation of both keys', () => {
  let wallet: Wallet;
  let gone: Wallet;
  let files: { own: StoredFile; earlier: StoredFile };
  let gateway: KeyedGateway;

  before(async () => {
    [wallet, gone] = [await bank.wallet(), await bank.wallet()];
    files = await withFiles(wallet);
    await withFiles(gone);
    await passRetention(old);
    assertStatus(await erase(old, staff, gone.id), 200);
    await old.announcement.withdraw();
    gateway = await keyedGateway(BOTH, old);
    await rotate(old);
  });
  after(async () => {
    await stopGateway(gateway);
    await stopGateway(old);
  });

  const asAdmin = async (path: string) => gateway.call('GET', `/api/v1${path}`, { token: await gateway.adminToken() });
  const pathOf = ({ case_id, id }: StoredFile) => `/cases/${case_id}/files/${id}`;

  test('leaves files of each version readable, and own keys under the new key', async () => {
    assert.deepEqual([await versionOf(files.own), await versionOf(files.earlier)], [3, 2]);
    for (const file of Object.values(files)) {
      assert.match(assertStatus(await asAdmin(pathOf(file)), 200).text, /Quillfeather/);
    }
    const { rows } = await old.db.query(
      'select get_byte(sealed_key, 0) as version from customer_keys where sealed_key is not null',
    );
    assert.deepEqual(new Set(rows.map(({ version }: Json) => version)), new Set([2]));
    await assertVerified(old, AFTER.MASTER_KEY);
  });

  test('counts no erased PIN, and a payment with it is refused', async () => {
    const { rows } = await old.db.query('select length(hash) as bytes from pins where owner_id = $1', [gone.id]);
    assert.deepEqual(rows, [{ bytes: 0 }]);
    const others = await old.db.query('select count(*)::int as count from pins where length(hash) > 0');
    const uses = await countUses(old.db.database.queries, old.clock, ringOf(BOTH.MASTER_KEY));
    const ofPins = uses.filter(({ name, id, where }) => name === 'PIN_PEPPER' && id === 'k1' && where === 'pins.hash');
    assert.equal(ofPins[0]?.count, others.rows[0].count);
    const transfer = { sender_id: gone.id, recipient_id: wallet.id, amount: 100, pin: PIN, request_id: 'from-gone' };
    const paid = await gateway.call('POST', '/api/v1/wallet/transfer', { body: transfer, token: bank.key });
    assert.ok(paid.status >= 400 && paid.status < 500, paid.text);
    assert.equal(await bank.balance(wallet.id), 0);
  });

  test('exports and erases a customer as before', async () => {
    const { token } = await now(gateway, staff.one);
    const reply = await gateway.call('GET', `/api/v1/subscribers/${wallet.id}/personal-data`, { token });
    assert.equal(assertStatus(reply, 200).json.cases[0].description, WORDS);
    assertStatus(await erase(gateway, staff, wallet.id), 200);
    for (const file of Object.values(files)) {
      assertRefused(await asAdmin(pathOf(file)), 409, 'PERSONAL_DATA_ERASED');
    }
    await assertVerified(old, AFTER.MASTER_KEY);
  });
});
