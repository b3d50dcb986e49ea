// Bank statements for tests in each of the three formats, and their upload.
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';

export const ACCOUNT_NUMBER = '0030012345678';
export const CAMT = 'application/xml';
export const MT940 = 'text/plain';
export const CSV = 'text/csv';

export interface FileEntry {
  /** Minor units; credits are positive. */
  amount: number;
  day?: string;
  reference?: string;
  description?: string;
}

export interface FileContent {
  opening?: number;
  entries: FileEntry[];
  from?: string;
  /** The last day; by default the first. */
  to?: string;
  account?: string;
  currency?: string;
  /** By default what opening and entries make. */
  closing?: number;
}

const DAY = '2026-02-23';

export function decimal(minorUnits: number, separator = '.'): string {
  const digits = String(Math.abs(minorUnits)).padStart(3, '0');
  return `${minorUnits < 0 ? '-' : ''}${digits.slice(0, -2)}${separator}${digits.slice(-2)}`;
}

function closingOf({ opening = 0, entries, closing }: FileContent): number {
  return closing ?? entries.reduce((sum, { amount }) => sum + amount, opening);
}

export function csvFile({ opening = 0, entries, from = DAY }: FileContent): string {
  let balance = opening;
  const lines = entries.map(({ amount, day = from, reference = '', description = '' }) => {
    balance += amount;
    return [day, decimal(amount), reference, `"${description.replaceAll('"', '""')}"`, decimal(balance)].join(',');
  });
  return ['date,amount,reference,description,balance', ...lines, ''].join('\n');
}

const short = (day: string) => day.replaceAll('-', '').slice(2);
const side = (amount: number) => (amount < 0 ? 'D' : 'C');

export function mt940File(content: FileContent): string {
  const { opening = 0, entries, from = DAY, to = from, account = ACCOUNT_NUMBER, currency = 'SLE' } = content;
  const balance = (day: string, amount: number) =>
    `${side(amount)}${short(day)}${currency}${decimal(Math.abs(amount), ',')}`;
  const lines = entries.flatMap(({ amount, day = from, reference = 'NONREF', description }, index) => [
    `:61:${short(day)}${short(day).slice(2)}${side(amount)}${decimal(Math.abs(amount), ',')}NTRF${reference}//B${index}`,
    ...(description === undefined ? [] : [`:86:${description}`]),
  ]);
  const head = [':20:STMT', `:25:${account}`, ':28C:1/1', `:60F:${balance(from, opening)}`];
  return [...head, ...lines, `:62F:${balance(to, closingOf(content))}`, '-', ''].join('\n');
}

export function camtEntry(
  { amount, day = DAY, reference, description }: FileEntry,
  { currency = 'SLE', extra = '', bankReference = '' } = {},
): string {
  const details = [
    reference === undefined ? '' : `<Refs><EndToEndId>${reference}</EndToEndId></Refs>`,
    description === undefined ? '' : `<RmtInf><Ustrd>${description}</Ustrd></RmtInf>`,
  ].join('');
  return (
    `<Ntry><Amt Ccy="${currency}">${decimal(Math.abs(amount))}</Amt>` +
    `<CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>` +
    `${bankReference && `<AcctSvcrRef>${bankReference}</AcctSvcrRef>`}` +
    `${details && `<NtryDtls><TxDtls>${details}</TxDtls></NtryDtls>`}${extra}</Ntry>`
  );
}

export const camtBalance = (type: string, amount: number, day: string, currency = 'SLE') =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${decimal(Math.abs(amount))}</Amt>` +
  `<CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

export function camtStatement(content: FileContent, { entries = '', extra = '' } = {}): string {
  const { opening = 0, from = DAY, to = from, account = ACCOUNT_NUMBER, currency = 'SLE' } = content;
  return (
    `<Stmt><Id>1</Id><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>` +
    camtBalance('OPBD', opening, from, currency) +
    `${camtBalance('CLBD', closingOf(content), to, currency)}${extra}` +
    `${content.entries.map((entry) => camtEntry({ day: from, ...entry }, { currency })).join('\n')}${entries}</Stmt>`
  );
}

export const camtDocument = (...statements: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n` +
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">\n<BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>\n` +
  `${statements.join('\n')}\n</BkToCstmrStmt></Document>\n`;

export const camtFile = (content: FileContent) => camtDocument(camtStatement(content));

let accounts = 0;

/** Registers a trust account; each has another bank. */
export async function newTrustAccount(kissi: TestGateway, token: string, fields: object = {}): Promise<Json> {
  accounts += 1;
  const body = { name: 'Trust account', bank: `Bank ${accounts}`, account_number: ACCOUNT_NUMBER, ...fields };
  const reply = assertStatus(await kissi.call('POST', '/api/v1/admin/trust-accounts', { token, body }), 201);
  return reply.json.trust_account;
}

export function uploadStatement(
  kissi: TestGateway,
  token: string,
  accountId: string,
  [type, raw]: [type: string, raw: string | Uint8Array<ArrayBuffer>],
): Promise<CallReply> {
  const headers = { 'content-type': type };
  return kissi.call('POST', `/api/v1/admin/trust-accounts/${accountId}/statements`, { token, raw, headers });
}
