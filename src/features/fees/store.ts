// Queries on the fee settings table: a few rows, read for every batch of payments.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { bool, integer, text } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { type Columns, statement } from '../../db/driver/statement.ts';
import { type TableReader, tableReader } from '../../db/keyed-lookup.ts';
import type { NewRow, Row } from '../../db/schema/tables.ts';
import type { FeeSetting } from '../../payments/fees.ts';

export type SettingRow = Row<'fee_settings'>;
export type NewSetting = Omit<NewRow<'fee_settings'>, 'id'>;

const PRICES = statement(
  'fee-settings',
  `select transaction_type, party_type, fee_type, value, debit_enabled, credit_enabled from fee_settings`,
  priceOf,
);

export function pricesReader(reader: Reader): TableReader<readonly FeeSetting[]> {
  return tableReader(reader, PRICES, (prices) => prices);
}

function priceOf([transactionType, party, feeType, value, debit, credit]: Columns): FeeSetting {
  return {
    transactionType: text(transactionType),
    party: text(party),
    feeType: text(feeType),
    value: integer(value),
    debitEnabled: bool(debit),
    creditEnabled: bool(credit),
  };
}

export function allSettings(trx: Queries): Promise<SettingRow[]> {
  return trx.selectFrom('fee_settings').selectAll().execute();
}

/** Serializes changes, so that each audit entry contains the setting it replaced. Does not block reads. */
export async function lockSettings(trx: Queries): Promise<void> {
  await sql`lock table fee_settings in share row exclusive mode`.execute(trx);
}

export function findSetting(queries: Queries, type: string, party: string): Promise<SettingRow | undefined> {
  const setting = queries.selectFrom('fee_settings').selectAll().where('transaction_type', '=', type);
  return setting.where('party_type', '=', party).executeTakeFirst();
}

export function upsertSetting(trx: Queries, setting: NewSetting, id: number | undefined): Promise<SettingRow> {
  if (id === undefined) return trx.insertInto('fee_settings').values(setting).returningAll().executeTakeFirstOrThrow();
  return trx.updateTable('fee_settings').set(setting).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

/** The names of users by email, and of API keys by id: who changed a setting is stored so. */
export async function findAuthors(queries: Queries, authors: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ author: string; name: string }>`
    select email as author, first_name || ' ' || last_name as name from users where email = any(${authors}::text[])
    union all select id, name from api_keys where id = any(${authors}::text[])`.execute(queries);
  return new Map(rows.map(({ author, name }) => [author, name]));
}

export async function deleteSetting(trx: Queries, id: number): Promise<void> {
  await trx.deleteFrom('fee_settings').where('id', '=', id).execute();
}
