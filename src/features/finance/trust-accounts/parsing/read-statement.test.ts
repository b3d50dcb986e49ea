// Reading bank statements: what each format means, and hostile files, which are refused with the place of the fault.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  ACCOUNT_NUMBER,
  CAMT,
  CSV,
  camtBalance,
  camtDocument,
  camtEntry,
  camtFile,
  camtStatement,
  csvFile,
  decimal,
  type FileContent,
  MT940,
  mt940File,
} from '../../../../../test/support/bank-files.ts';
import { parseDecimal } from '../../../../kernel/money.ts';
import { Refusal } from '../../../../kernel/refusal.ts';
import { parseSignedDecimal } from './amounts.ts';
import { type ReadStatement, readStatement } from './read-statement.ts';
import { MAX_SUM } from './statement-builder.ts';

const DAY = '2026-02-23';
const expected = { accountNumber: ACCOUNT_NUMBER, currency: 'SLE' };
const FILES: Record<string, (content: FileContent) => string> = {
  [CAMT]: camtFile,
  [MT940]: mt940File,
  [CSV]: csvFile,
};

async function read(type: string, content: string | Buffer): Promise<ReadStatement> {
  const statement = await readStatement([Buffer.from(content as string)], type, expected);
  if (statement instanceof Refusal) assert.fail(statement.message);
  return statement;
}

async function assertInvalid(type: string, content: string | Buffer, sentence: RegExp | string): Promise<void> {
  const refusal = await readStatement([Buffer.from(content as string)], type, expected);
  assert.ok(refusal instanceof Refusal, 'the file was accepted');
  assert.equal(refusal.code, 'STATEMENT_INVALID');
  if (typeof sentence === 'string') assert.equal(refusal.message, `${sentence} Nothing was stored.`);
  else assert.match(refusal.message, sentence);
}

const CONTENT: FileContent = {
  opening: 100_000,
  entries: [
    { amount: 5_050, reference: 'REF-1', description: 'Cash deposit, Bo' },
    { amount: -1, reference: 'REF-2', description: 'Charge' },
  ],
};

