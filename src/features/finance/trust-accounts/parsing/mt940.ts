// Reads MT940 (SWIFT) line by line. A file can have several messages: the pages of one statement, or several days.
import { parseDecimal } from '../../../../kernel/money.ts';
import { isStatementDay } from './amounts.ts';
import { StatementFault } from './fault.ts';
import {
  type ExpectedAccount,
  type FileEntry,
  type ParsedStatement,
  StatementBuilder,
  type StatementParser,
  shown,
} from './statement-builder.ts';

const TAG = /^:(\d{2}[A-Z]?|NS):/;
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d{1,15},\d{0,2})$/;
/** Value date, entry date, side, funds code, amount, type, references. Adjacent parts never match the same character. */
const ENTRY = /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d{1,15},\d{0,2})([A-Z][A-Z0-9]{3})(.*)$/;
const AMOUNT = { separator: ',', maxDecimals: 2 } as const;
const MAX_LINE_CHARACTERS = 2_000;
const MAX_FIELD_LINES = 20;

interface Field {
  tag: string;
  lines: string[];
  /** Starts at 1. */
  number: number;
}

export class Mt940Parser implements StatementParser {
  private readonly builder: StatementBuilder;
  private held = '';
  private number = 0;
  private field: Field | null = null;
  private hasAccount = false;
  /** Waits for its description (:86:). */
  private entry: { entry: FileEntry; where: string } | null = null;
  private isOpen = false;
  /** The tag of the last closing balance: 62M announces another page. */
  private closedBy: string | null = null;

  constructor(expected: ExpectedAccount) {
    this.builder = new StatementBuilder(expected);
  }

  push(text: string): void {
    const lines = (this.held + text).split('\n');
    this.held = lines.pop() as string;
    for (const line of lines) this.takeLine(line);
    if (this.held.length > MAX_LINE_CHARACTERS) this.takeLine(this.held);
  }

  end(): ParsedStatement {
    if (this.held !== '') this.takeLine(this.held);
    this.endField();
    this.endEntry();
    if (this.closedBy === '62M') throw new StatementFault('The last page of the statement, with :62F:, is missing.');
    return this.builder.finish();
  }

  private takeLine(text: string): void {
    this.number += 1;
    const line = text.trimEnd();
    if (line.length > MAX_LINE_CHARACTERS) this.fail(`it is longer than ${MAX_LINE_CHARACTERS} characters`);
    const tag = TAG.exec(line)?.[1];
    // The blocks of a SWIFT message around its text, and its end.
    const isEnvelope = line.startsWith('{') || line === '-' || line.startsWith('-}');
    if (tag === undefined && !isEnvelope) {
      this.continueField(line);
      return;
    }
    this.endField();
    if (tag !== undefined) this.field = { tag, lines: [line.slice(tag.length + 2)], number: this.number };
  }

  private continueField(line: string): void {
    if (line === '') return;
    if (!this.field) this.fail('it is not part of a field such as :20:');
    if (this.field.lines.length < MAX_FIELD_LINES) this.field.lines.push(line);
  }

  private fail(problem: string): never {
    throw new StatementFault(`Line ${this.field?.number ?? this.number}: ${problem}.`);
  }

  private endField(): void {
    const { field } = this;
    if (!field) return;
    this.read(field);
    this.field = null;
  }

  private read({ tag, lines, number }: Field): void {
    const [text = ''] = lines;
    const where = `Line ${number} (:${tag}:)`;
    if (tag !== '86' && tag !== 'NS') this.endEntry();
    if (tag === '20') this.hasAccount = false;
    else if (tag === '25' || tag === '25P') this.readAccount(text, where);
    else if (tag === '60F' || tag === '60M') this.openPage(tag, text, where);
    else if (tag === '61') this.readEntry(lines, where);
    else if (tag === '86') this.readDescription(lines);
    else if (tag === '62F' || tag === '62M') this.closePage(tag, text, where);
  }

  private readAccount(text: string, where: string): void {
    this.builder.checkAccount(text, where);
    this.hasAccount = true;
  }

  private openPage(tag: string, text: string, where: string): void {
    if (!this.hasAccount) throw new StatementFault(`${where}: the account number (:25:) is missing before it.`);
    if (this.isOpen) throw new StatementFault(`${where}: the closing balance (:62F:) is missing before it.`);
    if (tag === '60M' && this.closedBy === null) {
      throw new StatementFault(`${where}: the first page of the statement, with :60F:, is missing.`);
    }
    this.builder.open(this.balanceIn(text, where), where);
    this.isOpen = true;
  }

