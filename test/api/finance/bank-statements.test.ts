// Uploads of bank statements: stored once and whole, in order, audited, and verified.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { trustBalancesAt } from '../../../src/features/finance/trust-accounts/service.ts';
import {
  CAMT,
  CSV,
  camtFile,
  csvFile,
  MT940,
  mt940File,
  newTrustAccount,
  uploadStatement,
} from '../../support/bank-files.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { assertRefused, auditLogs, openSession, staffMember, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const staff = await staffMember(kissi, 'finance_user');
const token: string = (await openSession(kissi, staff)).token;
const auditor = await staffToken(kissi, 'audit_user');
const SAMPLES = new URL('../../../docs/samples/', import.meta.url);

const newAccount = async (): Promise<string> => (await newTrustAccount(kissi, token)).id;
const upload = (id: string, type: string, file: string | Uint8Array<ArrayBuffer>) =>
  uploadStatement(kissi, token, id, [type, file]);
const get = (path: string, headers = {}) =>
  kissi.call('GET', `/api/v1/admin/trust-accounts/${path}`, { token: auditor, headers });
const countOf = async (table: string, id: string): Promise<number> =>
  (await kissi.db.query(`select count(*)::int as n from ${table} where trust_account_id = $1`, [id])).rows[0].n;

function assertInvalid(reply: CallReply, sentence: RegExp): void {
  assertRefused(reply, 422, 'STATEMENT_INVALID');
  assert.match(reply.json.error, sentence);
  assert.match(reply.json.error, /Nothing was stored\.$/);
}

test('the samples of three formats are uploaded one after another to one account', async () => {
  const id = await newAccount();
  const statements: Json[] = [];
  for (const [name, type] of [
    ['bank-statement-camt053.xml', CAMT],
    ['bank-statement-mt940.txt', MT940],
    ['bank-statement.csv', CSV],
  ] as const) {
    const reply = assertStatus(await upload(id, type, await readFile(new URL(name, SAMPLES))), 201);
    statements.push(reply.json.statement);
  }
  const [first] = statements;
  const bytes = await readFile(new URL('bank-statement-camt053.xml', SAMPLES));
  const file_sha256 = createHash('sha256').update(bytes).digest('hex');
  assert.match(first.id, /^stmt_/);
  assert.deepEqual(first, {
    ...{ id: first.id, trust_account_id: id, format: 'camt.053', from: '2026-02-23', to: '2026-02-23' },
    ...{ opening_balance: 425_000_000, closing_balance: 432_488_050, entry_count: 5, file_sha256 },
    ...{ uploaded_by: staff.id, uploaded_at: '2026-03-01T12:00:00.000Z' },
  });
  assert.deepEqual((await get(`${id}/statements`)).json, {
    ...{ statements: statements.toReversed(), total_count: 3, limit: 50, offset: 0 },
  });
  assert.deepEqual((await get(`${id}/statements/${first.id}`)).json, { statement: first });
  const { rows } = await kissi.db.query('select file from bank_statements where id = $1', [first.id]);
  assert.deepEqual(gunzipSync(rows[0].file), bytes);
  const download = await get(`${id}/statements/${first.id}/file`);
  assert.deepEqual([download.status, download.text], [200, bytes.toString()]);
  assert.equal(download.headers.get('content-type'), 'application/xml');
  assert.equal(download.headers.get('content-disposition'), `attachment; filename="${first.id}.xml"`);
  const entries = (await get(`${id}/statements/${first.id}/entries`)).json;
  assert.equal(entries.total_count, 5);
  assert.deepEqual(entries.entries[0], {
    ...{ id: entries.entries[0].id, trust_account_id: id, statement_id: first.id, position: 1 },
    ...{ booked_on: '2026-02-23', amount: 5_000_000, reference: 'FLOAT-LUMLEY-0223' },
    ...{ counterparty: 'Lumley Beach Agency', description: 'Cash deposit for float, Wilkinson Road branch' },
  });
  const [entry] = (await auditLogs(kissi, { action: 'trust_account.statement' })).filter(
    ({ resource_id }) => resource_id === first.id,
  );
  assert.equal(entry?.actor_id, staff.id);
  assert.equal(entry?.details.file_sha256, file_sha256);
});

