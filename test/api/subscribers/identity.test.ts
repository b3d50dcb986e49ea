// Identity fields of verified subscribers, and unique identity documents.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused } from '../../support/agents.ts';
import { assertStatus, gatewayForFile, type Json } from '../../support/gateway.ts';
import { apiKey, staffToken } from '../../support/staff.ts';

const kissi = await gatewayForFile({ unauditedRecords: ['subscriber'] });
const admin = await kissi.adminToken();
const compliance = await staffToken(kissi, 'compliance_user');
const { key } = await apiKey(kissi, ['subscribers:read', 'subscribers:write']);

let phones = 76_400_000;
let documents = 0;
const DOCUMENT = { id_type: 'PASSPORT', id_document_url: 'https://files.example.com/a.jpg', address: 'Road 1' };
const put = (id: string, body: unknown, token = admin) =>
  kissi.call('PUT', `/api/v1/subscribers/${id}`, { token, body });
const rowOf = async (id: string) => (await kissi.db.query('select * from subscribers where id = $1', [id])).rows[0];

async function subscriber(extra: Record<string, unknown> = {}): Promise<Json> {
  const names = { first_name: 'Isatu', last_name: 'Koroma', pin: '1234', date_of_birth: '1990-02-28' };
  const body = { phone_number: `0${phones++}`, ...names, ...DOCUMENT, id_number: `DOC-${++documents}`, ...extra };
  return assertStatus(await kissi.call('POST', '/api/v1/subscribers', { token: key, body }), 201).json.subscriber;
}

async function verified(level: number, extra: Record<string, unknown> = {}): Promise<Json> {
  const { id } = await subscriber(extra);
  return assertStatus(await put(id, { kyc_level: level }), 200).json.subscriber;
}

const IDENTITY = {
  first_name: 'Other',
  last_name: 'Person',
  date_of_birth: '1985-05-05',
  id_number: 'STOLEN-1',
  id_type: 'NATIONAL_ID',
  id_document_url: 'https://files.example.com/b.jpg',
  selfie_url: 'https://files.example.com/c.jpg',
};

describe('identity fields at KYC level 2 and 3', () => {
  for (const level of [2, 3]) {
    test(`at level ${level} they are changed only by compliance_user and system_admin`, async () => {
      const before = await verified(level);
      const row = await rowOf(before.id);
      const tokens = [key, await staffToken(kissi, 'support_user'), await staffToken(kissi, 'sales_user')];
      for (const token of tokens) {
        for (const [field, value] of Object.entries(IDENTITY)) {
          const reply = assertRefused(await put(before.id, { [field]: value }, token), 403, 'FORBIDDEN', field);
          assert.match(reply.json.error, new RegExp(`\\b${field}\\b`));
        }
      }
      assert.deepEqual(await rowOf(before.id), row);
      const { id_number: _, ...others } = IDENTITY;
      assert.equal((await put(before.id, { ...others, id_number: `NEW-${level}` }, compliance)).status, 200);
      assert.equal((await put(before.id, { first_name: 'Again' }, admin)).status, 200);
    });
  }

  test('other fields, and identity fields that keep their value, can be sent by staff', async () => {
    const { id, first_name, id_number } = await verified(2);
    const reply = assertStatus(await put(id, { first_name, id_number, address: 'Road 9' }, key), 200);
    assert.equal(reply.json.subscriber.address, 'Road 9');
  });

  test('at level 1 staff and keys change them', async () => {
    const { id } = await subscriber();
    assert.equal((await put(id, IDENTITY, key)).status, 200);
  });

  test('a change that waits for a raise of the level is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await subscriber();
      const [raised, changed] = await Promise.all([
        put(id, { kyc_level: 2 }, compliance),
        put(id, { first_name: 'Late' }, key),
      ]);
      assert.equal(raised.status, 200, raised.text);
      const { updated_at, first_name } = await rowOf(id);
      assert.ok(changed.status === 200 || changed.json.code === 'FORBIDDEN', `${changed.text} ${updated_at}`);
      assert.equal(first_name, changed.status === 200 ? 'Late' : 'Isatu');
      assertRefused(await put(id, { first_name: 'Later' }, key), 403, 'FORBIDDEN');
    }
  });
});

