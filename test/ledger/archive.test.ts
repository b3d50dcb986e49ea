// Archives of the ledger: files and live books prove each other, and every change of a file or of the openings is found.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { copyFile, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import pg from 'pg';
import { archive, assertInOrder, newArchiveDirectory, oldLedger, transfer, verifiedWith } from '../support/archive.ts';
import { assertStatus } from '../support/gateway.ts';
import { SECRETS } from '../support/secrets.ts';
import { asOwner } from './books.ts';

const ledger = await oldLedger();
const { kissi } = ledger;
after(() => kissi.close());
const directory = await newArchiveDirectory();
const balancesBefore = await balances();
const countsBefore = await counts();

async function balances() {
  return (await kissi.db.query('select id, balance, posting_count, last_seq from accounts order by id')).rows;
}

async function counts(): Promise<{ movements: number; postings: number }> {
  const text = `select (select count(*)::int from movements) as movements, (select count(*)::int from postings) as postings`;
  return (await kissi.db.query(text)).rows[0];
}

test('the books of all months are in order before the first archive', async () => {
  await assertInOrder(kissi, null);
  assert.equal(await archive(kissi, directory, { months: 1_200 }), 0);
});

/** The names of the archives' files, in their order. */
const filesIn = async (folder: string) => (await readdir(folder)).sort();
const FIRST_QUARTER = { before: Date.parse('2023-04-01') };

test('a file that a run left is used again, and a different one is not replaced', async () => {
  const blocking = new pg.Client({ connectionString: kissi.db.url });
  await blocking.connect();
  try {
    await blocking.query('begin; lock table ledger_archives in exclusive mode');
    await assert.rejects(() => archive(kissi, directory, FIRST_QUARTER), /lock timeout/);
  } finally {
    await blocking.end();
  }
  const [name = '', ...others] = await filesIn(directory);
  assert.deepEqual(others, []);
  const path = join(directory, name);
  const written = await readFile(path);

  const longer = zstdCompressSync(Buffer.concat([zstdDecompressSync(written), Buffer.from('x')]));
  for (const other of [longer, written.subarray(0, -40), Buffer.from('x')]) {
    await writeFile(path, other);
    await assert.rejects(() => archive(kissi, directory, FIRST_QUARTER), /exists and has other contents/);
    assert.deepEqual(await readFile(path), other);
  }
  assert.deepEqual(await filesIn(directory), [name]);
  assert.deepEqual(await counts(), countsBefore);
  // The same lines, compressed in another way.
  await writeFile(
    path,
    zstdCompressSync(zstdDecompressSync(written), { params: { [constants.ZSTD_c_compressionLevel]: 9 } }),
  );
});

test('rows are deleted only after their file was read back', async () => {
  const [name = ''] = await filesIn(directory);
  const path = join(directory, name);
  const written = await readFile(path);
  // Reported between the commit of the record and the deletion.
  const report = () => writeFileSync(path, written.subarray(0, -40));
  await assert.rejects(
    () => archive(kissi, directory, { ...FIRST_QUARTER, report }),
    new RegExp(`the rows of archive 1 are not deleted: ${name} cannot be read`),
  );
  const elsewhere = await newArchiveDirectory();
  await assert.rejects(
    () => archive(kissi, elsewhere, FIRST_QUARTER),
    new RegExp(`not deleted: there is no file ${name} \\(in ${elsewhere}\\)`),
  );
  await writeFile(path, written);
  assert.deepEqual(await counts(), countsBefore);
});

test('rows are deleted only if the opening balances are in the database', async () => {
  // As on a worker of a Citus cluster that was killed during the commit, until it is recovered.
  await asOwner(kissi.db.url, (owner) =>
    owner.query(`create table hidden as select * from account_checkpoints;
      delete from account_checkpoints where account_id = '${ledger.idle.id}'`),
  );
  await assert.rejects(
    () => archive(kissi, directory, FIRST_QUARTER),
    /the rows of archive 1 are not deleted: the opening balances do not match the archive/,
  );
  assert.deepEqual(await counts(), countsBefore);
  await asOwner(kissi.db.url, (owner) =>
    owner.query(`insert into account_checkpoints select * from hidden on conflict do nothing; drop table hidden`),
  );
  assert.equal(await archive(kissi, directory, FIRST_QUARTER), 0);
  assert.ok((await counts()).movements < countsBefore.movements);
  await assertInOrder(kissi, directory);
});

