// Tests that changed closes are detected: with the public key alone (close:verify), and in the books (ledger:verify).

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { jwkOf, publicBytes, signatureOf, signingKey } from '@kissi/signatures/documents';
import pg from 'pg';
import { verifyBooks } from '../../../src/app/verification.ts';
import { verifyAuditAt } from '../../../src/audit/verification.ts';
import { canonicalJson } from '../../../src/kernel/canonical-json.ts';
import { reportOf } from '../../../src/ledger/verification/verify.ts';
import { CSV, csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { closableFrom, close, dayOf, getClose } from '../../support/closes.ts';
import { assertStatus, type Json, SECRETS } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import { staffToken } from '../../support/staff.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/close-verify.ts', import.meta.url));
const { kissi, bank } = await bankForFile();
const folder = await mkdtemp(join(tmpdir(), 'kissi-closes-'));
const path = (name: string) => join(folder, name);

/** Three closes: two days, and a correction of the first. */
const wallet = await bank.wallet(500_000);
const rokel = await partnerBank(kissi);
await rokel.cashIn({ phone_number: wallet.phone, amount: 1_200 });
const firstDay = dayOf(kissi.clock.now());
await save('1', await closeDay(firstDay));
await bank.fund(wallet, 300);
const secondDay = dayOf(kissi.clock.now());
await save('2', await closeDay(secondDay));
await uploadTrust(400_000);
const first = await getClose(kissi, firstDay);
const correction = await close(kissi, { date: firstDay, corrects: first.id, reason: 'The statement arrived.' });
assert.equal(correction.status, 201, correction.text);
await save('3', correction.json.close);
await writeFile(path('kissi-keys.json'), (await kissi.call('GET', '/.well-known/kissi-keys.json')).text);
for (const [name, id] of [
  ['1', first.id],
  ['3', correction.json.close.id],
] as const) {
  await writeFile(path(`${name}.pdf`), await pdfOf(id));
}

async function closeDay(date: string): Promise<Json> {
  kissi.clock.advance(closableFrom(date) - kissi.clock.now());
  return assertStatus(await close(kissi, { date }), 201).json.close;
}

async function save(name: string, content: Json): Promise<void> {
  await writeFile(path(`${name}.json`), JSON.stringify({ close: content }));
}

async function pdfOf(dateOrId: string): Promise<Buffer> {
  const token = await staffToken(kissi, 'audit_user');
  const reply = await fetch(`${kissi.url}/api/v1/admin/closes/${dateOrId}.pdf`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'application/pdf']);
  return Buffer.from(await reply.arrayBuffer());
}

async function uploadTrust(closing: number): Promise<void> {
  const token = await staffToken(kissi, 'finance_user');
  const account = await newTrustAccount(kissi, token);
  const file = csvFile({ from: firstDay, entries: [{ amount: closing, reference: 'opening' }] });
  assertStatus(await uploadStatement(kissi, token, account.id, [CSV, file]), 201);
}

/** Runs the command as an outsider does: without a database, secrets or configuration. */
function verifyFiles(...args: string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [SCRIPT, ...args],
      { env: { PATH: process.env.PATH ?? '' }, cwd: tmpdir() },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    );
  });
}

/** A copy of a saved close with another document, signed again with the key, or with the old signature. */
async function forged(name: string, change: (content: Json) => void, key?: string): Promise<string> {
  const { close: saved } = JSON.parse(await readFile(path(`${name}.json`), 'utf8'));
  const content = JSON.parse(saved.document);
  change(content);
  const document = canonicalJson(content);
  const signing = key === undefined ? null : signingKey(key, 'KEY');
  const signed = signing ? { signature: signatureOf(Buffer.from(document), signing), key_id: signing.id } : {};
  await save('forged', { ...saved, document, ...signed });
  return path('forged.json');
}

