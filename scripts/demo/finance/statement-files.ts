// Writes bank statements of one day as the banks do: camt.053, MT940 and CSV.

export interface BankEntry {
  /** Minor units; money that arrives is positive. */
  amount: number;
  reference: string | null;
  /** The other party, as the bank knows it. */
  name: string | null;
  text: string;
}

export interface DayStatement {
  accountNumber: string;
  /** YYYY-MM-DD. */
  day: string;
  dayBefore: string;
  opening: number;
  entries: readonly BankEntry[];
}

export type StatementFormat = 'camt.053' | 'mt940' | 'csv';

export interface StatementFile {
  mediaType: string;
  extension: string;
  text: string;
}

/** Null: the format has no statement without entries. */
export function statementFile(format: StatementFormat, statement: DayStatement): StatementFile | null {
  if (format === 'camt.053') return { mediaType: 'application/xml', extension: 'xml', text: camt053(statement) };
  if (format === 'mt940') return { mediaType: 'text/plain', extension: 'txt', text: mt940(statement) };
  if (statement.entries.length === 0) return null;
  return { mediaType: 'text/csv', extension: 'csv', text: csv(statement) };
}

export const closingOf = ({ opening, entries }: Pick<DayStatement, 'opening' | 'entries'>) =>
  entries.reduce((sum, { amount }) => sum + amount, opening);

function decimal(amount: number, separator: string): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${digits.slice(0, -2)}${separator}${digits.slice(-2)}`;
}

const signed = (amount: number) => (amount < 0 ? '-' : '') + decimal(amount, '.');

function camt053(statement: DayStatement): string {
  const { accountNumber, day, opening, entries } = statement;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
  <BkToCstmrStmt>
    <GrpHdr><MsgId>${accountNumber}-${day}</MsgId><CreDtTm>${day}T23:59:00+00:00</CreDtTm></GrpHdr>
    <Stmt>
      <Id>${accountNumber}-${day}</Id>
      <FrToDt><FrDtTm>${day}T00:00:00+00:00</FrDtTm><ToDtTm>${day}T23:59:59+00:00</ToDtTm></FrToDt>
      <Acct><Id><Othr><Id>${accountNumber}</Id></Othr></Id><Ccy>SLE</Ccy></Acct>
      ${camtBalance('OPBD', opening, day)}
      ${camtBalance('CLBD', closingOf(statement), day)}
${entries.map((entry, index) => camtEntry(entry, day, index)).join('\n')}
    </Stmt>
  </BkToCstmrStmt>
</Document>
`;
}

const indicator = (amount: number) => `<CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function camtBalance(type: string, amount: number, day: string): string {
  const code = `<Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>`;
  return `<Bal>${code}<Amt Ccy="SLE">${decimal(amount, '.')}</Amt>${indicator(amount)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
}

function camtEntry({ amount, reference, name, text }: BankEntry, day: string, index: number): string {
  const party = amount < 0 ? 'Cdtr' : 'Dbtr';
  const refs = reference ? `<Refs><EndToEndId>${xml(reference)}</EndToEndId></Refs>` : '';
  const parties = name ? `<RltdPties><${party}><Pty><Nm>${xml(name)}</Nm></Pty></${party}></RltdPties>` : '';
  return `      <Ntry>
        <NtryRef>${index + 1}</NtryRef>
        <Amt Ccy="SLE">${decimal(amount, '.')}</Amt>
        ${indicator(amount)}
        <Sts><Cd>BOOK</Cd></Sts>
        <BookgDt><Dt>${day}</Dt></BookgDt>
        <NtryDtls><TxDtls>${refs}${parties}<RmtInf><Ustrd>${xml(text)}</Ustrd></RmtInf></TxDtls></NtryDtls>
      </Ntry>`;
}

const short = (day: string) => day.replaceAll('-', '').slice(2);
const side = (amount: number) => (amount < 0 ? 'D' : 'C');

/** The opening balance has the previous day's date. */
function mt940(statement: DayStatement): string {
  const { accountNumber, day, dayBefore, opening, entries } = statement;
  const balance = (date: string, amount: number) => `${side(amount)}${short(date)}SLE${decimal(amount, ',')}`;
  const date = `${short(day)}${short(day).slice(2)}`;
  const lines = entries.flatMap(({ amount, reference, name, text }, index) => [
    `:61:${date}${side(amount)}${decimal(amount, ',')}NTRF${reference ?? 'NONREF'}//${short(day)}${index + 1}`,
    `:86:166?20${text}${name ? `?32${name}` : ''}`,
  ]);
  const head = [`:20:${short(day)}`, `:25:${accountNumber}`, `:28C:1/1`, `:60F:${balance(dayBefore, opening)}`];
  return [...head, ...lines, `:62F:${balance(day, closingOf(statement))}`, '-', ''].join('\n');
}

function csv({ day, opening, entries }: DayStatement): string {
  let balance = opening;
  const lines = entries.map(({ amount, reference, name, text }) => {
    balance += amount;
    const description = name ? `${text}, ${name}` : text;
    return [day, signed(amount), reference ?? '', `"${description.replaceAll('"', '""')}"`, signed(balance)].join(',');
  });
  return ['date,amount,reference,description,balance', ...lines, ''].join('\n');
}
