// Statements with 100,000 entries: bounded memory, and payments go on while they are uploaded.
import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  CAMT,
  CSV,
  camtBalance,
  camtDocument,
  camtEntry,
  decimal,
  MT940,
  newTrustAccount,
} from '../support/bank-files.ts';
import { bankForFile, PIN } from '../support/money.ts';
import { assertStatus, staffToken } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();
const token = await staffToken(kissi, 'finance_user');
const ENTRIES = 100_000;
const DAY = '2026-02-23';
const MEBIBYTE = 1024 * 1024;
/** Measured: 160 MiB for camt.053, less for the other formats. */
const MAX_GROWTH_BYTES = 400 * MEBIBYTE;

setFlagsFromString('--expose_gc');
const collectGarbage: () => void = runInNewContext('gc');

const amountOf = (n: number) => (n % 3 === 0 ? -1 : 1) * (1 + ((n * 7_919) % 1_000_000));
const CLOSING = Array.from({ length: ENTRIES }, (_, n) => amountOf(n)).reduce((sum, amount) => sum + amount, 0);
const texts = (n: number) => ({
  reference: `REF-${n}`,
  description: `Cash deposit at the branch in Kissy, agent ${n}`,
});

/** Generated while it is sent: the file itself is never in memory. */
const FILES: Record<string, () => Generator<string>> = {
  *[CAMT]() {
    const [head = '', tail = ''] = camtDocument('<Stmt>|</Stmt>').split('|');
    yield `${head}<Acct><Id><Othr><Id>0030012345678</Id></Othr></Id></Acct>`;
    yield camtBalance('OPBD', 0, DAY) + camtBalance('CLBD', CLOSING, DAY);
    for (let n = 0; n < ENTRIES; n++) {
      yield `${camtEntry({ amount: amountOf(n), ...texts(n) }, { bankReference: `FT${n}` })}\n`;
    }
    yield tail;
  },
  *[MT940]() {
    yield ':20:STMT\n:25:0030012345678\n:28C:1/1\n:60F:C260223SLE0,00\n';
    for (let n = 0; n < ENTRIES; n++) {
      const [amount, { reference, description }] = [amountOf(n), texts(n)];
      const side = amount < 0 ? 'D' : 'C';
      yield `:61:2602230223${side}${decimal(Math.abs(amount), ',')}NTRF${reference}//FT${n}\n:86:${description}\n`;
    }
    yield `:62F:C260223SLE${decimal(CLOSING, ',')}\n-\n`;
  },
  *[CSV]() {
    yield 'date,amount,reference,description,balance\n';
    let balance = 0;
    for (let n = 0; n < ENTRIES; n++) {
      balance += amountOf(n);
      yield `${DAY},${decimal(amountOf(n))},${texts(n).reference},"${texts(n).description}",${decimal(balance)}\n`;
    }
  },
};

async function upload(id: string, type: string, chunks: Iterable<string>): Promise<IncomingMessage> {
  const path = `${kissi.url}/api/v1/admin/trust-accounts/${id}/statements`;
  const sending = request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
  });
  const received = new Promise<IncomingMessage>((resolve, reject) =>
    sending.once('response', resolve).once('error', reject),
  );
  await pipeline(Readable.from(chunks, { objectMode: false }), sending);
  return received;
}

for (const [type, file] of Object.entries(FILES)) {
  test(`${type}: 100,000 entries take bounded memory, and payments still complete`, async () => {
    const { id } = await newTrustAccount(kissi, token);
    const [sender, recipient] = [await bank.wallet(1_000_000), await bank.wallet()];
    collectGarbage();
    const before = process.memoryUsage.rss();
    let [peak, isDone, payments] = [before, false, 0];
    const started = performance.now();
    const uploading = upload(id, type, file()).finally(() => {
      isDone = true;
    });
    const payment = { sender_id: sender.id, recipient_id: recipient.id, amount: 1, pin: PIN };
    let slowest = 0;
    while (!isDone) {
      const paying = performance.now();
      assertStatus(await bank.post('/wallet/transfer', payment), 200);
      if (!isDone) payments += 1;
      slowest = Math.max(slowest, performance.now() - paying);
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    const response = await uploading;
    const { statement } = JSON.parse((await response.toArray()).join(''));
    assert.equal(response.statusCode, 201);
    assert.deepEqual([statement.entry_count, statement.closing_balance], [ENTRIES, CLOSING]);
    const { rows } = await kissi.db.query(
      'select count(*)::int as count, sum(amount)::bigint as sum from bank_entries where statement_id = $1',
      [statement.id],
    );
    assert.deepEqual([rows[0].count, Number(rows[0].sum)], [ENTRIES, CLOSING]);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const grown = Math.round((peak - before) / MEBIBYTE);
    process.stdout.write(
      `${type}: ${seconds} s, ${grown} MiB more, ${payments} payments, the slowest in ${Math.round(slowest)} ms\n`,
    );
    assert.ok(payments >= 10, `only ${payments} payments completed during the upload`);
    assert.ok(peak - before < MAX_GROWTH_BYTES, `the memory grew by ${grown} MiB`);
  });
}