for (const [type, write] of Object.entries(FILES)) {
  describe(type, () => {
    test('reads balances, days and entries', async () => {
      const { file, entries, ...statement } = await read(type, write(CONTENT));
      const format = { [CAMT]: 'camt.053', [MT940]: 'mt940', [CSV]: 'csv' }[type];
      const balances = { openingBalance: 100_000, closingBalance: 105_049 };
      assert.deepEqual(statement, { format, from: DAY, to: DAY, ...balances });
      assert.equal(file.sha256.length, 32);
      assert.deepEqual(entries, [
        { bookedOn: DAY, amount: 5_050, reference: 'REF-1', counterparty: null, description: 'Cash deposit, Bo' },
        { bookedOn: DAY, amount: -1, reference: 'REF-2', counterparty: null, description: 'Charge' },
      ]);
    });

    test('reads the same statement however the file is split into chunks', async () => {
      const content = { ...CONTENT, entries: [...CONTENT.entries, { amount: 7, description: 'Frère 🏦 Kissy' }] };
      const bytes = Buffer.from(write(content));
      const whole = await read(type, bytes);
      assert.equal(whole.entries[2]?.description, 'Frère 🏦 Kissy');
      for (const size of [1, 2, 3, 7, 64]) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        assert.deepEqual(await readStatement(chunks, type, expected), whole);
      }
    });

    test('accepts CRLF and a byte order mark', async () => {
      const file = `\ufeff${write(CONTENT).replaceAll('\n', '\r\n')}`;
      assert.deepEqual((await read(type, file)).entries, (await read(type, write(CONTENT))).entries);
    });

    test('refuses UTF-16, Latin-1 and U+0000, and names the line', async () => {
      const text = write({ entries: [{ amount: 1, description: 'Frère' }] });
      await assertInvalid(type, Buffer.from(`\ufeff${text}`, 'utf16le'), 'The file is UTF-16. Export it as UTF-8.');
      await assertInvalid(type, Buffer.from(text, 'utf16le'), /^Line 1 contains the character U\+0000/);
      await assertInvalid(type, Buffer.from(text, 'latin1'), /^Line \d+ is not UTF-8/);
      await assertInvalid(type, text.replace('Frère', 'Fr\0re'), /^Line \d+ contains the character U\+0000/);
    });

    // The first entry of a CSV file defines the opening balance, so only the next statement shows that it was cut off.
    test('refuses every file that is cut off in the middle', async () => {
      const text = write(CONTENT).trimEnd();
      const lineEnds = [...text.matchAll(/\n/g)].map(({ index }) => index);
      const [start, end] = type === CSV ? [Number(lineEnds[1]) + 2, text.length] : [0, Number(lineEnds.at(-1))];
      for (let length = start; length < end; length += 1) {
        const refusal = await readStatement([Buffer.from(text.slice(0, length))], type, expected);
        assert.ok(refusal instanceof Refusal, `${length} characters were accepted: ${text.slice(0, length)}`);
      }
    });

    test('refuses amounts and balances that are not exact minor units below 2^53', async () => {
      const text = write({ entries: [{ amount: 123_45 }] });
      const amount = type === MT940 ? '123,45' : '123.45';
      const separator = type === MT940 ? ',' : '.';
      for (const wrong of [
        ...['1e5', '0x10', 'NaN', '١٢٣', '1 000', '--5', '+5', '', separator, `${separator}5`, '9'.repeat(400)],
        ...[
          `90071992547410${separator}00`,
          `99999999999999999999${separator}99`,
          `1${separator}234`,
          '5,000.00',
          '5.000,00',
        ],
      ]) {
        await assertInvalid(type, text.replaceAll(amount, wrong), /amount|balance|entry|fields|currency/);
      }
    });

    test('keeps the largest amounts exact', async () => {
      const largest = MAX_SUM;
      const { closingBalance, entries } = await read(type, write({ entries: [{ amount: largest }] }));
      assert.deepEqual([closingBalance, entries[0]?.amount], [largest, largest]);
      const over = { opening: largest, entries: [{ amount: 1 }], closing: largest };
      await assertInvalid(type, write(over), /too large|is not an amount|is not a balance/);
    });

    test('refuses entries that cancel out but whose sum a daily close could not state', async () => {
      const half = MAX_SUM / 2;
      const entries = [{ amount: half }, { amount: -half }];
      assert.equal((await read(type, write({ entries }))).entries.length, 2);
      await assertInvalid(
        type,
        write({ entries: [...entries, { amount: 1 }] }),
        /the sum of the amounts becomes too large/,
      );
      const most = Number.MAX_SAFE_INTEGER;
      await assertInvalid(type, write({ entries: [{ amount: most }, { amount: -most }] }), /too large/);
    });

    test('stores no entry for an amount of zero', async () => {
      const { entries } = await read(type, write({ opening: 5, entries: [{ amount: 0 }, { amount: 1 }] }));
      assert.deepEqual(
        entries.map(({ amount }) => amount),
        [1],
      );
    });

    test('cleans and cuts long texts, and keeps formulas as they are', async () => {
      const formula = '=HYPERLINK(1)';
      const content = {
        entries: [{ amount: 1, reference: 'R', description: `${formula}\u202e ${'x'.repeat(3_000)}` }],
      };
      const file = type === MT940 ? write(content).replace('x'.repeat(3_000), 'x'.repeat(1_500)) : write(content);
      const { entries } = await read(type, file);
      assert.equal(entries[0]?.description?.length, 500);
      assert.ok(entries[0]?.description?.startsWith('=HYPERLINK(1) x'));
    });

    test('random statements are read exactly', async () => {
      const amounts = fc.array(
        fc.integer({ min: -5_000_000, max: 5_000_000 }).filter((each) => each !== 0),
        {
          ...{ minLength: 1, maxLength: 30 },
        },
      );
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: -9e9, max: 9e9 }), amounts, async (opening, list) => {
          const { openingBalance, closingBalance, entries } = await read(
            type,
            write({ opening, entries: list.map((amount) => ({ amount })) }),
          );
          assert.equal(openingBalance, opening);
          assert.deepEqual(
            entries.map(({ amount }) => amount),
            list,
          );
          assert.equal(
            closingBalance,
            list.reduce((sum, amount) => sum + amount, opening),
          );
        }),
        { numRuns: 40 },
      );
    });
  });
}

