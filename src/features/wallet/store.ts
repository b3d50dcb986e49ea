// Who holds a wallet, and which partners there are: look-ups that arrive together travel together.

import { batchLoader, type Load } from '../../db/batch-loader.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { texts } from '../../db/driver/columns.ts';
import type { Columns } from '../../db/driver/prepared.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { lookup } from '../../db/lookup.ts';

/** A subscriber, as far as its wallet is concerned. */
export interface Holder {
  id: string;
  account_number: string;
  first_name: string;
  last_name: string;
  status: string;
  disabled_transaction_types: readonly string[];
}

/** What decides whether a subscriber may take part in a payment. */
export type HolderStatus = Pick<Holder, 'id' | 'status' | 'disabled_transaction_types'>;

export interface Holders {
  byId: Load<string, Holder | null>;
  /** By id, and no more than payments need: most of what the service looks up is this. */
  standing: Load<string, HolderStatus | null>;
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

const HOLDER = ['id', 'account_number', 'first_name', 'last_name', 'status', 'disabled_transaction_types'];

export function holdersOf(reader: Reader): Holders {
  const by = (column: string) =>
    lookup<Holder>(reader, { name: `holder-by-${column}`, table: 'subscribers', columns: HOLDER, column });
  return {
    byId: by('id'),
    standing: standingById(reader),
    byPhone: by('phone_number'),
    byPartnerWallet: by('partner_wallet_id'),
    byAccountNumber: by('account_number'),
  };
}

const STANDING = `select asked.id, found.* from unnest($1::text[]) as asked (id) cross join lateral (
  select status, nullif(disabled_transaction_types, '{}') from subscribers where id = asked.id limit 1) found`;

function standingOf([id, status, disabled]: Columns): HolderStatus {
  return { id: id as string, status: status as string, disabled_transaction_types: texts(disabled) };
}

function standingById(reader: Reader): Load<string, HolderStatus | null> {
  return batchLoader({
    async fetch(ids: string[]) {
      const values = [textArray([...new Set(ids)])];
      const rows = await reader.rows({ name: 'wallet-standing', text: STANDING, values });
      const found = new Map(rows.map((row) => [row[0] as string, standingOf(row)]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
}

export function partnerById(reader: Reader): Load<string, PartnerOnFile | null> {
  return lookup(reader, {
    name: 'partner-on-file',
    table: 'partners',
    columns: ['id', 'name', 'status'],
    column: 'id',
  });
}
