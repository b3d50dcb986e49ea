// Files of bulk payments that are wrong: the reply names line and column, and nothing is stored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bulkRows, CSV, checkedBulk, csvOf, HEADER, storedRows, uploadBulk } from '../../support/bulk-payments.ts';
import { assertStatus } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { merchantToken, newMerchant } from '../../support/processors.ts';
import { assertRefused } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const payer = await newMerchant(kissi);
const shop = await merchantToken(kissi, payer);
const nurse = await bank.wallet();
const GOOD = `r0,${nurse.phone},,5,`;

const encoded = (text: string, encoding: BufferEncoding): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, encoding));

async function assertFault(file: string | Uint8Array<ArrayBuffer>, sentence: RegExp, type = CSV): Promise<void> {
  const before = await storedRows(kissi);
  const reply = assertRefused(await uploadBulk(kissi, shop, {}, file, type), 400, 'INVALID_REQUEST', String(sentence));
  assert.match(reply.json.error, sentence);
  assert.match(reply.json.error, /Nothing was stored\.$/);
  assert.equal(await storedRows(kissi), before);
}

const HEADERS: [header: string, sentence: RegExp][] = [
  ['', /The file has no rows/],
  ['reference;phone_number;amount', /Line 1: separate the columns by commas, not by ";"/],
  ['reference\tphone_number\tamount', /Line 1: separate the columns by commas/],
  ['reference,phone_number', /Line 1: the header has no column amount/],
  ['phone_number,amount', /Line 1: the header has no column reference/],
  ['reference,amount', /neither phone_number nor account_number/],
  ['reference,phone_number,amount,salary', /Line 1, column "salary": there is no such column/],
  ['reference,phone_number,amount,amount', /Line 1, column amount: the header names it twice/],
];
for (const [header, sentence] of HEADERS) {
  test(`the header "${header}" is refused`, () => assertFault(`${header}\n`, sentence));
}

const ROWS: [row: string, sentence: RegExp][] = [
  ['r1,076000001,,5', /Line 3, column description: it has 4 fields instead of 5/],
  ['r1,076000001,,5,,x', /Line 3, column description: it has 6 fields instead of 5/],
  ['r1;076000001;;5;', /Line 3, column phone_number: it has 1 field instead of 5. Separate all columns by commas/],
  ['r1,076000001,,,', /Line 3, column amount: "" is not an amount/],
  ['r1,076000001,,0.00,', /Line 3, column amount: it must be more than zero/],
  ['r1,076000001,,-5,', /Line 3, column amount: "-5" is not an amount/],
  ['r1,076000001,,5.001,', /Line 3, column amount: "5.001" is not an amount/],
  ['r1,076000001,,1e3,', /Line 3, column amount/],
  ['r1,076000001,,"1,000.00",', /Line 3, column amount: "1,000.00" is not an amount/],
  ['r1,076000001,,99999999999999999999,', /Line 3, column amount/],
  ['r1,076000001,,10000000.01,', /Line 3, column amount: "10000000.01" is more than any wallet holds/],
  ['r1,076000001,=cmd(),5,', /Line 3, column name: "=cmd\(\)" begins like a formula/],
  ['r1,076000001,,5,+1+1', /Line 3, column description: .* formula/],
  ['@r1,076000001,,5,', /Line 3, column reference: .* formula/],
  ['r1,-76000001,,5,', /Line 3, column phone_number: .* formula/],
  ['r1,+cmd,,5,', /Line 3, column phone_number: .* formula/],
  [',076000001,,5,', /Line 3, column reference: it is empty/],
  ['r1,,,5,', /Line 3, column phone_number: exactly one of phone_number and account_number is needed/],
  [`${'x'.repeat(101)},076000001,,5,`, /Line 3, column reference: it is longer than 100 characters/],
  [`r1,076000001,,5,"two\nlines"`, /Line 4, column description: .* is not one line/],
  ['r1,076000001,a"b,5,', /Line 3, column name: the quotes are not valid CSV/],
  ['r1,076000001,"a"b,5,', /Line 3.*: the quotes are not valid CSV/],
  [`r1,076000001,"${'x'.repeat(5_000)},5,`, /longer than 4000 characters, or a quote is not closed/],
];
for (const [row, sentence] of ROWS) {
  test(`the row ${row.slice(0, 40)} is refused`, () => assertFault(`${HEADER}\n${GOOD}\n${row}\n`, sentence));
}

test('only UTF-8 is read, with or without a byte order mark', async () => {
  const text = `${HEADER}\n${GOOD}\nr1,${nurse.phone},Aïssata,5,\n`;
  await assertFault(encoded(text, 'latin1'), /Line 3 is not UTF-8/);
  await assertFault(encoded(`\ufeff${text}`, 'utf16le'), /UTF-16/);
  await assertFault(encoded(text, 'utf16le'), /Line 1 contains the character U\+0000/);
  const marked = csvOf([{ phone: nurse.phone, name: 'Aminata Kamarà' }]);
  assert.equal((await checkedBulk(kissi, shop, `\ufeff${marked}`)).valid_count, 1);
});

test('a faulty row after many good ones leaves none of them', async () => {
  const good = csvOf(Array.from({ length: 2_500 }, () => ({ phone: nurse.phone })));
  await assertFault(`${good}bad,${nurse.phone},,-1,\n`, /Line 2502, column amount/);
});

