// Draws the pages of a PDF statement: heading, table with a header on every page, totals, page numbers.
import { DAY_MS } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import {
  BOLD,
  BRAND,
  type Column,
  GREY,
  HEIGHT,
  LEFT,
  PdfDrawing,
  RIGHT,
  RULE,
  STRIPE,
  TINT,
  WIDTH,
} from '../../pdf/drawing.ts';
import { printable } from '../../pdf/text.ts';

export interface Cells {
  date: string;
  time: string;
  description: string;
  /** Smaller, below the description. */
  note: string;
  reference: string;
  /** Smaller, below the reference or in its place. */
  transactionId: string;
  debit: string;
  credit: string;
  balance: string;
}

export interface Summary {
  period: string;
  generated: string;
  amounts: { label: string; value: string }[];
}

interface SheetOptions {
  holder: string;
  account: string;
  /** The number of rows, needed for "Page 1 of 3" before page 3 is drawn. */
  rows: number;
}

const BOTTOM = HEIGHT - 62;
const ROW = 27;
const HEADER_ROW = 22;
const FIRST_TABLE = 268;
const NEXT_TABLE = 74;
const ROWS_ON_FIRST = Math.floor((BOTTOM - FIRST_TABLE - HEADER_ROW) / ROW);
const ROWS_ON_NEXT = Math.floor((BOTTOM - NEXT_TABLE - HEADER_ROW) / ROW);

/** Text columns begin at x; amount columns end there. */
const COLUMNS = {
  date: { x: LEFT + 6, width: 52 },
  description: { x: LEFT + 62, width: 146 },
  reference: { x: LEFT + 212, width: 122 },
  debit: { x: RIGHT - 122, width: 58 },
  credit: { x: RIGHT - 64, width: 56 },
  balance: { x: RIGHT - 6, width: 56 },
};

/** The rows of one page are drawn without yielding. */
export const ROWS_AT_ONCE = ROWS_ON_NEXT;

export class StatementSheet extends PdfDrawing {
  private readonly options: SheetOptions;
  private readonly pages: number;
  private page = 0;
  private rowsLeft = 0;
  private y = 0;
  private striped = false;

  constructor(doc: PDFKit.PDFDocument, options: SheetOptions) {
    super(doc);
    this.options = options;
    this.pages = 1 + Math.max(0, Math.ceil((options.rows - ROWS_ON_FIRST) / ROWS_ON_NEXT));
  }

  begin(summary: Summary): void {
    this.newPage();
    this.heading(summary);
    this.beginTable(FIRST_TABLE, ROWS_ON_FIRST);
  }

  row(cells: Cells): void {
    const { y, doc } = this.nextRow();
    if (this.striped) doc.rect(LEFT, y, RIGHT - LEFT, ROW).fill(STRIPE);
    this.striped = !this.striped;
    const upper = y + 5;
    const lower = y + 15.5;
    const small = { size: 6.5, color: GREY };
    this.text(cells.date, COLUMNS.date, upper, { size: 8 });
    this.text(cells.time, COLUMNS.date, lower, small);
    this.text(cells.description, COLUMNS.description, upper, { size: 8 });
    this.text(cells.note, COLUMNS.description, lower, small);
    // Small enough to fit: ids must not be truncated.
    const idAt = cells.reference ? lower + 0.5 : upper + 1.5;
    this.text(cells.reference, COLUMNS.reference, upper, { size: 8 });
    this.text(cells.transactionId, COLUMNS.reference, idAt, { size: 6, color: GREY });
    this.rightAligned(cells.debit, COLUMNS.debit, upper, { size: 8 });
    this.rightAligned(cells.credit, COLUMNS.credit, upper, { size: 8, color: BRAND });
    this.rightAligned(cells.balance, COLUMNS.balance, upper, { size: 8 });
    this.rule(y + ROW, RULE, 0.5);
  }

  /** The row of the opening or closing balance. */
  balanceRow(
    text: string,
    { debit = '', credit = '', balance }: { debit?: string; credit?: string; balance: string },
  ): void {
    const { y, doc } = this.nextRow();
    const bold = { size: 8, font: BOLD };
    doc.rect(LEFT, y, RIGHT - LEFT, ROW).fill(TINT);
    this.text(text, { x: COLUMNS.date.x, width: 320 }, y + 9.5, bold);
    this.rightAligned(debit, COLUMNS.debit, y + 9.5, bold);
    this.rightAligned(credit, COLUMNS.credit, y + 9.5, { ...bold, color: BRAND });
    this.rightAligned(balance, COLUMNS.balance, y + 9.5, bold);
    this.rule(y + ROW, RULE, 0.5);
  }

