// Amounts in exports: in leones with two decimals and with a currency column, because people read these files.
import { CURRENCY, decimalMoney } from '../../kernel/money.ts';
import type { ListRecord } from './csv-text.ts';

/** Columns with minor units. A test compares them with all integers of all lists. */
const AMOUNTS = new Set([
  ...['amount', 'fee', 'commission', 'debit', 'credit', 'balance', 'balance_after', 'net_credited', 'total'],
  ...['reserved', 'remaining', 'captured_amount', 'excess'],
  ...['floor', 'ceiling', 'reduced_floor', 'daily_limit', 'reduced_daily_limit', 'max_balance'],
  ...['outflow_24_hours', 'outflow_7_days', 'network_balance'],
  ...['min_amount', 'max_amount', 'outstanding', 'outstanding_limit', 'partner_outstanding'],
  ...['opening_balance', 'closing_balance', 'bank_amount', 'books_amount'],
  ...['valid_amount', 'valid_fees', 'total_amount', 'invalid_amount', 'paid_amount', 'paid_fees', 'failed_amount'],
  ...['unclaimed_amount', 'returned_amount', 'cancelled_amount', 'available_amount'],
  ...['e_money', 'trust_balance', 'cover_difference', 'suspense'],
]);

/** Columns whose unit depends on the record. */
const CONDITIONAL: Record<string, (record: ListRecord) => boolean> = {
  // In approval policies and rules; rules of one kind count payments.
  threshold: ({ kind }) => kind !== 'velocity_count',
  value: ({ unit }) => unit === 'minor_units',
};

/** Leones already, if it is not a percentage. */
const FEE = 'fee_value';
/** Some fields are written for display: 1,234.56 SLE. */
const DISPLAYED = /^-?[\d,]+\.\d{2} [A-Z]{3}$/;
const SOMETIMES_DISPLAYED = ['balance', 'held', 'available'];
const isDisplayed = (column: string) => SOMETIMES_DISPLAYED.includes(column) || column.endsWith('_formatted');

const hasAmount = (column: string) =>
  AMOUNTS.has(column) || column in CONDITIONAL || column === FEE || isDisplayed(column);

export function withCurrency(columns: string[]): string[] {
  return columns.some(hasAmount) && !columns.includes('currency') ? [...columns, 'currency'] : columns;
}

/** The record as a row: without an amount, it has no currency either. */
export function inLeones(record: ListRecord): ListRecord {
  const amounts = Object.entries(record).flatMap(([column, value]) => {
    const written = amountOf(record, column, value);
    return written === null ? [] : [[column, written]];
  });
  if (amounts.length === 0) return record;
  const unit = record.unit === 'minor_units' ? { unit: CURRENCY } : {};
  return { currency: CURRENCY, ...record, ...unit, ...Object.fromEntries(amounts) };
}

/** Null for a value that is not an amount. */
function amountOf(record: ListRecord, column: string, value: unknown): string | null {
  if (typeof value === 'string') {
    return isDisplayed(column) && DISPLAYED.test(value) ? value.slice(0, -' SLE'.length).replaceAll(',', '') : null;
  }
  if (typeof value !== 'number') return null;
  if (column === FEE) return record.fee_type === 'flat' ? value.toFixed(2) : null;
  return AMOUNTS.has(column) || CONDITIONAL[column]?.(record) ? decimalMoney(value) : null;
}