let files: string[] = [];

/** Writes parts of files into the directory. Returns the names of those that are recent or not of an archive. */
async function leftByKilledRuns(): Promise<string[]> {
  const partial = (digit: number) => `ledger-1-${String(digit).repeat(8)}-1234-4123-8123-123456789abc.partial`;
  const [abandoned, recent, foreign] = [partial(1), partial(2), 'notes.partial'];
  for (const name of [abandoned, recent, foreign]) await writeFile(join(directory, name), 'a part');
  const longAgo = new Date('2024-01-01');
  for (const name of [abandoned, foreign]) await utimes(join(directory, name), longAgo, longAgo);
  return [recent, foreign];
}

test('quarters before the months to keep become files; balances stay, and the rows are gone', async () => {
  // Payments of January 2023 to September 2024; in October 2024, six months back begins the second quarter.
  // The first of the five quarters is archived already.
  const left = await leftByKilledRuns();
  assert.equal(await archive(kissi, directory), 4);
  const partial = (await filesIn(directory)).filter((name) => name.endsWith('.partial'));
  assert.deepEqual(partial, left, 'only what a killed run left more than a day ago is removed');
  for (const name of partial) await rm(join(directory, name));
  files = await filesIn(directory);
  const { rows: digests } = await kissi.db.query(
    `select substr(encode(sha256, 'hex'), 1, 12) as start from ledger_archives order by number`,
  );
  assert.deepEqual(
    files,
    [1, 2, 3, 4, 5].map((n) => `ledger-000${n}-${digests[n - 1].start}.jsonl.zst`),
  );
  assert.deepEqual(await balances(), balancesBefore);
  const { rows } = await kissi.db.query(
    `select sum(movements)::int as movements, sum(postings)::int as postings, max(before) as before, bool_and(complete) as complete
    from ledger_archives`,
  );
  const live = await counts();
  assert.ok(rows[0].movements > 50 && live.movements > 20);
  assert.equal(rows[0].movements + live.movements, countsBefore.movements);
  assert.equal(rows[0].postings + live.postings, countsBefore.postings);
  assert.equal(new Date(rows[0].before).toISOString(), '2024-04-01T00:00:00.000Z');
  assert.ok(rows[0].complete);
  const oldest = await kissi.db.query('select min(at) as at from movements');
  assert.ok(new Date(oldest.rows[0].at) >= new Date('2024-04-01'));
});

test('each archive has an audit entry', async () => {
  await kissi.gateway.services.audit.seal();
  const { rows } = await kissi.db.query(
    `select resource_id, details from audit_log where action = 'ledger.archived' order by seq`,
  );
  assert.deepEqual(
    rows.map(({ resource_id }) => resource_id),
    ['1', '2', '3', '4', '5'],
  );
  assert.equal(rows[4].details.before, '2024-04-01T00:00:00.000Z');
  assert.match(rows[4].details.sha256, /^[0-9a-f]{64}$/);
});

test('the live books are in order by themselves, and together with the archives', async () => {
  const alone = await assertInOrder(kissi, null);
  assert.match(alone.notices.join('\n'), /before 2024-04-01.* are in 5 archives and were NOT verified/);
  assert.match(alone.notices.join('\n'), /rules were NOT checked.*: .*payouts_in_transit_differ/);
  const together = await assertInOrder(kissi, directory);
  assert.doesNotMatch(together.notices.join('\n'), /archive|NOT checked/);
  assert.equal(together.counts.movements, countsBefore.movements);
  assert.equal(together.counts.postings, countsBefore.postings);
});

