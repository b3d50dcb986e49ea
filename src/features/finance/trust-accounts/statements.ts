// Uploads of bank statements: each file is stored once, whole, and only if it continues the previous statement.

import { setTimeout as delay } from 'node:timers/promises';
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import type { FileChunks } from '../../../http/upload.ts';
import { boundedConcurrency, Overloaded } from '../../../kernel/bounded-concurrency.ts';
import { iso } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { formatMoney } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { listBankEntries } from '../reconciliation/service.ts';
import { type EntryBatches, entryBatches } from './entry-batches.ts';
import { addDays } from './parsing/amounts.ts';
import { invalid, type ReadStatement, readStatement } from './parsing/read-statement.ts';
import * as store from './store.ts';

export type TrustAccountsContext = ChangeContext;

export interface UploadedFile {
  mediaType: string;
  chunks: FileChunks;
}

export interface UploadedStatement {
  statement: store.StatementRow;
  /** False: the file was uploaded before. */
  isNew: boolean;
  /** What the user should check; it does not make the statement invalid. */
  warnings: string[];
}

interface NewStatement {
  id: string;
  account: store.TrustAccountRow;
  read: ReadStatement;
  entries: EntryBatches;
}

/** Each upload holds its file's entries in memory. */
const UPLOADS = { maxRunning: 2, maxWaiting: 8 };
const LOCK_RETRY_MS = 100;
const LOCK_ATTEMPTS = 300;

export function createStatementUpload({ database, audit, clock }: TrustAccountsContext) {
  const oneOfFew = boundedConcurrency(UPLOADS);

  return async function upload(
    actor: Actor,
    accountId: string,
    { mediaType, chunks }: UploadedFile,
  ): Promise<UploadedStatement | Refusal> {
    const account = await store.findTrustAccount(database.queries, accountId);
    if (!account) return noSuchTrustAccount();
    return oneOfFew(async () => {
      const { account_number: accountNumber, currency } = account;
      const read = await readStatement(chunks, mediaType, { accountNumber, currency });
      if (read instanceof Refusal) return read;
      return save(actor, account, read);
    });
  };

  /**
   * Waits for another upload to the account outside a transaction: a large statement takes longer than a statement of the
   * database may.
   */
  async function save(actor: Actor, account: store.TrustAccountRow, read: ReadStatement) {
    const id = newId('stmt', clock);
    const entries = await entryBatches(clock, { trust_account_id: account.id, statement_id: id }, read.entries);
    for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
      const stored = await database.transact(async (trx) => {
        const locked = await store.tryLockTrustAccount(trx, account.id);
        if (!locked) return null;
        if (locked.account_number !== account.account_number)
          return invalid('The account number changed during the upload.');
        return storeLocked(trx, actor, { id, account: locked, read, entries });
      });
      if (stored !== null) return stored;
      await delay(LOCK_RETRY_MS);
    }
    throw new Overloaded();
  }

  async function storeLocked(
    trx: DatabaseTransaction,
    actor: Actor,
    { id, account, read, entries }: NewStatement,
  ): Promise<UploadedStatement | Refusal> {
    const known = await store.statementOfFile(trx, account.id, read.file.sha256);
    if (known) {
      const before = await store.lastStatement(trx, account.id, known.from_date);
      return { statement: known, isNew: false, warnings: gapWarnings(known.from_date, before) };
    }
    if (account.status === 'closed') return refuse('TRUST_ACCOUNT_CLOSED', 'The trust account is closed.');
    const previous = await store.lastStatement(trx, account.id);
    const refusal = futureRefusal(read) ?? orderRefusal(read, previous);
    if (refusal) return refusal;
    const statement = await store.insertStatement(trx, {
      ...{ id, trust_account_id: account.id, format: read.format },
      file_sha256: read.file.sha256,
      ...{ from_date: read.from, to_date: read.to },
      ...{ opening_balance: read.openingBalance, closing_balance: read.closingBalance },
      ...{ entry_count: read.entries.length, entries_digest: entries.digest },
      file: read.file.gzip,
      uploaded_by: actor.caller.id ?? actor.caller.kind,
      uploaded_at: new Date(clock.now()),
    });
    for (const batch of entries.batches) {
      await store.insertEntries(trx, batch);
      await listBankEntries(trx, batch);
    }
    await audit.record(trx, actor, {
      action: 'trust_account.statement',
      ...{ resourceType: 'bank_statement', resourceId: statement.id, details: detailsOf(statement) },
    });
    return { statement, isNew: true, warnings: gapWarnings(read.from, previous) };
  }

  function futureRefusal({ to }: ReadStatement): Refusal | null {
    const today = iso(clock.now()).slice(0, 10);
    return to > today ? invalid(`The statement ends on ${to}, which is in the future.`) : null;
  }
}

/** Statements are uploaded in order: each begins after the previous one, with its closing balance. */
function orderRefusal(
  { from, openingBalance }: ReadStatement,
  previous: store.StatementRow | undefined,
): Refusal | null {
  if (!previous) return null;
  const { id, to_date: to, closing_balance: closing } = previous;
  if (from <= to) {
    return invalid(
      `The statement begins on ${from}, but statement ${id} already covers the days up to ${to}: they overlap. Upload statements in order.`,
    );
  }
  if (openingBalance === closing) return null;
  const balances = `The opening balance is ${formatMoney(openingBalance)}, but the closing balance of the previous statement ${id} is ${formatMoney(closing)}`;
  return invalid(`${balances}: entries between ${to} and ${from} are missing.`);
}

/** Days without a statement are normal on weekends. If a statement is missing whose entries sum to zero, only its days show it. */
function gapWarnings(from: string, previous: store.StatementRow | undefined): string[] {
  if (!previous) return [];
  const [first, last] = [addDays(previous.to_date, 1), addDays(from, -1)];
  if (first > last) return [];
  const days = first === last ? first : `the days from ${first} to ${last}`;
  return [
    `No statement covers ${days}. Check that the bank issued none for them: entries that sum to zero could be missing.`,
  ];
}

function detailsOf({ trust_account_id, format, from_date, to_date, ...row }: store.StatementRow) {
  return {
    ...{ trust_account_id, format, from: from_date, to: to_date, entry_count: row.entry_count },
    ...{ opening_balance: row.opening_balance, closing_balance: row.closing_balance },
    file_sha256: row.file_sha256.toString('hex'),
  };
}

export function noSuchTrustAccount(): Refusal {
  return refuse('NOT_FOUND', 'No trust account has this id.');
}