for (const type of [CAMT, MT940]) {
  const write = type === CAMT ? camtFile : mt940File;
  describe(`${type}: account, currency and arithmetic`, () => {
    test('the account number is compared without separators', async () => {
      await read(type, write({ ...CONTENT, account: '003-001.2345 678' }));
      await read(type, write({ ...CONTENT, account: 'SCBKSLFR/003-0012345678' }));
    });

    test('another account number or currency is refused', async () => {
      await assertInvalid(
        type,
        write({ ...CONTENT, account: '0030012345679' }),
        /the account number is "0030012345679"/,
      );
      await assertInvalid(type, write({ ...CONTENT, currency: 'SLL' }), /the currency is "SLL", not SLE/);
    });

    test('a closing balance that is not the sum is refused with both figures', async () => {
      await assertInvalid(
        type,
        write({ ...CONTENT, closing: 105_050 }),
        /the closing balance is 1,050\.50 SLE, but the opening balance and the entries make 1,050\.49 SLE/,
      );
    });

    test("entries outside the statement's days are refused", async () => {
      const late = { entries: [{ amount: 1, day: '2026-02-24' }] };
      await assertInvalid(type, write(late), /booked on 2026-02-24, after the statement ends on 2026-02-23/);
      const early = { entries: [{ amount: 1, day: '2026-02-20' }] };
      await assertInvalid(type, write(early), /booked on 2026-02-20, before the statement begins/);
    });

    test('the day of the opening balance belongs to the statement if entries were booked on it', async () => {
      const days = async (day: string) => {
        const { from, to } = await read(type, write({ to: '2026-02-25', entries: [{ amount: 1, day }] }));
        return [from, to];
      };
      assert.deepEqual(await days('2026-02-24'), ['2026-02-24', '2026-02-25']);
      assert.deepEqual(await days(DAY), [DAY, '2026-02-25']);
    });

    test('a statement without entries is valid', async () => {
      const { entries, closingBalance } = await read(type, write({ opening: -500, entries: [] }));
      assert.deepEqual([entries, closingBalance], [[], -500]);
    });
  });
}

