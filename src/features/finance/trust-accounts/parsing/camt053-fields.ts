// The elements of camt.053 that are read, as a tree, and the text that they contain.
import { isStatementDay } from './amounts.ts';
import { StatementFault } from './fault.ts';
import { shown } from './statement-builder.ts';

/** Elements that collect the text inside them, outermost first. */
const SCOPES = {
  statement: 'Document/BkToCstmrStmt/Stmt',
  balance: 'Document/BkToCstmrStmt/Stmt/Bal',
  entry: 'Document/BkToCstmrStmt/Stmt/Ntry',
  payment: 'Document/BkToCstmrStmt/Stmt/Ntry/NtryDtls/TxDtls',
} as const;
export type Scope = keyof typeof SCOPES;

const DATES = (name: string) => [`${name}/Dt`, `${name}/DtTm`];
const NAMES = (role: string) => [`RltdPties/${role}/Nm`, `RltdPties/${role}/Pty/Nm`];

/** Paths within each scope. */
const WANTED: Record<Scope, string[]> = {
  statement: [
    ...['Acct/Id/IBAN', 'Acct/Id/Othr/Id', 'Acct/Ccy', 'FrToDt/FrDtTm'],
    ...['TxsSummry/TtlCdtNtries/Sum', 'TxsSummry/TtlDbtNtries/Sum'],
  ],
  balance: ['Tp/CdOrPrtry/Cd', 'Amt', 'CdtDbtInd', ...DATES('Dt')],
  entry: [
    ...['Amt', 'CdtDbtInd', 'Sts', 'Sts/Cd', 'RvslInd', ...DATES('BookgDt'), ...DATES('ValDt')],
    ...['NtryRef', 'AcctSvcrRef', 'AddtlNtryInf', 'NtryDtls/Btch/PmtInfId', 'NtryDtls/Btch/MsgId'],
  ],
  payment: [
    ...['Refs/EndToEndId', 'Refs/InstrId', 'Refs/TxId', 'Refs/PmtInfId', 'RmtInf/Strd/CdtrRefInf/Ref'],
    ...['Amt', 'AmtDtls/TxAmt/Amt', 'CdtDbtInd', 'Chrgs', ...NAMES('Dbtr'), ...NAMES('Cdtr')],
    ...['RmtInf/Ustrd', 'AddtlTxInf'],
  ],
};

/** A known element. A tree instead of paths as text: a large file has millions of elements. */
export interface ElementNode {
  readonly children: Map<string, ElementNode>;
  /** The scope that begins and ends with the element. */
  scope: Scope | null;
  /** Its text belongs to this scope, under this path. */
  field: { scope: Scope; path: string } | null;
}

export const DOCUMENT = elementTree();

function elementTree(): ElementNode {
  const root = newNode();
  for (const [scope, path] of Object.entries(SCOPES) as [Scope, string][]) {
    nodeAt(root, path).scope = scope;
    for (const field of WANTED[scope]) nodeAt(root, `${path}/${field}`).field = { scope, path: field };
  }
  return root;
}

function newNode(): ElementNode {
  return { children: new Map(), scope: null, field: null };
}

function nodeAt(root: ElementNode, path: string): ElementNode {
  let node = root;
  for (const name of path.split('/')) {
    const next = node.children.get(name) ?? newNode();
    node.children.set(name, next);
    node = next;
  }
  return node;
}

/** If one of these is repeated, its text is joined; for every other element, the first text counts. */
const JOINED: ReadonlySet<string> = new Set(['RmtInf/Ustrd', 'AddtlTxInf', 'AddtlNtryInf']);
const MAX_JOINED_CHARACTERS = 4_000;

/** The text in one scope, by path. */
export class Fields {
  private readonly texts = new Map<string, string>();

  add(path: string, text: string): void {
    const known = this.texts.get(path);
    if (known === undefined) this.texts.set(path, text);
    else if (JOINED.has(path) && known.length < MAX_JOINED_CHARACTERS) this.texts.set(path, `${known} ${text}`);
  }

  /** Null if it is absent or empty. */
  text(path: string): string | null {
    return this.texts.get(path) || null;
  }

  has(path: string): boolean {
    return this.texts.has(path);
  }
}

/** The day of a date, with or without a time, as the bank writes it. Null if it is absent. */
export function dateOf(fields: Fields, name: string, where: string): string | null {
  const text = fields.text(`${name}/Dt`) ?? fields.text(`${name}/DtTm`) ?? fields.text(`${name}DtTm`);
  if (text === null) return null;
  const day = text.slice(0, 10);
  const hasTimeOrZone = text.length === 10 || /^(?:T\d\d:\d\d\S*|Z|[+-]\d\d:\d\d)$/.test(text.slice(10));
  if (hasTimeOrZone && isStatementDay(day)) return day;
  throw new StatementFault(`${where}: ${shown(text)} is not a date (${name.split('/').at(-1)}).`);
}
