// Anchors written by npm run ledger:anchor, and the heads of the ledger's chains in the audit log.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { anchorKey, chainHeads, verifyAnchors } from '../../src/audit/anchors.ts';
import { createHeadRecorder, missingSeals } from '../../src/audit/ledger-heads.ts';
import { asOwner } from '../ledger/books.ts';
import { testGateway } from '../support/gateway.ts';
import { bankForFile, createBank } from '../support/money.ts';
import { SECRETS } from '../support/secrets.ts';

const { kissi, bank } = await bankForFile();
const [ANCHOR, VERIFY] = ['ledger-anchor', 'ledger-verify'].map((name) =>
  fileURLToPath(new URL(`../../scripts/${name}.ts`, import.meta.url)),
) as [string, string];

const { publicKey } = anchorKey({ masterKey: SECRETS.MASTER_KEY });
let folder: string;
const posted: string[] = [];
const server = createServer((request, response) => {
  if (request.url === '/moved') response.writeHead(307, { location: '/anchors' }).end();
  else void text(request).then((body) => response.end(String(posted.push(body))));
});

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kissi-anchors-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await bank.wallet(1_000);
});
after(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const receiver = (path = '/anchors') => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

function runScript(script: string, ...args: string[]): Promise<{ code: number; out: string }> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: kissi.db.url, ...SECRETS };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    );
  });
}

async function anchorTo(target: string): Promise<void> {
  const { code, out } = await runScript(ANCHOR, '--out', target);
  assert.equal(code, 0, out);
}

describe('ledger:anchor', () => {
  test('anchors sent to a URL verify when they are collected in a file', async () => {
    for (let sent = 0; sent < 2; sent += 1) await anchorTo(receiver());
    assert.equal(posted.length, 2);
    assert.deepEqual(
      posted.map((line) => [JSON.parse(line).linked, JSON.parse(line).previous]),
      [
        [false, null],
        [false, null],
      ],
    );
    const file = join(folder, 'collected.jsonl');
    await writeFile(file, posted.map((line) => `${line}\n`).join(''));
    const { code, out } = await runScript(VERIFY, '--anchor', file);
    assert.equal(code, 0, out);
    assert.match(out, /The chains match 2 anchors\./);
  });

  test('anchors written to a file are linked, and cannot be marked as not linked', async () => {
    const file = join(folder, 'anchors.jsonl');
    for (let written = 0; written < 3; written += 1) await anchorTo(file);
    const [first = '', second = '', third = ''] = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const check = (lines: string[]) => verifyAnchors(kissi.db.database.queries, lines, publicKey);
    assert.deepEqual(await check([first, second, third]), []);
    assert.deepEqual(await check([first, third]), ['anchor 2: the line before it was changed or removed']);
    const marked = JSON.stringify({ ...JSON.parse(third), linked: false });
    assert.deepEqual(await check([first, marked]), ['anchor 2: the signature is wrong']);
    const [sent = ''] = posted;
    assert.deepEqual(await check([first, sent, third]), ['anchor 3: the line before it was changed or removed']);
  });

  test('requires https except on loopback addresses, and follows no redirect', async () => {
    const before = posted.length;
    for (const url of [
      'http://anchors.example/',
      'http://127.0.0.1.example/',
      'ftp://127.0.0.1/',
      'HTTP://10.0.0.1/',
    ]) {
      const { code, out } = await runScript(ANCHOR, '--out', url);
      assert.equal(code, 1, out);
      assert.match(out, /the URL must start with https:\/\//);
    }
    assert.equal((await runScript(ANCHOR, '--out', receiver('/moved'))).code, 1);
    assert.equal(posted.length, before);
  });

  test('ledger:verify refuses --anchor and --anchor-key without a file', async () => {
    for (const args of [['--anchor'], ['--anchor', 'a.jsonl', '--anchor-key'], ['--anchor', '--anchor-key', 'a.pub']]) {
      const { code, out } = await runScript(VERIFY, ...args);
      assert.equal(code, 2, out);
      assert.match(out, /--anchor(-key)? needs a file's name/);
    }
  });
});

describe('the heads of the ledger in the audit log', () => {
  const { queries } = kissi.db.database;
  const recorder = () => createHeadRecorder({ database: kissi.db.database, audit: kissi.gateway.services.audit });

  /** The batches that each entry names, oldest entry first. */
  async function recorded(): Promise<string[][]> {
    await kissi.gateway.services.audit.seal();
    const entries = queries.selectFrom('audit_log').select('details').where('action', '=', 'ledger.heads');
    const details = (await entries.orderBy('seq').execute()) as unknown as {
      details: { seals: { batch: string }[] };
    }[];
    return details.map((entry) => entry.details.seals.map(({ batch }) => batch));
  }

  const heads = async () => (await chainHeads(queries)).seals.map(({ batch }) => batch);

  test('only heads that changed are recorded, by any of several gateways', async () => {
    const second = await testGateway({ db: kissi.db });
    try {
      await (await createBank(second)).wallet(1_000);
    } finally {
      await second.close();
    }
    const [one, other] = [recorder(), recorder()];
    await one();
    const initial = await heads();
    assert.equal(initial.length, 2, 'one chain per gateway');
    assert.deepEqual(await recorded(), [initial]);
    for (const recordHeads of [other, one, recorder()]) await recordHeads();
    assert.deepEqual(await recorded(), [initial], 'nothing changed');
    await bank.wallet(1_000);
    const changed = (await heads()).filter((batch) => !initial.includes(batch));
    assert.equal(changed.length, 1);
    for (const recordHeads of [other, one, recorder()]) await recordHeads();
    assert.deepEqual(await recorded(), [initial, changed]);
  });

  test('verification checks the heads of all entries', async () => {
    assert.deepEqual(await missingSeals(queries), []);
    for (const [oldest] of await recorded()) {
      await asOwner(kissi.db.url, async (client) => {
        await client.query(`create temporary table removed as select * from seals where batch = ${oldest}`);
        await client.query(`delete from seals where batch = ${oldest}`);
        assert.deepEqual(await missingSeals(queries), [oldest]);
        await client.query(`insert into seals select batch, format, at, requests_digest, '\\x00' from removed`);
        assert.deepEqual(await missingSeals(queries), [oldest], 'another MAC');
        await client.query(
          `delete from seals where batch = ${oldest}; insert into seals table removed; drop table removed`,
        );
      });
    }
    assert.deepEqual(await missingSeals(queries), []);
  });
});