describe('camt.053', () => {
  const bomb = (doctype: string, text = '&lol;') =>
    camtFile(CONTENT).replace('<Document', `${doctype}\n<Document`).replace('Cash deposit, Bo', text);

  test('document types are refused: no entity is expanded, no file or URL is read', async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
    const refused = /^Line 2: a document type declaration is not accepted/;
    await assertInvalid(CAMT, bomb(`<!DOCTYPE x [<!ENTITY l0 "lol">${levels}]>`, '&l9;'), refused);
    await assertInvalid(CAMT, bomb('<!DOCTYPE x [<!ENTITY lol SYSTEM "file:///etc/passwd">]>'), refused);
    await assertInvalid(CAMT, bomb('<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">'), refused);
    await assertInvalid(CAMT, bomb(`<!DOCTYPE x [${'<!ENTITY a "b">'.repeat(20_000)}]>`), /Line 2: /);
    await assertInvalid(CAMT, bomb('', '&lol;'), /^Line \d+: the XML is not well-formed/);
  });

  test('deep nesting, huge names, huge attributes and huge texts are bounded', async () => {
    await assertInvalid(CAMT, bomb('', '<a>'.repeat(100_000)), /^Line \d+: elements are nested more than 32 deep/);
    await assertInvalid(CAMT, bomb('', `<${'a'.repeat(200_000)}/>`), /not well-formed/);
    await assertInvalid(CAMT, bomb('', `<a b="${'x'.repeat(200_000)}"/>`), /not well-formed/);
    const attributes = Array.from({ length: 100_000 }, (_, n) => `a${n}=""`).join(' ');
    await assertInvalid(CAMT, bomb('', `<a ${attributes}/>`), /^Line \d+: an element has more than 32 attributes/);
    await assertInvalid(CAMT, bomb('', `<!-- ${'x'.repeat(1_000_000)} -->`), /not well-formed/);
    const { entries } = await read(CAMT, bomb('', 'x'.repeat(1_000_000)));
    assert.equal(entries[0]?.description?.length, 500);
  });

  test('other documents and encodings are refused', async () => {
    const other = camtFile(CONTENT).replace('camt.053.001.08', 'camt.054.001.08');
    await assertInvalid(CAMT, other, /^Line 2: the document is not camt\.053/);
    await assertInvalid(CAMT, '<html/>', /^Line 1: the document is not camt\.053: its root is "html"/);
    await assertInvalid(CAMT, 'date,amount', /not well-formed/);
    const latin = camtFile(CONTENT).replace('UTF-8', 'ISO-8859-1');
    await assertInvalid(CAMT, latin, /^Line 1: the encoding "ISO-8859-1" is not accepted/);
  });

  test('namespace prefixes, CDATA, comments and character references are read', async () => {
    const prefixed = camtFile(CONTENT)
      .replaceAll(/<(\/?)([A-Z])/g, '<$1ns:$2')
      .replace('xmlns=', 'xmlns:ns=')
      .replace('Cash deposit, Bo', '<![CDATA[Cash <deposit>]]> &amp; <!-- x -->&#66;o');
    assert.equal((await read(CAMT, prefixed)).entries[0]?.description, 'Cash <deposit> & Bo');
  });

  test('a file about two accounts is refused; consecutive statements of one account are one statement', async () => {
    const first = camtStatement(CONTENT);
    const next = { opening: 105_049, from: '2026-02-24', entries: [{ amount: 1 }] };
    const { from, to, closingBalance, entries } = await read(CAMT, camtDocument(first, camtStatement(next)));
    assert.deepEqual([from, to, closingBalance, entries.length], [DAY, '2026-02-24', 105_050, 3]);
    const other = camtStatement({ ...next, account: '999' });
    await assertInvalid(
      CAMT,
      camtDocument(first, other),
      /^Statement 2: the account number is "999".* one file per account/,
    );
    const gap = camtStatement({ ...next, opening: 1 });
    await assertInvalid(
      CAMT,
      camtDocument(first, gap),
      /^Statement 2: the opening balance 0\.01 SLE is not the closing/,
    );
    const order = camtStatement({ ...next, from: '2026-02-20' });
    await assertInvalid(CAMT, camtDocument(first, order), /^Statement 2: it begins on 2026-02-20, before/);
  });

  const withEntry = (entry: string, amount: number, extra = '') =>
    camtDocument(camtStatement({ entries: [], closing: amount }, { entries: entry, extra }));

  test('a reversal has the side on which it is booked, and the other party', async () => {
    const entry = camtEntry({ amount: 500, description: 'Error' }, { extra: '<RvslInd>true</RvslInd>' });
    const { entries } = await read(CAMT, withEntry(entry, 500));
    assert.deepEqual([entries[0]?.amount, entries[0]?.description], [500, 'Reversal: Error']);
  });

  const payment = (amount: number, reference: string, extra = '') =>
    `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><Amt Ccy="SLE">${decimal(amount)}</Amt>${extra}</TxDtls>`;
  const batch = (amount: number, ...payments: string[]) =>
    camtEntry(
      { amount },
      { extra: `<NtryDtls><Btch><PmtInfId>BATCH-1</PmtInfId></Btch>${payments.join('')}</NtryDtls>` },
    );

  test('a batch is one entry that names its payments, which must add up', async () => {
    const file = withEntry(batch(700, payment(500, 'A'), payment(200, 'B')), 700);
    const { entries } = await read(CAMT, file);
    const { amount, reference, description } = entries[0] ?? {};
    assert.deepEqual([amount, reference, description], [700, 'BATCH-1', 'Batch of 2 payments: A, B']);
    const wrong = withEntry(batch(700, payment(500, 'A'), payment(100, 'B')), 700);
    await assertInvalid(CAMT, wrong, /^Statement 1, entry 1 \(line \d+\): the 2 payments of the batch do not add up/);
    const charged = withEntry(batch(690, payment(500, 'A'), payment(200, 'B', '<Chrgs><Amt>10</Amt></Chrgs>')), 690);
    assert.equal((await read(CAMT, charged)).entries.length, 1);
    const many = withEntry(batch(100_000, ...Array.from({ length: 1_000 }, (_, i) => payment(100, `P${i}`))), 100_000);
    assert.match((await read(CAMT, many)).entries[0]?.description ?? '', /^Batch of 1000 payments: P0, P1/);
  });

  test("an entry's number in its file is not a reference, the bank's reference is", async () => {
    const numbered = camtEntry({ amount: 5 }, { extra: '<NtryRef>2</NtryRef>' });
    assert.equal((await read(CAMT, withEntry(numbered, 5))).entries[0]?.reference, null);
    const referenced = camtEntry({ amount: 5 }, { bankReference: 'FT1', extra: '<NtryRef>2</NtryRef>' });
    assert.equal((await read(CAMT, withEntry(referenced, 5))).entries[0]?.reference, 'FT1');
  });

  test('entries that are not booked do not count', async () => {
    const pending = camtEntry({ amount: 900 }).replace('BOOK', 'PDNG');
    assert.equal((await read(CAMT, withEntry(pending, 0))).entries.length, 0);
    const unknown = camtEntry({ amount: 900 }).replace('BOOK', 'XXXX');
    await assertInvalid(CAMT, withEntry(unknown, 900), /entry 1 .*: the status \(Sts\) is "XXXX"/);
  });

  test("the value date replaces a missing booking date, within the statement's days", async () => {
    const dated = (day: string) =>
      camtEntry({ amount: 1 }).replace(/<BookgDt>.*<\/BookgDt>/, day && `<ValDt><Dt>${day}</Dt></ValDt>`);
    for (const [day, bookedOn] of [
      [DAY, DAY],
      ['2026-02-20', DAY],
      ['2026-02-26', DAY],
    ] as const) {
      assert.equal((await read(CAMT, withEntry(dated(day), 1))).entries[0]?.bookedOn, bookedOn);
    }
    await assertInvalid(CAMT, withEntry(dated(''), 1), /entry 1 .*: it has neither a booking date nor a value date/);
    await assertInvalid(CAMT, withEntry(dated('2026-02-30'), 1), /"2026-02-30" is not a date \(ValDt\)/);
  });

  test('an entry with the reference, date and amount of another entry is a duplicate', async () => {
    const entry = (bankReference: string) => camtEntry({ amount: 5 }, { bankReference });
    const twice = withEntry(`${entry('FT1')}${entry('FT1')}`, 10);
    await assertInvalid(CAMT, twice, /entry 2 \(line \d+\): the entry has the reference "FT1".* it is a duplicate/);
    assert.equal((await read(CAMT, withEntry(`${entry('FT1')}${entry('FT2')}`, 10))).entries.length, 2);
    assert.equal((await read(CAMT, withEntry(`${entry('')}${entry('')}`, 10))).entries.length, 2);
  });

  test("the bank's own sums must be those of the entries", async () => {
    const sums = (credits: string) => `<TxsSummry><TtlCdtNtries><Sum>${credits}</Sum></TtlCdtNtries></TxsSummry>`;
    await read(CAMT, withEntry(camtEntry({ amount: 500 }), 500, sums('5.00')));
    await assertInvalid(
      CAMT,
      withEntry(camtEntry({ amount: 500 }), 500, sums('5.01')),
      /the sum "5\.01" in TtlCdtNtries/,
    );
  });

  test('missing and repeated balances are refused', async () => {
    const file = camtFile(CONTENT);
    await assertInvalid(
      CAMT,
      file.replace('OPBD', 'ITBD'),
      /^Statement 1: the opening balance \(OPBD or PRCD\) is missing/,
    );
    await assertInvalid(CAMT, file.replace('CLBD', 'ITBD'), /^Statement 1: the closing balance \(CLBD\) is missing/);
    const twice = camtDocument(camtStatement(CONTENT, { extra: camtBalance('CLBD', 1, DAY) }));
    await assertInvalid(CAMT, twice, /the balance CLBD is given twice/);
    const previous = file.replace('OPBD', 'PRCD').replace(`<Dt>${DAY}</Dt>`, '<Dt>2026-02-20</Dt>');
    const { from, to } = await read(CAMT, previous);
    assert.deepEqual([from, to], ['2026-02-21', DAY]);
    await assertInvalid(CAMT, camtDocument(), 'The file contains no statement (Stmt).');
  });
});

