// Who holds a wallet, and which partners there are: look-ups that arrive together travel together.

import { batchLoader, type Load } from '../../db/batch.ts';
import type { Reader } from '../../db/reader.ts';

/** A subscriber, as far as its wallet is concerned. */
export interface Holder {
  id: string;
  account_number: string;
  first_name: string;
  last_name: string;
  status: string;
  disabled_transaction_types: string[];
}

export interface Holders {
  byId: Load<string, Holder | null>;
  /** E.164. */
  byPhone: Load<string, Holder | null>;
  byPartnerWallet: Load<string, Holder | null>;
  byAccountNumber: Load<string, Holder | null>;
}

export interface PartnerOnFile {
  id: string;
  name: string;
  status: string;
}

const HOLDER = 'id, account_number, first_name, last_name, status, disabled_transaction_types';

export function holdersOf(reader: Reader): Holders {
  const by = (column: string) => lookUp<Holder>(reader, { table: 'subscribers', columns: HOLDER, column });
  return {
    byId: by('id'),
    byPhone: by('phone_number'),
    byPartnerWallet: by('partner_wallet_id'),
    byAccountNumber: by('account_number'),
  };
}

export function partnerById(reader: Reader): Load<string, PartnerOnFile | null> {
  return lookUp(reader, { table: 'partners', columns: 'id, name, status', column: 'id' });
}

interface LookUp {
  table: string;
  columns: string;
  column: string;
}

/** Lateral with a limit: only an index can serve it, whatever the planner believed when the table was empty. */
function lookUp<Row extends object>(reader: Reader, { table, columns, column }: LookUp): Load<string, Row | null> {
  const name = `wallet-${table}-by-${column}`;
  const text = `select asked.key as asked_for, found.* from unnest($1::text[]) as asked (key) cross join lateral (
    select ${columns} from ${table} where ${column} = asked.key limit 1) found`;
  return batchLoader({
    async fetch(keys: string[]) {
      const { rows } = await reader.query<Row & { asked_for: string }>({ name, text, values: [[...new Set(keys)]] });
      const found = new Map(rows.map((row) => [row.asked_for, row]));
      return keys.map((key) => found.get(key) ?? null);
    },
  });
}