test('a file of more than 100,000 rows is refused where it exceeds them', async () => {
  const line = `r,${nurse.phone},,5,\n`;
  await assertFault(`${HEADER}\n${line.repeat(100_001)}`, /Line 100002: a file has at most 100,000 rows/);
});

test('a file of more than 64 MiB is 413, whether it says so or not', async () => {
  const before = await storedRows(kissi);
  const reply = await uploadBulk(kissi, shop, {}, new Uint8Array(64 * 1024 * 1024 + 1));
  assertRefused(reply, 413, 'PAYLOAD_TOO_LARGE');
  assert.equal(await storedRows(kissi), before);
});

// With a parser that keeps what it skips, these would take hours or all memory.
const LONG = 8 * 1024 * 1024;
for (const [what, line] of [
  ['commas', ','.repeat(LONG)],
  ['spaces', ' '.repeat(LONG)],
] as const) {
  test(`a line of ${what} without an end is refused before it is read to its end`, async () => {
    await assertFault(`${HEADER}\n${GOOD}\n${line}\n`, /Line 3: the line is longer than 4000 characters/);
    await assertFault(line, /Line 1: the line is longer than 4000 characters/);
  });
}

test('JSON with much white space before its name is read once', async () => {
  const rows = '"rows":[{"reference":"spaced","phone_number":"076000001","amount":0}]}';
  await assertFault(`{${' '.repeat(LONG)}${rows}`, /Row 1, column amount/, 'application/json');
});

test('CSV has any order of columns, quotes, CRLF, blank lines, and accounts beside numbers', async () => {
  const account = (await kissi.asAdmin.get(`/subscribers/${nurse.id}`)).json.subscriber.account_number;
  const lines = [
    'Amount,account_number,Reference,phone_number,Name',
    `"5.5",,"a ""quoted"" one",${nurse.phone},"Kamara, Aminata"`,
    '',
    `7,${account},b,,`,
  ];
  const { id } = await checkedBulk(kissi, shop, lines.join('\r\n'));
  const rows = await bulkRows(kissi, shop, id);
  assert.deepEqual(
    rows.map((row) => [
      row.line,
      row.status,
      row.reference,
      row.phone_number,
      row.account_number,
      row.amount,
      row.name_match,
    ]),
    [
      [2, 'valid', 'a "quoted" one', nurse.phone, null, 550, 'match'],
      [4, 'valid', 'b', null, account, 700, null],
    ],
  );
});

test('JSON rows have the same fields; their lines are their numbers', async () => {
  const rows = [
    { reference: 'j1', phone_number: nurse.phone, amount: '12.50', name: null },
    { reference: 'j2', phone_number: nurse.phone, amount: 3.5, description: 'A {brace} and a \\"quote"' },
  ];
  const file = JSON.stringify({ rows }, null, 2);
  const reply = assertStatus(await uploadBulk(kissi, shop, {}, file, 'application/json'), 202);
  assert.equal(reply.json.bulk_payment.file_format, 'json');
  const stored = await bulkRows(kissi, shop, reply.json.bulk_payment.id);
  assert.deepEqual(
    stored.map((row) => [row.line, row.reference, row.amount, row.description]),
    [
      [1, 'j1', 1_250, null],
      [2, 'j2', 350, 'A {brace} and a \\"quote"'],
    ],
  );
});

const row = (extra: object) => ({ rows: [{ reference: 'x', phone_number: '076000001', amount: '5', ...extra }] });
const JSON_FILES: [file: string, sentence: RegExp][] = [
  ['[]', /"\[" is not expected/],
  ['{"rows":{}}', /is not expected/],
  ['{"rows":[]}', /The file has no rows/],
  ['{"data":[]}', /Only "rows" is known/],
  ['{"rows":[1]}', /is not expected/],
  ['{"rows":[{"reference":"x"', /ends too early/],
  ['{"rows":[{"reference":x}]}', /Row 1 is not valid JSON/],
  [`${JSON.stringify(row({}))}{}`, /is not expected/],
  [JSON.stringify(row({ salary: '5' })), /Row 1, column "salary": there is no such column/],
  [JSON.stringify(row({ amount: 5.001 })), /Row 1, column amount/],
  ['{"rows":[{"reference":"x","phone_number":"076000001","amount":1e3}]}', /Row 1, column amount: "1e3"/],
  [JSON.stringify(row({ reference: 7 })), /Row 1, column reference: it must be text/],
  [JSON.stringify(row({ name: 'a\u0000b' })), /Row 1, column name/],
  ['{"rows":[{"reference":"\\ud800","phone_number":"076000001","amount":5}]}', /Row 1, column reference/],
];
for (const [file, sentence] of JSON_FILES) {
  test(`the JSON ${file.slice(0, 60)} is refused`, () => assertFault(file, sentence, 'application/json'));
}

test('another type of file is refused', async () => {
  assertRefused(await uploadBulk(kissi, shop, {}, 'x', 'application/xml'), 415, 'UNSUPPORTED_MEDIA_TYPE');
});

test('no refused upload is left over', async () => {
  const { rows } = await kissi.db.query("select count(*)::int as n from bulk_payments where status = 'uploading'");
  assert.equal(rows[0].n, 0);
});