describe('MT940', () => {
  const file = (...entries: string[]) => {
    const [head = '', tail = ''] = mt940File({ opening: 100_000, entries: [] }).split(':62F:');
    return (closing: number) =>
      `${head}${entries.join('\n')}\n:62F:C260223SLE${decimal(closing, ',')}${tail.slice(tail.indexOf('\n'))}`;
  };

  test('RC and RD reverse a credit and a debit', async () => {
    const { entries } = await read(
      MT940,
      file(':61:260223RC5,NTRFA', ':61:2602230223RD12,50NCHGB//X\n:86:Waived')(100_750),
    );
    assert.deepEqual(
      entries.map(({ amount, description }) => [amount, description]),
      [
        [-500, 'Reversal:'],
        [1_250, 'Reversal: Waived'],
      ],
    );
  });

  test('the pages of one statement are read as one; a missing page is refused', async () => {
    const pages = await readFile(
      new URL('../../../../../docs/samples/bank-statement-mt940.txt', import.meta.url),
      'utf8',
    );
    const [first = '', second = ''] = pages.split('-\n');
    const { from, to, openingBalance, closingBalance, entries } = await read(MT940, pages);
    assert.deepEqual(
      [from, to, openingBalance, closingBalance, entries.length],
      ['2026-02-24', '2026-02-24', 432_488_050, 440_000_000, 4],
    );
    await assertInvalid(MT940, first, 'The last page of the statement, with :62F:, is missing.');
    await assertInvalid(MT940, second, /^Line 4 \(:60M:\): the first page of the statement, with :60F:, is missing/);
    await assertInvalid(
      MT940,
      `${first}-\n${second.replace('4390000,50', '4390000,51')}`,
      /^Line 16 \(:60M:\): the opening balance/,
    );
  });

  test('the entry date takes the year in which it is closest to the value date', async () => {
    const days = async (line: string, from: string, to: string) => {
      const text = mt940File({ from, to, entries: [] }).replace(
        /:62F:.*/,
        `${line}\n:62F:C${to.replaceAll('-', '').slice(2)}SLE1,00`,
      );
      return (await read(MT940, text)).entries[0]?.bookedOn;
    };
    assert.equal(await days(':61:2601020102C1,NTRFX', '2025-12-31', '2026-01-02'), '2026-01-02');
    assert.equal(await days(':61:2601021231C1,NTRFX', '2025-12-31', '2026-01-02'), '2025-12-31');
    assert.equal(await days(':61:2512310102C1,NTRFX', '2025-12-31', '2026-01-02'), '2026-01-02');
    assert.equal(await days(':61:251231C1,NTRFX', '2025-12-31', '2026-01-02'), '2026-01-01');
  });

  test('structured descriptions give purpose and counterparty', async () => {
    const { entries } = await read(
      MT940,
      file(':61:2602230223C1,NTRFX\n:86:166?00TRF?20INVOICE?21NO 7?32ROKEL?33LTD')(100_100),
    );
    assert.deepEqual([entries[0]?.description, entries[0]?.counterparty], ['INVOICE NO 7', 'ROKEL LTD']);
  });

  test('a SWIFT envelope, other fields and information after the closing balance are accepted', async () => {
    const text = `{1:F01SCBKSLFRAXXX}{2:I940}{4:\n${mt940File(CONTENT).replace('\n-\n', '\n:64:C260223SLE1,\n:86:End\n-}')}`;
    assert.equal((await read(MT940, text)).entries.length, 2);
  });

  test('fields that are not valid are refused with their line', async () => {
    await assertInvalid(
      MT940,
      file(':61:260223X5,NTRFA')(100_500),
      /^Line 5 \(:61:\): "260223X5,NTRFA" is not an entry/,
    );
    await assertInvalid(MT940, file(':61:2602231399C5,NTRFA')(100_500), /^Line 5 \(:61:\): 1399 is not a day/);
    await assertInvalid(
      MT940,
      file(':61:260230C5,NTRFA')(100_500),
      /^Line 5 \(:61:\): "260230C5,NTRFA" is not an entry/,
    );
    await assertInvalid(MT940, file(`:86:${'x'.repeat(100_000)}`)(100_000), /is longer than 2000 characters/);
    await assertInvalid(MT940, 'Dear customer\n', /^Line 1: it is not part of a field/);
    await assertInvalid(MT940, mt940File(CONTENT).replace(/:25:.*\n/, ''), /the account number \(:25:\) is missing/);
    await assertInvalid(
      MT940,
      file(':61:260223C5,NTRFA//B1', ':61:260223C5,NTRFA//B1')(101_000),
      /^Line 6 \(:61:\): .* it is a duplicate/,
    );
  });
});

