// Tests what people see: values, tables that fit the terminal, records, and text that must not control it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import stringWidth from 'string-width';
import { formatTime, formatValue } from './format.ts';
import { readableBytes } from './progress.ts';
import { renderRecord } from './record.ts';
import { renderTable } from './table.ts';
import { jsonText, printable } from './terminal.ts';

const options = { money: new Set(['amount']), timeZone: 'UTC' };
const ROWS = [
  {
    id: 'sub_01M7GTGDK0CBMMZAYAXZ4VDJCX',
    name: 'Ya-Marie Fornah',
    email: 'ya-marie@example.com',
    status: 'ACTIVE',
    amount: 125_050,
    created_at: '2026-11-16T00:01:00.000Z',
  },
  {
    id: 'sub_01M7GTGDK0CBMMZAYAXHAAWYRT',
    name: '陳大文',
    email: null,
    status: 'BLOCKED',
    amount: -5,
    created_at: '2026-11-16T00:01:00.000Z',
  },
];
const columns = ['id', 'name', 'email', 'status', 'amount', 'created_at'];

test('money has its currency, times their zone, and other values are plain', () => {
  assert.equal(formatValue('amount', 125_050, options), '1,250.50 SLE');
  assert.equal(formatValue('count', 125_050, options), '125050');
  assert.equal(formatTime('2026-11-16T00:01:00.000Z', 'UTC'), '2026-11-16 00:01:00 UTC');
  assert.equal(formatTime('2026-11-16T00:01:00.000Z', 'Africa/Freetown'), '2026-11-16 00:01:00 GMT');
  assert.deepEqual(
    [formatValue('x', true, options), formatValue('x', ['a', 'b'], options), formatValue('x', null, options)],
    ['yes', 'a, b', ''],
  );
  assert.deepEqual([512, 1536, 5_242_880].map(readableBytes), ['512 bytes', '1.5 kB', '5.0 MB']);
});

test('a wide table shows all columns, with numbers at the right', () => {
  const { text, omitted } = renderTable(ROWS, { ...options, columns, width: Number.POSITIVE_INFINITY });
  const [head = '', first = '', second = ''] = text.split('\n');
  assert.match(head, /^ID +NAME +EMAIL +STATUS +AMOUNT +CREATED AT$/);
  assert.match(first, / {2}1,250\.50 SLE {2}/);
  assert.match(second, / BLOCKED {5}-0\.05 SLE {2}/);
  assert.deepEqual(omitted, []);
});

test('in 80 columns ids stay complete, and the least important columns are left out and named', () => {
  const { text, omitted } = renderTable(ROWS, { ...options, columns, width: 80 });
  for (const line of text.split('\n')) assert.ok(stringWidth(line) <= 80, line);
  assert.ok(ROWS.every(({ id }) => text.includes(id)));
  assert.deepEqual(omitted, ['email', 'created_at']);
});

test('a record is a line per field; lists inside are tables, and the only object is the record itself', async () => {
  const record = {
    subscriber: {
      id: 'sub_1',
      amount: 700,
      none: null,
      limits: { daily: 5 },
      cards: [{ serial: 'A', status: 'active' }],
    },
  };
  const text = await renderRecord(record, { ...options, width: 80 });
  assert.equal(
    text,
    ['id      sub_1', 'amount  7.00 SLE', 'limits', '  daily  5', 'cards', '  SERIAL  STATUS', '  A       active'].join(
      '\n',
    ),
  );
});

test('text of several lines begins on its own line, so that a receipt keeps its columns', async () => {
  const text = await renderRecord({ receipt: '   Shop\nCard 0001', status: 'x' }, { ...options, width: 80 });
  assert.equal(text, 'receipt\n   Shop\nCard 0001\nstatus   x');
});

test("other people's text cannot send control sequences to the terminal", () => {
  assert.equal(printable('a\u001b[31mb\u0007\u202ec'), 'a\ufffd[31mb\ufffd\ufffdc');
  assert.equal(formatValue('name', 'x\u001b]0;title\u0007', options), 'x\ufffd]0;title\ufffd');
});

test("JSON keeps other people's control characters, escaped", () => {
  const value = { name: 'x\u001b[2J\u009b2J\u202e' };
  const text = jsonText(value);
  assert.match(text, /^[\x20-\x7e]+$/);
  assert.deepEqual(JSON.parse(text), value);
});
