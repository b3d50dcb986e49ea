// Reads camt.053 (ISO 20022) with a streaming parser. Memory does not grow with the file: each element keeps only the
// texts that are needed, and entries are passed on when they end.
import sax, { type Tag } from 'sax';
import { parseDecimal } from '../../../../kernel/money.ts';
import { type EntryDetails, entryDetails, entryOf } from './camt053-entry.ts';
import { DOCUMENT, dateOf, type ElementNode, Fields, type Scope } from './camt053-fields.ts';
import { StatementFault } from './fault.ts';
import {
  type Balance,
  type ExpectedAccount,
  type ParsedStatement,
  StatementBuilder,
  type StatementParser,
  shown,
} from './statement-builder.ts';

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d{2}$/;
const MAX_DEPTH = 32;
const MAX_ATTRIBUTES = 32;
const MAX_TEXT_CHARACTERS = 4_000;
const AMOUNT = { separator: '.', maxDecimals: 5 } as const;

export class Camt053Parser implements StatementParser {
  private readonly xml = sax.parser(true, { position: true });
  private readonly builder: StatementBuilder;
  /** The open elements, outermost first; null for those that are not read. */
  private readonly open: (ElementNode | null)[] = [];
  private text = '';
  private attributes: Record<string, string> = {};
  private attributeCount = 0;
  private statements = 0;
  private entries = 0;
  private readonly fields: Record<Scope, Fields> = {
    ...{ statement: new Fields(), balance: new Fields(), entry: new Fields(), payment: new Fields() },
  };
  private details: EntryDetails = entryDetails();
  private balances = new Map<string, Balance>();
  private isOpen = false;
  private booked = { credits: 0n, debits: 0n, hasUnbooked: false };

  constructor(expected: ExpectedAccount) {
    this.builder = new StatementBuilder(expected);
    const { xml } = this;
    xml.onerror = ({ message }) => this.fail(`the XML is not well-formed (${message.split('\n', 1)[0]})`);
    xml.ondoctype = () => this.fail('a document type declaration is not accepted');
    xml.onprocessinginstruction = ({ name, body }) => this.checkEncoding(name, body);
    xml.onopentagstart = () => {
      this.attributeCount = 0;
    };
    xml.onattribute = () => this.countAttribute();
    xml.onopentag = (tag) => this.beginElement(tag as Tag);
    xml.onclosetag = () => this.endElement();
    xml.ontext = (text) => this.addText(text);
    xml.oncdata = (text) => this.addText(text);
  }

  push(text: string): void {
    this.xml.write(text);
  }

  end(): ParsedStatement {
    this.xml.close();
    if (this.statements === 0) throw new StatementFault('The file contains no statement (Stmt).');
    return this.builder.finish();
  }

  private get line(): string {
    return `Line ${this.xml.line + 1}`;
  }

  private get where(): string {
    return `Statement ${this.statements}`;
  }

  private fail(problem: string): never {
    throw new StatementFault(`${this.line}: ${problem}.`);
  }

  private checkEncoding(name: string, body: string): void {
    const encoding = name === 'xml' ? /encoding\s*=\s*["']([^"']*)["']/.exec(body)?.[1] : undefined;
    if (encoding === undefined || /^(?:utf-8|us-ascii)$/i.test(encoding)) return;
    this.fail(`the encoding ${shown(encoding)} is not accepted; export the file as UTF-8`);
  }

  /** The parser holds all attributes of an element in memory. */
  private countAttribute(): void {
    this.attributeCount += 1;
    if (this.attributeCount > MAX_ATTRIBUTES) this.fail(`an element has more than ${MAX_ATTRIBUTES} attributes`);
  }

  private beginElement({ name, attributes }: Tag): void {
    const { open } = this;
    if (open.length >= MAX_DEPTH) this.fail(`elements are nested more than ${MAX_DEPTH} deep`);
    if (open.length === 0) this.checkRoot(name, attributes);
    const parent = open.length === 0 ? DOCUMENT : open[open.length - 1];
    const element = parent?.children.get(localName(name)) ?? null;
    open.push(element);
    [this.text, this.attributes] = ['', attributes];
    if (element?.scope) this.beginScope(element.scope);
  }

  private checkRoot(name: string, attributes: Record<string, string>): void {
    const prefix = name.includes(':') ? `:${name.split(':', 1)[0]}` : '';
    const namespace = attributes[`xmlns${prefix}`] ?? '';
    if (localName(name) === 'Document' && NAMESPACE.test(namespace)) return;
    this.fail(`the document is not camt.053: its root is ${shown(name)} of the namespace ${shown(namespace)}`);
  }

  private addText(text: string): void {
    if (this.text.length < MAX_TEXT_CHARACTERS) this.text += text.slice(0, MAX_TEXT_CHARACTERS);
  }

  private endElement(): void {
    const element = this.open.pop();
    if (element?.field) this.keepText(element.field);
    if (element?.scope) this.endScope(element.scope);
    this.text = '';
  }