test('payments go on after the archive, even for a wallet that has been idle since', async () => {
  const { idle, active } = ledger;
  assertStatus(await transfer(ledger, idle, active.wallet), 200);
  await assertInOrder(kissi, null);
  await assertInOrder(kissi, directory);
});

const fileOf = (number: number) => join(directory, files[number - 1] ?? '');

/** Runs the work while a file is changed, and puts the directory back. */
async function whileChanged(change: () => Promise<void>): Promise<string[]> {
  const saved = await newArchiveDirectory();
  const names = await readdir(directory);
  for (const name of names) await copyFile(join(directory, name), join(saved, name));
  try {
    await change();
    const { faults } = await verifiedWith(kissi, directory);
    return faults.map(({ rule, about }) => `${rule} ${about}`);
  } finally {
    for (const name of names) await copyFile(join(saved, name), join(directory, name));
    await rm(saved, { recursive: true });
  }
}

const rewritten = async (number: number, change: (text: string) => string) => {
  const text = zstdDecompressSync(await readFile(fileOf(number))).toString();
  const changed = change(text);
  assert.notEqual(changed, text);
  await writeFile(fileOf(number), zstdCompressSync(changed));
};

const FILE_CHANGES: [string, () => Promise<void>, string[]][] = [
  ['is missing', () => rm(fileOf(3)), ['archive_missing archive 3']],
  [
    'has another amount',
    () => rewritten(2, (text) => text.replace(/(\["p","[^"]+","\d+","[^"]+",")(-?\d+)"/, '$11"')),
    ['archive_differs archive 2'],
  ],
  ['lacks a line', () => rewritten(2, (text) => text.replace(/\["p".*\n/, '')), ['archive_differs archive 2']],
  ['has a line more', () => rewritten(1, (text) => text.replace(/(\["p".*\n)/, '$1$1')), ['archive_differs archive 1']],
  ['has no seal', () => rewritten(1, (text) => text.replace(/\{"seal".*\n/, '')), ['archive_differs archive 1']],
  [
    'is cut off',
    async () => writeFile(fileOf(4), (await readFile(fileOf(4))).subarray(0, -40)),
    ['archive_differs archive 4'],
  ],
  [
    'is exchanged with another',
    async () => {
      await rename(fileOf(1), `${fileOf(1)}.x`);
      await rename(fileOf(2), fileOf(1));
      await rename(`${fileOf(1)}.x`, fileOf(2));
    },
    ['archive_differs archive 1', 'archive_differs archive 2'],
  ],
  [
    'is an older copy under the name of a newer one',
    () => copyFile(fileOf(1), fileOf(5)),
    ['archive_differs archive 5'],
  ],
];

for (const [what, change, expected] of FILE_CHANGES) {
  test(`verification finds a file that ${what}`, async () => {
    assert.deepEqual(await whileChanged(change), expected);
    assert.ok((await verifiedWith(kissi, directory)).clean);
  });
}

const TABLES = ['accounts', 'movements', 'postings', 'account_checkpoints', 'ledger_archives'];

/** The rules that are broken after a change by the owner of the tables, without and with the archives. */
async function brokenBy(change: string): Promise<[alone: string[], together: string[]]> {
  return asOwner(kissi.db.url, async (client) => {
    for (const table of TABLES) await client.query(`create temp table saved_${table} as table ${table}`);
    try {
      await client.query(change);
      const rules = async (at: string | null) => [...(await verifiedWith(kissi, at)).broken.keys()].sort();
      return [await rules(null), await rules(directory)];
    } finally {
      await client.query(`begin; truncate ${TABLES.join(', ')};
        ${TABLES.map((table) => `insert into ${table} table saved_${table}`).join('; ')}; commit`);
    }
  });
}

const TABLE_CHANGES: [string, () => string, alone: string, together: string][] = [
  [
    'an opening balance together with the balances',
    () => `update account_checkpoints set change = change + 5 where account_id = '${ledger.idle.id}' and seq < 1711929600000000;
      update postings set balance_after = balance_after + 5 where account_id = '${ledger.idle.id}';
      update accounts set balance = balance + 5 where id = '${ledger.idle.id}'`,
    'openings_differ',
    'openings_differ',
  ],
  [
    'the record of an archive',
    () => 'update ledger_archives set movements = movements + 1 where number = 2',
    'archive_record_differs',
    'archive_record_differs',
  ],
  [
    'the instant of the last archive',
    () => `update ledger_archives set before = before + interval '3 months' where number = 5`,
    'archive_record_differs',
    'archive_record_differs',
  ],
  [
    'the last record, which is removed',
    () => 'delete from ledger_archives where number = 5',
    'chain_broken',
    'chain_broken',
  ],
  [
    'an archived movement, which is put back',
    () => `insert into movements select 'txn_01A' || substr(id, 8), type, from_account, to_account, amount, fee, request_id, reference, narration,
      metadata, related_id, details, '2024-01-05', actor_type, actor_id, batch from movements limit 1`,
    'archived_row',
    'seal_differs',
  ],
];

for (const [what, change, alone, together] of TABLE_CHANGES) {
  test(`verification finds a change of ${what}`, async () => {
    const [rulesAlone, rulesTogether] = await brokenBy(change());
    assert.ok(rulesAlone.includes(alone), rulesAlone.join());
    assert.ok(rulesTogether.includes(together), rulesTogether.join());
  });
}

test('an archive that was interrupted is continued; until then it is not verified', async () => {
  // As left by a run that ended before the deletion.
  await asOwner(kissi.db.url, (client) => client.query('update ledger_archives set complete = false where number = 5'));
  await assert.rejects(() => verifiedWith(kissi, directory), /not complete/);
  assert.equal(await archive(kissi, directory), 0);
  await assertInOrder(kissi, directory);
});

/** Runs a script of the repository with these arguments. */
function runScript(name: string, ...args: string[]): Promise<{ code: number; out: string }> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: kissi.db.url, ...SECRETS };
  const path = new URL(`../../scripts/${name}.ts`, import.meta.url).pathname;
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    );
  });
}