describe('CSV', () => {
  const HEADER = 'date,amount,reference,description,balance';
  const lines = (...rest: string[]) => [HEADER, ...rest, ''].join('\n');

  test('quoted fields, blank lines and spaces around fields are read', async () => {
    const { entries } = await read(
      CSV,
      lines('', '2026-02-23, 5.5 ,"A ""1""","Bo, Kenema",5.50', '   ', '2026-02-23,-0.50,,,5'),
    );
    assert.deepEqual(
      entries.map(({ amount, reference, description }) => [amount, reference, description]),
      [
        [550, 'A "1"', 'Bo, Kenema'],
        [-50, null, null],
      ],
    );
  });

  test('a balance that is not the previous one plus the amount is refused with its line', async () => {
    await assertInvalid(
      CSV,
      lines('2026-02-23,5.00,,,5.00', '2026-02-23,1.00,,,6.01'),
      'Line 3: the balance before it and the amount do not add up: 5.00 SLE and 1.00 SLE do not make 6.01 SLE.',
    );
  });

  test('a repeated line is a duplicate; two equal bookings are two entries', async () => {
    await assertInvalid(CSV, lines('2026-02-23,5.00,A,,5.00', '2026-02-23,5.00,A,,5.00'), /^Line 3: it is a duplicate/);
    assert.equal((await read(CSV, lines('2026-02-23,5.00,A,,5.00', '2026-02-23,5.00,A,,10.00'))).entries.length, 2);
  });

  test('the newest entry first, wrong fields and wrong quotes are refused with their line', async () => {
    await assertInvalid(
      CSV,
      lines('2026-02-23,1.00,,,2.00', '2026-02-22,1.00,,,3.00'),
      /^Line 3: the date 2026-02-22 is before/,
    );
    await assertInvalid(CSV, lines('2026-02-23,1.00,,2.00'), 'Line 2: it has 4 fields instead of 5.');
    await assertInvalid(CSV, lines('23/02/2026,1.00,,,2.00'), /^Line 2: the date "23\/02\/2026" is not YYYY-MM-DD/);
    await assertInvalid(CSV, lines('2026-02-23,1.00,"a"b,,2.00'), /^Line 2: the quotes are not valid CSV/);
    await assertInvalid(CSV, lines('2026-02-23,1.00,"never closed,,2.00'), /the quotes are not valid CSV/);
    await assertInvalid(CSV, `${HEADER}\n"${'x'.repeat(1_000_000)}`, /is longer than 10000 characters/);
    await assertInvalid(CSV, 'date;amount;reference;description;balance\n', /^Line 1: the header must be/);
    await assertInvalid(CSV, lines(), 'The file has no entries.');
    await assertInvalid(CSV, '', 'The file has no entries.');
  });
});