  private keepText({ scope, path }: { scope: Scope; path: string }): void {
    const fields = this.fields[scope];
    fields.add(path, this.text.trim());
    if (path.endsWith('Amt')) fields.add(`${path}@Ccy`, this.attributes.Ccy ?? '');
  }

  private beginScope(scope: Scope): void {
    this.fields[scope] = new Fields();
    if (scope === 'statement') this.beginStatement();
    else if (scope === 'entry') this.beginEntry();
  }

  private endScope(scope: Scope): void {
    if (scope === 'balance') this.endBalance();
    else if (scope === 'payment') this.details.add(this.fields.payment);
    else if (scope === 'entry') this.endEntry();
    else this.endStatement();
  }

  private beginStatement(): void {
    this.statements += 1;
    this.balances = new Map();
    this.isOpen = false;
    this.entries = 0;
    this.booked = { credits: 0n, debits: 0n, hasUnbooked: false };
  }

  private endBalance(): void {
    const type = this.fields.balance.text('Tp/CdOrPrtry/Cd');
    if (type !== 'OPBD' && type !== 'PRCD' && type !== 'CLBD') return;
    if (this.balances.has(type)) this.fail(`the balance ${type} is given twice`);
    const where = `${this.line}, balance ${type}`;
    const date = dateOf(this.fields.balance, 'Dt', where);
    if (date === null) this.fail(`the balance ${type} has no date`);
    this.balances.set(type, { amount: this.signedAmount(this.fields.balance, where), date });
  }

  /** The balances and the account are before the entries, as the schema demands. */
  private openPage(): void {
    if (this.isOpen) return;
    const { where } = this;
    const account = this.fields.statement.text('Acct/Id/IBAN') ?? this.fields.statement.text('Acct/Id/Othr/Id');
    if (account === null) throw new StatementFault(`${where}: the account number (Acct/Id) is missing.`);
    this.builder.checkAccount(account, where);
    const currency = this.fields.statement.text('Acct/Ccy');
    if (currency !== null) this.builder.checkCurrency(currency, where);
    const opening = this.balances.get('OPBD') ?? this.balances.get('PRCD');
    if (!opening) throw new StatementFault(`${where}: the opening balance (OPBD or PRCD) is missing.`);
    this.builder.open(opening, where, dateOf(this.fields.statement, 'FrToDt/Fr', where));
    this.isOpen = true;
  }

  private beginEntry(): void {
    this.openPage();
    this.entries += 1;
    this.details = entryDetails();
  }

  private endEntry(): void {
    const where = `${this.where}, entry ${this.entries} (${this.line.toLowerCase()})`;
    const status = this.fields.entry.text('Sts') || this.fields.entry.text('Sts/Cd');
    if (status === 'PDNG' || status === 'INFO' || status === 'FUTR') {
      this.booked.hasUnbooked = true;
      return;
    }
    if (status !== 'BOOK') throw new StatementFault(`${where}: the status (Sts) is ${shown(status ?? 'missing')}.`);
    const amount = this.signedAmount(this.fields.entry, where);
    if (amount > 0) this.booked.credits += BigInt(amount);
    else this.booked.debits -= BigInt(amount);
    this.builder.entry(entryOf(this.fields.entry, this.details, amount, where), where);
  }

  private endStatement(): void {
    const { where } = this;
    this.openPage();
    const closing = this.balances.get('CLBD');
    if (!closing) throw new StatementFault(`${where}: the closing balance (CLBD) is missing.`);
    this.checkSummary('TtlCdtNtries', this.booked.credits);
    this.checkSummary('TtlDbtNtries', this.booked.debits);
    this.builder.close(closing, where);
  }

  /** The sums that the bank states. They may include entries that are not booked. */
  private checkSummary(element: string, expected: bigint): void {
    const stated = this.fields.statement.text(`TxsSummry/${element}/Sum`);
    if (stated === null || this.booked.hasUnbooked) return;
    const sum = parseDecimal(stated, AMOUNT);
    if (sum !== null && BigInt(sum) === expected) return;
    throw new StatementFault(`${this.where}: the sum ${shown(stated)} in ${element} is not the sum of the entries.`);
  }

  private signedAmount(fields: Fields, where: string): number {
    this.builder.checkCurrency(fields.text('Amt@Ccy') ?? undefined, where);
    const text = fields.text('Amt') ?? '';
    const amount = parseDecimal(text, AMOUNT);
    if (amount === null) throw new StatementFault(`${where}: ${shown(text)} is not an amount (Amt).`);
    const side = fields.text('CdtDbtInd');
    // A reversal has the side on which it is booked; RvslInd does not change it.
    if (side === 'CRDT' || amount === 0) return amount;
    if (side === 'DBIT') return -amount;
    throw new StatementFault(`${where}: CdtDbtInd is ${shown(side ?? 'missing')}, not CRDT or DBIT.`);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