test('the same file again returns the same record and stores nothing', async () => {
  const id = await newAccount();
  const files = [23, 24].map((day) => csvFile({ opening: day - 23, entries: [{ amount: 1 }], from: `2026-02-${day}` }));
  const [first, second] = [await upload(id, CSV, files[0] as string), await upload(id, CSV, files[1] as string)];
  assert.deepEqual([first.status, second.status], [201, 201]);
  for (const [file, original] of [
    [files[0], first],
    [files[1], second],
  ] as const) {
    const again = assertStatus(await upload(id, CSV, file as string), 200);
    assert.deepEqual(again.json.statement, original.json.statement);
  }
  assert.deepEqual([await countOf('bank_statements', id), await countOf('bank_entries', id)], [2, 2]);
  assert.equal((await upload(await newAccount(), CSV, files[0] as string)).status, 201);
});

test('a gap, an overlap and the wrong order are refused; days without entries are no gap, but named in a warning', async () => {
  const id = await newAccount();
  const file = (opening: number, from: string, to = from) =>
    csvFile({
      opening,
      entries: [
        { amount: 100, day: from },
        { amount: 100, day: to },
      ],
    });
  assert.equal((await upload(id, CSV, file(0, '2026-02-10', '2026-02-12'))).status, 201);
  assertInvalid(await upload(id, CSV, file(500, '2026-02-13')), /opening balance is 5\.00 SLE, but .* is 2\.00 SLE/);
  assertInvalid(
    await upload(id, CSV, file(200, '2026-02-12')),
    /begins on 2026-02-12, .* up to 2026-02-12: they overlap/,
  );
  assertInvalid(await upload(id, CSV, file(0, '2026-02-09')), /overlap\. Upload statements in order/);
  assertInvalid(await upload(id, CSV, file(200, '2026-03-02')), /ends on 2026-03-02, which is in the future/);
  assert.deepEqual([await countOf('bank_statements', id), await countOf('bank_entries', id)], [1, 2]);
  const later = assertStatus(await upload(id, CSV, file(200, '2026-02-16')), 201);
  const warning =
    'No statement covers the days from 2026-02-13 to 2026-02-15. ' +
    'Check that the bank issued none for them: entries that sum to zero could be missing.';
  assert.deepEqual(later.json.warnings, [warning]);
  const again = await upload(id, CSV, file(200, '2026-02-16'));
  assert.deepEqual([again.status, again.json.warnings], [200, [warning]]);
  const next = await upload(id, MT940, mt940File({ opening: 400, entries: [], from: '2026-02-17' }));
  assert.deepEqual([next.status, next.json.warnings], [201, []]);
  assert.equal((await upload(id, CAMT, camtFile({ opening: 400, entries: [], from: '2026-02-18' }))).status, 201);
});

test('an invalid file stores nothing, and the attempt is audited', async () => {
  const id = await newAccount();
  assertInvalid(
    await upload(id, MT940, mt940File({ entries: [{ amount: 5 }], closing: 6 })),
    /^Line 6 \(:62F:\): the closing/,
  );
  assertInvalid(await upload(id, CAMT, camtFile({ entries: [], account: '1' })), /the account number is "1"/);
  assertInvalid(await upload(id, CAMT, csvFile({ entries: [{ amount: 1 }] })), /not well-formed/);
  assertInvalid(await upload(id, CSV, ''), /no entries/);
  assert.deepEqual([await countOf('bank_statements', id), await countOf('bank_entries', id)], [0, 0]);
  assert.equal((await get(`${id}/statements`)).json.total_count, 0);
  const refused = await auditLogs(kissi, { action: 'trust_account.statement.refused' });
  assert.ok(refused.some(({ details }) => details.code === 'STATEMENT_INVALID'));
});

