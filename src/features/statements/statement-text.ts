// Writes a statement as JSON or CSV, page by page while it is read.
import { csv } from '../../http/csv/csv-text.ts';
import { iso } from '../../kernel/clock.ts';
import { withMember } from '../../kernel/json-text.ts';
import { CURRENCY, decimalMoney, formatMoney } from '../../kernel/money.ts';
import { accountView, withoutIdsOf } from '../transactions/service.ts';
import { fullName, maskedAccount, type Statement, type StatementEntry } from './statement.ts';

export async function* statementJson(statement: Statement): AsyncGenerator<string> {
  yield `${JSON.stringify(headerOf(statement)).slice(0, -1)},"entries":[`;
  let separator = '';
  for await (const page of statement.pages()) {
    yield separator + page.map((entry) => jsonEntry(statement, entry)).join(',');
    separator = ',';
  }
  yield ']}';
}

function headerOf(statement: Statement) {
  const { holder, opening, closing, held } = statement;
  return {
    success: true,
    subscriber_id: holder.id,
    holder_name: fullName(holder),
    account_number: maskedAccount(holder),
    currency: CURRENCY,
    from: iso(statement.from),
    to: iso(statement.to),
    generated_at: iso(statement.generatedAt),
    ...(statement.archivedBefore === null ? {} : { archived_before: iso(statement.archivedBefore) }),
    opening_balance: opening,
    opening_balance_formatted: formatted(opening),
    closing_balance: closing,
    closing_balance_formatted: formatted(closing),
    closing_held: held,
    total_credits: statement.credits,
    total_debits: statement.debits,
    entry_count: statement.count,
  };
}

function jsonEntry({ holder }: Statement, { entry, hiddenParty, balance, ...rest }: StatementEntry): string {
  const { description, debit, credit } = rest;
  const whole = { ...accountView(holder.id, entry), balance_after: balance };
  const { metadata, ...seen } = hiddenParty === null ? whole : withoutIdsOf(whole, (id) => id === hiddenParty);
  const json = JSON.stringify({ ...seen, description, debit, credit });
  return metadata === null ? json : withMember(json, 'metadata', metadata);
}

// Amounts are in leones, because people read the file.
const COLUMNS = [
  'created_at',
  'transaction_id',
  'type',
  'description',
  'narration',
  'reference',
  'debit',
  'credit',
  'fee',
  'balance',
  'currency',
];

export async function* statementCsv(statement: Statement): AsyncGenerator<string> {
  const { from, to, opening, closing, held, archivedBefore } = statement;
  const label = archivedBefore === null ? 'Opening balance' : 'Opening balance; earlier entries are archived';
  yield csv([COLUMNS, balanceRecord(archivedBefore ?? from, 'opening_balance', label, opening)]);
  for await (const page of statement.pages()) yield csv(page.map(csvRecord));
  yield csv([balanceRecord(to, 'closing_balance', 'Closing balance', closing)]);
  if (held) yield csv([balanceRecord(to, 'closing_held', 'Of it held for authorised payments', held)]);
}

function csvRecord({ entry, description, debit, credit, balance }: StatementEntry): unknown[] {
  const { at, movementId, type, narration, reference, fee } = entry;
  const texts = [iso(at), movementId, type, description, narration, reference];
  return [...texts, ...[debit, credit, fee, balance].map(decimalOrNothing), CURRENCY];
}

function balanceRecord(at: number, type: string, label: string, balance: number | null): unknown[] {
  return [iso(at), null, type, label, null, null, null, null, null, decimalOrNothing(balance), CURRENCY];
}

/** Null: hidden from the reader, or no amount of this kind. */
function decimalOrNothing(amount: number | null): string | null {
  return amount === null ? null : decimalMoney(amount);
}

function formatted(balance: number | null): string | null {
  return balance === null ? null : formatMoney(balance);
}
