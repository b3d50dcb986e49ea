// Writes a statement as PDF, row by row while it is read.
import { setImmediate } from 'node:timers/promises';
import { formatMoney } from '../../kernel/money.ts';
import { newPdf } from '../../pdf/document.ts';
import { fullName, maskedAccount, type Statement, type StatementEntry } from './statement.ts';
import { dayAndTime, ROWS_AT_ONCE, StatementSheet, shortDay, timeOfDay } from './statement-sheet.ts';

const WITHHELD = 'withheld';

export async function* statementPdf(statement: Statement): AsyncGenerator<Buffer> {
  const holder = fullName(statement.holder);
  const title = `Account statement, ${maskedAccount(statement.holder)}`;
  const doc = await newPdf({ title, author: 'Kissi', createdAt: statement.generatedAt });
  const sheet = new StatementSheet(doc, {
    holder,
    account: maskedAccount(statement.holder)
      .replaceAll('*', '•')
      .replace(/(?=.{4}$)/, ' '),
    // The entries, the opening balance before them and the totals after.
    rows: statement.count + 2,
  });
  sheet.begin(summaryOf(statement));
  const { archivedBefore } = statement;
  const archived =
    archivedBefore === null ? '' : `. Entries before ${dayAndTime(archivedBefore, 'first')} are archived`;
  sheet.balanceRow(`Opening balance${archived}`, { balance: amount(statement.opening) });
  for await (const page of statement.pages()) {
    for (const [index, entry] of page.entries()) {
      sheet.row(cellsOf(entry));
      // Drawing blocks the event loop: yield to other requests after each page.
      if (index % ROWS_AT_ONCE === 0) await setImmediate();
    }
    yield* written(doc);
  }
  const { debits, credits, closing, held } = statement;
  const ofIt = held ? `, of it ${formatMoney(held)} held for authorised payments` : '';
  sheet.balanceRow(`Totals and closing balance${ofIt}`, {
    debit: amount(debits),
    credit: amount(credits),
    balance: amount(closing),
  });
  sheet.end();
  doc.end();
  yield* written(doc);
}

/** Emits finished output at once, so that memory holds a page and not the document. */
function* written(doc: PDFKit.PDFDocument): Generator<Buffer> {
  for (let chunk = doc.read(); chunk !== null; chunk = doc.read()) yield chunk as Buffer;
}

function summaryOf(statement: Statement) {
  const { from, to, generatedAt, opening, credits, debits, closing } = statement;
  return {
    period: `${dayAndTime(from, 'first')} – ${dayAndTime(to, 'last')}`,
    generated: `${shortDay(generatedAt)}, ${timeOfDay(generatedAt)} UTC`,
    amounts: [
      { label: 'Opening balance', value: opening === null ? WITHHELD : formatMoney(opening) },
      { label: 'Money in', value: credits === null ? WITHHELD : formatMoney(credits) },
      { label: 'Money out', value: debits === null ? WITHHELD : formatMoney(debits) },
      { label: 'Closing balance', value: closing === null ? WITHHELD : formatMoney(closing) },
    ],
  };
}

function cellsOf({ entry, description, debit, credit, balance }: StatementEntry) {
  const at = entry.at.getTime();
  const fee = entry.fee > 0 ? `incl. fee ${amount(entry.fee)}` : null;
  return {
    date: shortDay(at),
    time: timeOfDay(at),
    description,
    note: [entry.narration, fee].filter((text) => text !== null).join('  ·  '),
    reference: entry.reference ?? '',
    transactionId: entry.movementId,
    debit: debit > 0 ? amount(debit) : '',
    credit: credit > 0 ? amount(credit) : '',
    balance: amount(balance),
  };
}

/** Without the currency, which the heading names. Empty if the reader may not see it. */
function amount(minorUnits: number | null): string {
  return minorUnits === null ? '' : formatMoney(minorUnits).replace(/ \w+$/, '');
}