test('other media types, forms, unknown accounts and files over 64 MiB are refused', async () => {
  const id = await newAccount();
  for (const type of [
    'application/json',
    'text/xml',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    '',
  ]) {
    assertRefused(await upload(id, type, 'x'), 415, 'UNSUPPORTED_MEDIA_TYPE');
  }
  assert.equal((await upload(id, 'TEXT/CSV; charset=utf-8', csvFile({ entries: [{ amount: 1 }] }))).status, 201);
  assertRefused(await upload('trust_UNKNOWN', CSV, 'x'), 404, 'NOT_FOUND');
  assertRefused(await get('trust_UNKNOWN/statements'), 404, 'NOT_FOUND');
  assertRefused(await get(`${id}/statements/stmt_UNKNOWN`), 404, 'NOT_FOUND');
  assertRefused(await get(`${id}/statements/stmt_UNKNOWN/file`), 404, 'NOT_FOUND');
  assertRefused(await get(`${await newAccount()}/statements/stmt_UNKNOWN/entries`), 404, 'NOT_FOUND');
  const tooLarge = await endlessUpload(await newAccount());
  assert.equal(tooLarge.status, 413);
  assert.equal(tooLarge.json.code, 'PAYLOAD_TOO_LARGE');
  assert.match(tooLarge.json.error, /Nothing was stored/);
});

/** Sends valid lines without a Content-Length until the gateway replies. */
function endlessUpload(id: string): Promise<{ status: number; json: Json }> {
  const path = `${kissi.url}/api/v1/admin/trust-accounts/${id}/statements`;
  const line = (n: number) => `2026-02-23,1.00,,"${'x'.repeat(9_000)}",${n}.00\n`;
  return new Promise((resolve, reject) => {
    const sending = request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': CSV },
    });
    let isDone = false;
    sending.on('response', async (response) => {
      isDone = true;
      resolve({ status: response.statusCode ?? 0, json: JSON.parse((await response.toArray()).join('')) });
      sending.destroy();
    });
    sending.on('error', (error) => (isDone ? undefined : reject(error)));
    sending.write('date,amount,reference,description,balance\n');
    let n = 0;
    const send = () => {
      while (!isDone) {
        n += 1;
        if (!sending.write(line(n))) break;
      }
    };
    sending.on('drain', send);
    send();
  });
}

test('an upload that is cut off stores nothing', async () => {
  const id = await newAccount();
  const path = `${kissi.url}/api/v1/admin/trust-accounts/${id}/statements`;
  const file = csvFile({ entries: [{ amount: 1 }, { amount: 2 }] });
  const headers = { authorization: `Bearer ${token}`, 'content-type': CSV, 'content-length': file.length + 100 };
  await new Promise<void>((resolve) => {
    const sending = request(path, { method: 'POST', headers });
    sending.on('error', () => undefined).on('close', resolve);
    sending.write(file, () => sending.destroy());
  });
  assert.equal((await upload(id, CSV, file)).status, 201);
  assert.equal(await countOf('bank_statements', id), 1);
});

test('racing uploads of one file store it once', async () => {
  const id = await newAccount();
  const file = csvFile({ entries: Array.from({ length: 5_000 }, () => ({ amount: 1, description: 'Deposit' })) });
  const other = await testGateway({ db: kissi.db });
  try {
    const replies = await Promise.all(
      [kissi, other, kissi, other, kissi, other].map((gateway) => uploadStatement(gateway, token, id, [CSV, file])),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201]);
    assert.equal(new Set(replies.map(({ json }) => json.statement.id)).size, 1);
    assert.deepEqual([await countOf('bank_statements', id), await countOf('bank_entries', id)], [1, 5_000]);
  } finally {
    await other.close();
  }
});