test('the samples of the documentation continue each other', async () => {
  const sample = (name: string) => readFile(new URL(`../../../../../docs/samples/${name}`, import.meta.url));
  const camt = await read(CAMT, await sample('bank-statement-camt053.xml'));
  const mt940 = await read(MT940, await sample('bank-statement-mt940.txt'));
  const csv = await read(CSV, await sample('bank-statement.csv'));
  assert.deepEqual([camt.closingBalance, mt940.closingBalance], [mt940.openingBalance, csv.openingBalance]);
  assert.deepEqual([camt.to, mt940.from, mt940.to, csv.from], [DAY, '2026-02-24', '2026-02-24', '2026-02-25']);
});

test('a damaged file is refused, or its entries still add up: no other error occurs', async () => {
  const sample = (name: string) => readFile(new URL(`../../../../../docs/samples/${name}`, import.meta.url));
  const files: [string, Buffer][] = [
    [CAMT, await sample('bank-statement-camt053.xml')],
    [MT940, await sample('bank-statement-mt940.txt')],
    [CSV, await sample('bank-statement.csv')],
  ];
  const damage = fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      remove: fc.integer({ min: 0, max: 60 }),
      insert: fc.oneof(
        fc.string({ maxLength: 5 }),
        fc.constantFrom('<', '>', '&', '"', '\n', ',', ':61:', ':62F:', '<Ntry>', ']]>'),
      ),
    }),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), damage, async ([type, file], damages) => {
      let bytes = file;
      for (const { at, remove, insert } of damages) {
        const start = Math.floor(at * bytes.length);
        bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(insert), bytes.subarray(start + remove)]);
      }
      const read = await readStatement([bytes], type, expected);
      if (read instanceof Refusal) return assert.equal(read.code, 'STATEMENT_INVALID');
      const { openingBalance, closingBalance, entries, from, to } = read;
      assert.equal(
        entries.reduce((sum, { amount }) => sum + amount, openingBalance),
        closingBalance,
      );
      assert.ok(
        entries.every(({ amount, bookedOn }) => Number.isSafeInteger(amount) && bookedOn >= from && bookedOn <= to),
      );
    }),
    { numRuns: 1_500 },
  );
});

test('decimal text becomes minor units exactly', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (amount) => {
      assert.equal(parseSignedDecimal(decimal(amount), { separator: '.', maxDecimals: 2 }), amount);
    }),
  );
  const format = { separator: '.', maxDecimals: 5 } as const;
  assert.deepEqual(
    ['1', '1.2', '1.20000', '0.001', '1.23456', '.5', '1.', '-1', ' 1'].map((text) => parseDecimal(text, format)),
    [100, 120, 120, null, null, null, 100, null, null],
  );
  assert.ok(Object.is(parseSignedDecimal('-0.00', format), 0));
});