describe('npm run close:verify', () => {
  test('accepts genuine files, JSON and PDF, and says what it checked', async () => {
    for (const name of ['1.json', '2.json', '3.json', '1.pdf', '3.pdf']) {
      const { code, out } = await verifyFiles(path(name));
      assert.equal(code, 0, out);
      assert.match(out, /ok {4}The document was signed with the key [0-9a-f]{16} and has not changed since\./);
      assert.match(out, /e-money 5,012\.00 SLE|e-money 5,015\.00 SLE/);
    }
    const chain = await verifyFiles(path('3.json'), path('1.pdf'), path('2.json'));
    assert.equal(chain.code, 0, chain.out);
    assert.match(chain.out, /ok {4}2\.json names the hash of 1\.pdf as its previous close\./);
    assert.match(chain.out, /cover ratio 0\.7980/);
    const byUrl = await verifyFiles(path('1.json'), '--keys', `${kissi.url}/.well-known/kissi-keys.json`);
    assert.equal(byUrl.code, 0, byUrl.out);
  });

  test('finds a changed figure', async () => {
    const file = await forged('1', (content) => {
      content.e_money.total -= 1;
    });
    const { code, out } = await verifyFiles(file);
    assert.equal(code, 1, out);
    assert.match(out, /FAULT The document was changed, or another key signed it/);
    assert.match(out, /FAULT The figures are inconsistent: e_money does not add up\./);
  });

  test("finds another key's signature, also under the name of the published one", async () => {
    const file = await forged('1', (content) => Object.assign(content, { operator: 'Forger' }), 'cd'.repeat(32));
    const unknown = await verifyFiles(file);
    assert.equal(unknown.code, 1, unknown.out);
    assert.match(unknown.out, /which is not among the public keys/);
    const [mine, theirs] = [signingKey('cd'.repeat(32), 'KEY'), signingKey(SECRETS.CLOSE_SIGNING_KEY, 'KEY')];
    await writeFile(path('wrong-keys.json'), JSON.stringify({ keys: [jwkOf(theirs.id, publicBytes(mine))] }));
    const renamed = await verifyFiles(path('1.json'), '--keys', path('wrong-keys.json'));
    assert.equal(renamed.code, 1, renamed.out);
  });

  test('finds a broken chain, and two closes with one number', async () => {
    const file = await forged(
      '2',
      (content) => Object.assign(content, { previous_sha256: '0'.repeat(64) }),
      SECRETS.CLOSE_SIGNING_KEY,
    );
    const broken = await verifyFiles(path('1.json'), file);
    assert.equal(broken.code, 1, broken.out);
    assert.match(broken.out, /FAULT The chain is broken: forged\.json does not name the hash of 1\.json/);
    const twice = await verifyFiles(path('2.json'), file);
    assert.match(
      twice.out,
      /FAULT forged\.json and 2\.json are different closes with the number 2\.|FAULT 2\.json and forged\.json/,
    );
    const gap = await verifyFiles(path('1.json'), path('3.json'));
    assert.equal(gap.code, 0, gap.out);
    assert.match(gap.out, /nothing is proven there/);
  });

  test('finds any changed, added or removed byte of a PDF', async () => {
    const pdf = await readFile(path('3.pdf'));
    const positions = Array.from({ length: 24 }, (_, index) => Math.floor(((index + 0.5) * pdf.length) / 24));
    for (const at of positions) {
      const changed = Buffer.from(pdf);
      changed[at] = (changed[at] as number) ^ 1;
      await writeFile(path('changed.pdf'), changed);
      const { code, out } = await verifyFiles(path('changed.pdf'));
      assert.equal(code, 1, `byte ${at}: ${out}`);
    }
    for (const bytes of [
      Buffer.concat([pdf, Buffer.from(' ')]),
      pdf.subarray(0, -1),
      pdf.subarray(0, -200),
      pdf.subarray(1),
    ]) {
      await writeFile(path('changed.pdf'), bytes);
      assert.equal((await verifyFiles(path('changed.pdf'))).code, 1);
    }
  });

  test('does not run without files or keys, and refuses other files', async () => {
    assert.equal((await verifyFiles()).code, 2);
    assert.equal((await verifyFiles(path('none.json'))).code, 2);
    assert.equal((await verifyFiles(path('1.json'), '--key')).code, 2);
    await writeFile(path('other.json'), '{"close":{"document":7}}');
    const other = await verifyFiles(path('other.json'));
    assert.deepEqual([other.code, /is not a close/.test(other.out)], [1, true]);
  });
});

describe('the certificate', () => {
  test('is a PDF with the same bytes each time, and the signed document attached', async () => {
    const again = await pdfOf(first.id);
    assert.ok(again.equals(await readFile(path('1.pdf'))));
    assert.ok(again.subarray(0, 5).toString() === '%PDF-' && again.subarray(-1_024).includes('%%EOF'));
  });
});