test('of racing uploads that overlap, one is stored', async () => {
  const id = await newAccount();
  const files = Array.from({ length: 6 }, (_, n) => csvFile({ entries: [{ amount: 100 + n }], from: '2026-02-23' }));
  const replies = await Promise.all(files.map((file) => upload(id, CSV, file)));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422, 422, 422, 422, 422]);
  assert.equal(await countOf('bank_entries', id), 1);
});

test('entries are paged and exported as CSV with formulas neutralised', async () => {
  const id = await newAccount();
  const entries = Array.from({ length: 250 }, (_, n) => ({
    amount: n + 1,
    reference: `R${n + 1}`,
    description: '=1+1',
  }));
  const { statement } = (await upload(id, CSV, csvFile({ entries }))).json;
  const path = `${id}/statements/${statement.id}/entries`;
  const page = (await get(`${path}?limit=2&offset=100`)).json;
  assert.deepEqual(
    page.entries.map(({ position }: Json) => position),
    [101, 102],
  );
  assert.equal(page.total_count, 250);
  const lines = (await get(path, { accept: 'text/csv' })).text.trimEnd().split(/\r?\n/);
  assert.equal(lines.length, 251);
  assert.match(lines[250] as string, /,250,2026-02-23,2\.50,R250,,'=1\+1,SLE$/);
  const list = await get(`${id}/statements`, { accept: 'text/csv' });
  assert.match(list.text, /^id,trust_account_id,format,from,to,opening_balance,/);
});

test('the service cannot change or delete statements and entries', async () => {
  for (const table of ['bank_statements', 'bank_entries']) {
    for (const statement of [`update ${table} set trust_account_id = trust_account_id`, `delete from ${table}`]) {
      await assert.rejects(kissi.db.query(statement), /permission denied/);
    }
  }
});

test("an account's balance at the end of a day is that of the last statement up to it", async () => {
  const id = await newAccount();
  await upload(
    id,
    CSV,
    csvFile({
      entries: [
        { amount: 500, day: '2026-02-10' },
        { amount: 1, day: '2026-02-12' },
      ],
    }),
  );
  await upload(id, CSV, csvFile({ opening: 501, entries: [{ amount: 9 }], from: '2026-02-20' }));
  const at = async (day: string) => {
    const balances = await trustBalancesAt(kissi.db.database.queries, day);
    const { balance, asOf, ageDays, status } = balances.find(({ trustAccountId }) => trustAccountId === id) ?? {};
    return [balance, asOf, ageDays, status];
  };
  assert.deepEqual(await at('2026-02-11'), [null, null, null, 'active']);
  assert.deepEqual(await at('2026-02-12'), [501, '2026-02-12', 0, 'active']);
  assert.deepEqual(await at('2026-02-19'), [501, '2026-02-12', 7, 'active']);
  assert.deepEqual(await at('2026-03-01'), [510, '2026-02-20', 9, 'active']);
});

test('a payment completes while a statement is being uploaded', async () => {
  const [id, sender, recipient] = [await newAccount(), await bank.wallet(1_000), await bank.wallet()];
  const file = csvFile({ entries: [{ amount: 1 }, { amount: 2 }] });
  const path = `${kissi.url}/api/v1/admin/trust-accounts/${id}/statements`;
  const sending = request(path, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': CSV } });
  const replied = new Promise<number>((resolve) =>
    sending.once('response', ({ statusCode }) => resolve(statusCode ?? 0)),
  );
  sending.write(file.slice(0, 50));
  const payment = { sender_id: sender.id, recipient_id: recipient.id, amount: 100, pin: PIN };
  assert.equal((await bank.post('/wallet/transfer', payment)).status, 200);
  assert.equal(await bank.balance(recipient.id), 100);
  sending.end(file.slice(50));
  assert.equal(await replied, 201);
});