  private closePage(tag: string, text: string, where: string): void {
    if (!this.isOpen) throw new StatementFault(`${where}: the opening balance (:60F:) is missing before it.`);
    this.builder.close(this.balanceIn(text, where), where);
    [this.isOpen, this.closedBy] = [false, tag];
  }

  private balanceIn(text: string, where: string) {
    const [, side, date = '', currency, digits = ''] = BALANCE.exec(text) ?? [];
    const amount = parseDecimal(digits, AMOUNT);
    const day = dayOf(date);
    if (amount === null || day === null) {
      throw new StatementFault(`${where}: ${shown(text)} is not a balance such as C261115SLE1250,50.`);
    }
    this.builder.checkCurrency(currency, where);
    return { amount: side === 'D' && amount !== 0 ? -amount : amount, date: day };
  }

  private readEntry([text = '', supplement]: string[], where: string): void {
    if (!this.isOpen) throw new StatementFault(`${where}: the opening balance (:60F:) is missing before it.`);
    const [, value = '', booked, side = '', , digits = '', , references = ''] = ENTRY.exec(text) ?? [];
    const amount = parseDecimal(digits, AMOUNT);
    const valueOn = dayOf(value);
    if (amount === null || valueOn === null) {
      throw new StatementFault(`${where}: ${shown(text)} is not an entry such as 2611151115C1250,50NTRFREF//BANKREF.`);
    }
    const [reference = '', bankReference] = references.split('//', 2);
    const bookedOn = booked === undefined ? null : nearestDay(booked, valueOn);
    if (booked !== undefined && bookedOn === null) throw new StatementFault(`${where}: ${booked} is not a day (MMDD).`);
    // RC reverses a credit and RD a debit: the money moves the other way.
    const isCredit = side === 'C' || side === 'RD';
    const entry: FileEntry = {
      ...{ bookedOn, valueOn, amount: isCredit || amount === 0 ? amount : -amount },
      reference: reference === '' || reference === 'NONREF' ? bankReference : reference,
      description: side.startsWith('R') ? `Reversal: ${supplement ?? ''}` : supplement,
      bankReference,
    };
    this.entry = { entry, where };
  }

  /** After an entry it describes the entry, at the end the statement. */
  private readDescription(lines: string[]): void {
    if (!this.entry) return;
    const { entry } = this.entry;
    const { description, counterparty } = describe(lines);
    entry.description = entry.description?.startsWith('Reversal') ? `Reversal: ${description}` : description;
    entry.counterparty = counterparty;
    this.endEntry();
  }

  private endEntry(): void {
    if (this.entry) this.builder.entry(this.entry.entry, this.entry.where);
    this.entry = null;
  }
}

/** Plain text, or the subfields ?20 to ?29 and ?60 to ?63 (purpose), ?32 and ?33 (name) that some banks use. */
function describe(lines: string[]): { description: string; counterparty: string | null } {
  if (!/^\d{3}\?\d{2}/.test(lines[0] ?? '')) return { description: lines.join(' '), counterparty: null };
  const subfields = lines.join('').split('?').slice(1);
  const textOf = (codes: RegExp) => subfields.filter((each) => codes.test(each)).map((each) => each.slice(2));
  return { description: textOf(/^(?:2\d|6[0-3])/).join(' '), counterparty: textOf(/^3[23]/).join(' ') };
}

/** YYMMDD. Null if it is not a day. */
function dayOf(text: string): string | null {
  const day = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`;
  return isStatementDay(day) ? day : null;
}

/** MMDD, in the year in which it is closest to the value date. */
function nearestDay(monthAndDay: string, valueOn: string): string | null {
  const [year, month] = [Number(valueOn.slice(0, 4)), Number(valueOn.slice(5, 7))];
  const monthsAhead = Number(monthAndDay.slice(0, 2)) - month;
  const years = monthsAhead > 6 ? -1 : monthsAhead < -6 ? 1 : 0;
  const day = `${year + years}-${monthAndDay.slice(0, 2)}-${monthAndDay.slice(2)}`;
  return isStatementDay(day) ? day : null;
}