  end(): void {
    const text = `Amounts in ${CURRENCY}. Dates and times in UTC. A debit includes its fee.`;
    this.text(text, { x: LEFT, width: RIGHT - LEFT }, Math.min(this.y + 8, BOTTOM + 4), { size: 7, color: GREY });
  }

  private nextRow(): { y: number; doc: PDFKit.PDFDocument } {
    if (this.rowsLeft === 0) {
      this.newPage();
      this.runningHead();
      this.beginTable(NEXT_TABLE, ROWS_ON_NEXT);
    }
    const { y } = this;
    this.rowsLeft -= 1;
    this.y += ROW;
    return { y, doc: this.doc };
  }

  private newPage(): void {
    this.doc.addPage();
    this.page += 1;
    const y = HEIGHT - 38;
    this.rule(y - 8, RULE, 0.5);
    const small = { size: 7, color: GREY };
    this.text(`Kissi  ·  Account ${this.options.account}`, { x: LEFT, width: 300 }, y, small);
    this.rightAligned(`Page ${this.page} of ${this.pages}`, { x: RIGHT, width: 120 }, y, small);
  }

  private heading({ period, generated, amounts }: Summary): void {
    const { doc, options } = this;
    doc.rect(0, 0, WIDTH, 84).fill(BRAND);
    this.text('Kissi', { x: LEFT, width: 200 }, 29, { size: 27, font: BOLD, color: '#ffffff' });
    this.rightAligned('Account statement', { x: RIGHT, width: 250 }, 38, { size: 14, color: '#ffffff' });
    const left = { x: LEFT, width: 280 };
    const right = { x: LEFT + 300, width: RIGHT - LEFT - 300 };
    this.labelled('Account holder', options.holder, left, 104);
    this.labelled('Account number', options.account, left, 138);
    this.labelled('Period', period, right, 104);
    this.labelled('Generated', generated, right, 138);
    const gap = 10;
    const width = (RIGHT - LEFT - 3 * gap) / 4;
    for (const [index, { label, value }] of amounts.entries()) {
      this.box(LEFT + index * (width + gap), width, label, value);
    }
  }

  private labelled(label: string, value: string, column: Column, y: number): void {
    this.text(label, column, y, { size: 7, color: GREY });
    this.text(value, column, y + 10, { size: 10.5, font: BOLD });
  }

  private box(x: number, width: number, label: string, value: string): void {
    this.doc.roundedRect(x, 182, width, 62, 5).fill(TINT);
    this.text(label, { x: x + 11, width: width - 22 }, 196, { size: 7.5, color: GREY });
    this.text(value, { x: x + 11, width: width - 18 }, 214, { size: 11, font: BOLD, color: BRAND });
  }

  private runningHead(): void {
    const { holder, account } = this.options;
    this.text('Kissi', { x: LEFT, width: 60 }, 38, { size: 13, font: BOLD, color: BRAND });
    const text = `Account statement  ·  ${holder}  ·  ${account}`;
    this.rightAligned(printable(text), { x: RIGHT, width: 400 }, 42, { size: 8, color: GREY });
  }

  private beginTable(y: number, rows: number): void {
    const bold = { size: 7.5, font: BOLD, color: '#ffffff' };
    this.doc.rect(LEFT, y, RIGHT - LEFT, HEADER_ROW).fill(BRAND);
    this.text('Date', COLUMNS.date, y + 7.5, bold);
    this.text('Description', COLUMNS.description, y + 7.5, bold);
    this.text('Reference', COLUMNS.reference, y + 7.5, bold);
    this.rightAligned('Debit', COLUMNS.debit, y + 7.5, bold);
    this.rightAligned('Credit', COLUMNS.credit, y + 7.5, bold);
    this.rightAligned('Balance', COLUMNS.balance, y + 7.5, bold);
    this.y = y + HEADER_ROW;
    this.rowsLeft = rows;
    this.striped = false;
  }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** 1 Mar 2026 */
export function shortDay(at: number): string {
  const day = new Date(at);
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

export function timeOfDay(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

/** Omits the time if the period begins or ends with a whole day. */
export function dayAndTime(at: number, end: 'first' | 'last'): string {
  const ofDay = ((at % DAY_MS) + DAY_MS) % DAY_MS;
  const whole = ofDay === (end === 'first' ? 0 : DAY_MS - 1);
  return whole ? shortDay(at) : `${shortDay(at)} ${timeOfDay(at)}`;
}