describe('an identity document', () => {
  test('of a level 2 or 3 subscriber cannot raise another: 409 DUPLICATE_IDENTITY, and the level stays', async () => {
    await verified(2, { id_number: 'SL-1' });
    for (const level of [2, 3]) {
      const { id } = await subscriber({ id_number: 'SL-1' });
      assertRefused(await put(id, { kyc_level: level }, compliance), 409, 'DUPLICATE_IDENTITY');
      const { rows } = await kissi.db.query('select daily_limit from accounts where id = $1', [id]);
      assert.deepEqual([(await rowOf(id)).kyc_level, rows[0].daily_limit], [1, 10_000_000]);
    }
  });

  test('is compared without case, spaces, dashes and other separators', async () => {
    await verified(3, { id_number: 'AB123' });
    for (const id_number of [
      'ab-12 3',
      ' AB 123 ',
      'a.b/1_2-3',
      'ab–123',
      'ＡＢ１２３',
      'a\u200bb123',
      'AB\u00ad123',
    ]) {
      const { id } = await subscriber({ id_number });
      assertRefused(await put(id, { kyc_level: 2 }), 409, 'DUPLICATE_IDENTITY', id_number);
    }
    await verified(2, { id_number: 'AB1234' });
    await verified(2, { id_number: 'AB123', id_type: 'NATIONAL_ID' });
  });

  test('with characters that look like others or like nothing raises nobody: 400 INVALID_REQUEST', async () => {
    await verified(2, { id_number: 'PA550011' });
    // A Cyrillic A, a Greek capital alpha, an invisible joiner, filler, vowel separator and tag, an accent, no digit.
    const disguised = ['P\u0410550011', 'P\u0391550011', 'PA\u034f550011', 'PA\u3164550011', 'PA\u180e550011'];
    for (const id_number of [...disguised, 'PA\u{e0041}550011', 'PA\u0301550011', '\u0665\u0665', '---']) {
      const { id } = await subscriber({ id_number });
      const reply = await put(id, { kyc_level: 2 }, compliance);
      assertRefused(reply, 400, 'INVALID_REQUEST', JSON.stringify(id_number));
      assert.match(reply.json.error, /^id_number/);
      assert.equal((await rowOf(id)).kyc_level, 1);
      const { id: other } = await verified(2);
      assertRefused(await put(other, { id_number }, compliance), 400, 'INVALID_REQUEST', JSON.stringify(id_number));
    }
  });

  test('may be on file of several subscribers at level 1, and is free again when its holder is lowered', async () => {
    const [first, second] = [await verified(2, { id_number: 'SHARED' }), await subscriber({ id_number: 'shared' })];
    assertRefused(await put(second.id, { kyc_level: 2 }), 409, 'DUPLICATE_IDENTITY');
    assert.equal((await put(first.id, { kyc_level: 1 })).status, 200);
    assert.equal((await put(second.id, { kyc_level: 2 })).status, 200);
    assertRefused(await put(first.id, { kyc_level: 3 }), 409, 'DUPLICATE_IDENTITY');
  });

  test('cannot be changed to that of another verified subscriber', async () => {
    const [first, second] = [await verified(2), await verified(2)];
    assertRefused(await put(second.id, { id_number: first.id_number }, compliance), 409, 'DUPLICATE_IDENTITY');
    assert.equal((await rowOf(second.id)).id_number, second.id_number);
  });

  test('raises exactly one of several subscribers at once', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => subscriber({ id_number: 'RACE-1' })));
    const replies = await Promise.all(all.map(({ id }) => put(id, { kyc_level: 2 }, compliance)));
    assert.deepEqual(
      replies.map(({ status, json }) => json.code ?? status).toSorted(),
      [200, ...Array(5).fill('DUPLICATE_IDENTITY')].toSorted(),
    );
  });
});