test('the files of archives can be read by their owner only', async () => {
  const names = await filesIn(directory);
  assert.ok(names.length > 0);
  for (const name of names) assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600, name);
});

test('ledger:archive says why there is nothing to archive', async () => {
  const { code, out } = await runScript('ledger-archive', '--to', directory, '--before', '2000-01-01');
  assert.deepEqual({ code, out }, { code: 0, out: 'There is nothing to archive: no movement before 2000-01-01.\n' });
});

test('the commands verify archives, and say what they need', async () => {
  const verified = await runScript('ledger-verify', '--archive', directory);
  assert.equal(verified.code, 0, verified.out);
  assert.match(verified.out, /The books are in order/);
  const empty = await newArchiveDirectory();
  const missing = await runScript('ledger-verify', '--archive', empty);
  assert.equal(missing.code, 1, missing.out);
  assert.match(missing.out, /FAULT archive_missing \(5\)/);
  const nowhere = await runScript('ledger-verify', '--archive', join(empty, 'nowhere'));
  assert.equal(nowhere.code, 2, nowhere.out);
  assert.match(nowhere.out, /there is no directory \/.*nowhere$/m);
  assert.match((await runScript('ledger-verify', '--archive')).out, /--archive needs the name of a directory/);

  const withoutDirectory = await runScript('ledger-archive');
  assert.deepEqual([withoutDirectory.code, /--to needs/.test(withoutDirectory.out)], [2, true]);
  // By the real clock, all months of the test are old; but the keys of the last quarter are not pruned.
  const refused = await runScript('ledger-archive', '--to', empty);
  assert.equal(refused.code, 2, refused.out);
  assert.match(
    refused.out,
    /cannot be archived: expired idempotency keys are not deleted yet: a running gateway deletes them/,
  );
  assert.match(refused.out, /ledger-0006-[0-9a-f]{12}.jsonl.zst: \d+ movements before 2024-07-01/);
  const [sixth = '', ...others] = await filesIn(empty);
  assert.deepEqual(others, []);
  await copyFile(join(empty, sixth), join(directory, sixth));
  await assertInOrder(kissi, directory);
});