/** What the database's owner changes, and a rule of ledger:verify that reports it. */
const TAMPERINGS: [what: string, sql: string, rule: string][] = [
  [
    'a figure',
    `update closes set document = replace(document, '"number":1', '"number":7') where number = 1`,
    'close_signature_wrong',
  ],
  ['a hash', `update closes set sha256 = repeat('0', 64) where number = 2`, 'close_signature_wrong'],
  [
    'a signature',
    `update closes set signature = (select signature from closes where number = 1) where number = 2`,
    'close_signature_wrong',
  ],
  [
    'the key of closes',
    `update close_keys set public_key = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'`,
    'close_signature_wrong',
  ],
  ['a day', `update closes set date = date + 9 where number = 2`, 'close_chain_broken'],
  ['a removed close', `delete from closes where number = 2`, 'close_chain_broken'],
  [
    'a movement that appears in a closed day',
    `update movements set at = '${firstDay}T00:00:00Z' where amount = 300`,
    'close_differs',
  ],
  [
    'an amount of a closed day',
    `update postings set amount = amount * 2 where movement_id in (select id from movements where amount = 1200)`,
    'close_differs',
  ],
  ['a seal that a close names', `update seals set mac = decode(repeat('00', 32), 'hex')`, 'close_reference_missing'],
  [
    'the statement that a close names',
    `update bank_statements set closing_balance = closing_balance + 1`,
    'close_reference_missing',
  ],
];

describe('ledger:verify', () => {
  test('finds nothing in untouched closes', async () => {
    const verification = await verifyBooks(kissi.db.url, SECRETS.MASTER_KEY);
    assert.ok(verification.clean, reportOf(verification));
  });

  for (const [what, sql, rule] of TAMPERINGS) {
    test(`finds ${what}`, async () => {
      await whileTampered(sql, async () => {
        const { broken } = await verifyBooks(kissi.db.url, SECRETS.MASTER_KEY);
        assert.ok(broken.has(rule), `${[...broken.keys()]}`);
      });
    });
  }

  test('finds the removal of the last close, and a close that the service did not make, by the audit log', async () => {
    for (const sql of [
      'delete from closes where number = 3',
      `insert into closes select 'close_x', 4, date + 9, document, repeat('1', 64), sha256, null, signature, key_id, created_by,
        created_at from closes where number = 3`,
    ]) {
      await whileTampered(sql, async () => {
        const { clean } = await verifyAuditAt(kissi.db.url, { masterKey: SECRETS.MASTER_KEY });
        assert.equal(clean, false, sql);
      });
    }
  });
});

describe("a close's certificate", () => {
  const forgery = (key: string | null) => {
    const document = canonicalJson({ ...JSON.parse(first.document), fees: 1 });
    const signer = key === null ? null : signingKey(key, 'KEY');
    if (!signer) return `update closes set document = '${document}' where number = 1`;
    const [signature, x] = [signatureOf(Buffer.from(document), signer), publicBytes(signer)];
    return `insert into close_keys values ('${signer.id}', '${x}', now());
      update closes set document = '${document}', signature = '${signature}'`;
  };
  const other = 'cd'.repeat(32);

  for (const [what, sql] of [
    ['whose figures were changed', forgery(null)],
    ['that another key signed under the name of the current one', `${forgery(other)} where number = 1`],
    ['whose key does not exist', `update closes set key_id = '0123456789abcdef' where number = 1`],
    [
      'whose key was replaced by a different one of the same name',
      `${forgery(other)}, key_id = '0123456789abcdef' where number = 1;
        update close_keys set id = '0123456789abcdef' where id = '${signingKey(other, 'KEY').id}'`,
    ],
  ] as const) {
    test(`is not signed for one ${what}`, async () => {
      await whileTampered(sql, async () => {
        const token = await staffToken(kissi, 'audit_user');
        assertStatus(await kissi.call('GET', `/api/v1/admin/closes/${first.id}.pdf`, { token }), 500);
        assert.match(kissi.logs(), /was changed: its signature does not match/);
      });
    });
  }
});

const TABLES = ['close_keys', 'closes', 'movements', 'postings', 'seals', 'bank_statements'];

/** Changes the tables as their owner, and restores them. */
async function whileTampered(sql: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: kissi.db.url });
  await client.connect();
  try {
    const save = TABLES.map((table) => `create temporary table saved_${table} as table ${table}`).join('; ');
    await client.query(`set session_replication_role = replica; ${save}; ${sql}`);
    try {
      await work();
    } finally {
      const restore = TABLES.map((table) => `delete from ${table}; insert into ${table} table saved_${table}`).join(
        '; ',
      );
      await client.query(`begin; ${restore}; commit`);
    }
  } finally {
    await client.end();
  }
}
