// Verifies what daily closes name: seals, audit entries and bank statements must exist as they were.
import type { Connection } from '../../../db/driver/connection.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';
import { type Findings, rowsOf } from '../../../ledger/verification/findings.ts';
import type { CloseDocument, TrustBalance } from './document.ts';

/** A statement that was uploaded this shortly before the close may not have been committed yet. */
const UPLOAD_MARGIN_MS = 2 * MINUTE_MS;

type Documents = readonly CloseDocument[];

function nameOf({ number, date }: CloseDocument): string {
  return `close ${number} of ${date}`;
}

async function texts(connection: Connection, cursor: string, text: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const [key, value] of rowsOf(connection, cursor, text)) found.set(String(key), String(value));
  return found;
}

/** In batches of literals: hexadecimal digits and numbers only. */
export async function verifySeals(connection: Connection, documents: Documents, findings: Findings): Promise<void> {
  const batches = documents.flatMap(({ seals }) => seals.heads.map(({ batch }) => BigInt(batch)));
  const entries = documents.map(({ seals }) => BigInt(seals.audit.seq));
  const macs = await texts(
    connection,
    'close_seals',
    `select batch, encode(mac, 'hex') from seals where batch in (${[0n, ...batches].join(', ')})`,
  );
  const chains = await texts(connection, 'close_chains', `select id, encode(mac, 'hex') from seal_chains`);
  const hashes = await texts(
    connection,
    'close_entries',
    `select seq, encode(hash, 'hex') from audit_log where seq in (${[-1n, ...entries].join(', ')})`,
  );
  for (const document of documents) {
    const { chain, heads, audit } = document.seals;
    const missing = [
      ...heads.flatMap(({ batch, mac }) => (macs.get(batch) === mac ? [] : [`the seal of batch ${batch}`])),
      ...(chain && chains.get(String(chain.id)) !== chain.mac ? [`the chain of seals ${chain.id}`] : []),
      ...(audit.seq > 0 && hashes.get(String(audit.seq)) !== audit.hash ? [`audit entry ${audit.seq}`] : []),
    ];
    for (const what of missing)
      findings.fault('close_reference_missing', nameOf(document), `${what} is missing or has changed`);
  }
}

interface Statement {
  id: string;
  accountId: string;
  from: string;
  to: string;
  opening: number;
  closing: number;
  uploadedAt: number;
}

const STATEMENTS = `select id, trust_account_id, from_date, to_date, opening_balance, closing_balance,
  extract(epoch from uploaded_at) * 1000 from bank_statements`;
const ENTRIES = `select statement_id, booked_on, sum(amount) from bank_entries group by 1, 2`;

/** Each balance follows from the statement that the close names, and no later statement was known then. */
export async function verifyTrust(connection: Connection, documents: Documents, findings: Findings): Promise<void> {
  const statements: Statement[] = [];
  for await (const row of rowsOf(connection, 'close_statements', STATEMENTS)) {
    const [id, accountId, from, to, opening, closing, uploadedAt] = row.map(String) as string[];
    const balances = { opening: Number(opening), closing: Number(closing), uploadedAt: Number(uploadedAt) };
    statements.push({ id: String(id), accountId: String(accountId), from: String(from), to: String(to), ...balances });
  }
  const booked = new Map<string, { on: string; amount: number }[]>();
  for await (const [id, on, amount] of rowsOf(connection, 'close_bank_entries', ENTRIES)) {
    booked.set(String(id), [...(booked.get(String(id)) ?? []), { on: String(on), amount: Number(amount) }]);
  }
  for (const document of documents) {
    const knownBefore = Date.parse(document.closed_at) - UPLOAD_MARGIN_MS;
    for (const account of document.trust.accounts) {
      const ofAccount = statements.filter(({ accountId, from }) => accountId === account.id && from <= document.date);
      const fault = balanceFault(account, document.date, ofAccount, booked);
      const later = ofAccount.find((each) => each.uploadedAt < knownBefore && each.to > (account.balance_date ?? ''));
      const isLater = later && later.id !== account.statement_id;
      const about = nameOf(document);
      if (fault) findings.fault('close_reference_missing', about, `trust account ${account.id}: ${fault}`);
      if (isLater) findings.fault('close_differs', about, `trust account ${account.id}: it does not use ${later.id}`);
    }
  }
}

function balanceFault(
  { statement_id, balance, balance_date }: TrustBalance,
  date: string,
  statements: readonly Statement[],
  booked: ReadonlyMap<string, readonly { on: string; amount: number }[]>,
): string | null {
  if (statement_id === null) return balance === null && balance_date === null ? null : 'its balance has no statement';
  const statement = statements.find(({ id }) => id === statement_id);
  if (!statement) return `statement ${statement_id} does not exist`;
  const upToDay = (booked.get(statement_id) ?? []).filter(({ on }) => on <= date);
  const isWhole = statement.to <= date;
  const expected = isWhole ? statement.closing : upToDay.reduce((sum, { amount }) => sum + amount, statement.opening);
  const expectedDate = isWhole ? statement.to : date;
  if (balance === expected && balance_date === expectedDate) return null;
  return `its balance is ${balance} of ${balance_date}, by statement ${statement_id} ${expected} of ${expectedDate}`;
}
