// Subscribers as parties to a payment: batched look-ups by each of their identifiers, and the refusals about them.
import type { Load } from '../db/batch-loader.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import { text, texts, textsOrNone } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { type Columns, statement } from '../db/driver/statement.ts';
import { keyedLookup, loader } from '../db/keyed-lookup.ts';
import { tableLookup } from '../db/lookup.ts';
import { iso } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { MovementType } from '../ledger/movement-types.ts';
import type { Shortfall } from '../ledger/types.ts';
import { ENDED } from './registration.ts';

/** The subscriber who holds a wallet. */
export interface Holder {
  id: string;
  account_number: string;
  first_name: string;
  last_name: string;
  status: string;
  disabled_transaction_types: readonly string[];
}

/** The fields that decide whether a subscriber may take part in a payment. */
export type HolderStatus = Pick<Holder, 'id' | 'status' | 'disabled_transaction_types'>;

export interface Holders {
  byId: Load<string, Holder | null>;
  /** By id, with the fields that most payments need and no others: this is the most frequent look-up of the service. */
  statusById: Load<string, HolderStatus | null>;
  /** E.164. */
  byPhone: Load<string, Holder | null>;
  byPartnerWallet: Load<string, Holder | null>;
  byAccountNumber: Load<string, Holder | null>;
}

const HOLDER = {
  id: text,
  account_number: text,
  first_name: text,
  last_name: text,
  status: text,
  disabled_transaction_types: texts,
};

/** A number that was registered but not verified belongs to no subscriber yet. */
export const HOLDERS_BY_PHONE = tableLookup(
  {
    name: 'holder-by-verified-phone',
    table: 'subscribers',
    by: 'phone_number',
    columns: HOLDER,
    where: 'phone_verified',
  },
  'id',
);

export const HOLDERS_BY_ACCOUNT_NUMBER = holdersBy('account_number');

function holdersBy(column: 'id' | 'partner_wallet_id' | 'account_number') {
  const where = `status <> '${ENDED}'`;
  return tableLookup({ name: `holder-by-${column}`, table: 'subscribers', by: column, columns: HOLDER, where }, 'id');
}

export function createHolders(reader: Reader): Holders {
  return {
    byId: loader(reader, holdersBy('id')),
    statusById: loader(reader, keyedLookup(STATUS_BY_ID)),
    byPhone: loader(reader, HOLDERS_BY_PHONE),
    byPartnerWallet: loader(reader, holdersBy('partner_wallet_id')),
    byAccountNumber: loader(reader, HOLDERS_BY_ACCOUNT_NUMBER),
  };
}

const STATUS_BY_ID = statement(
  'holder-status',
  `select requested.id, found.* from unnest($1::text[]) as requested (id) cross join lateral (
  select status, nullif(disabled_transaction_types, '{}') from subscribers where id = requested.id limit 1) found`,
  (columns) => [text(columns[0]), holderStatusOf(columns)] as const,
);

function holderStatusOf([id, status, disabled]: Columns): HolderStatus {
  return { id: text(id), status: text(status), disabled_transaction_types: textsOrNone(disabled) };
}

/** Until the transaction ends, the subscriber is not erased; false: it was, or there is none. Payments and updates go on. */
export async function keepFromErasure(trx: DatabaseTransaction, id: string): Promise<boolean> {
  const kept = trx.selectFrom('subscribers').select('id').where('id', '=', id).where('erased_at', 'is', null);
  return (await kept.forKeyShare().executeTakeFirst()) !== undefined;
}

type MissingCode = 'SUBSCRIBER_NOT_FOUND' | 'USER_NOT_FOUND' | 'NOT_FOUND';

/** The interface gives some routes their own code. */
export function noSuchSubscriber(who = 'subscriber', code: MissingCode = 'SUBSCRIBER_NOT_FOUND'): Refusal {
  return refuse(code, `There is no such ${who}.`);
}

export function subscriberBlocked(who = 'subscriber'): Refusal {
  return refuse('SUBSCRIBER_BLOCKED', `The ${who} is blocked.`);
}

function typeDisabled(who = 'subscriber'): Refusal {
  return refuse('TRANSACTION_TYPE_DISABLED', `This type of transaction is disabled for the ${who}.`);
}

/** Null when the holder may take part in a transaction of the type. The ledger checks again on the locked account. */
export function holderStatusRefusal(holder: HolderStatus, type: MovementType, who: string): Refusal | null {
  switch (holder.status) {
    case 'BLOCKED':
      return subscriberBlocked(who);
    case 'PENDING':
    case ENDED:
      return refuse('SUBSCRIBER_BLOCKED', `The ${who} is not active yet.`);
  }
  return holder.disabled_transaction_types.includes(type) ? typeDisabled(who) : null;
}

/** The wallet as one side of a payment; `card`: the serial of the card that names it. */
export function walletSide(id: string, party: 'sender' | 'recipient', card?: string) {
  return { accountId: id, kind: 'wallet', party, card } as const;
}

function overDailyLimit({ reducedUntil }: Shortfall, details: Record<string, number> = {}): Refusal {
  const sentence =
    reducedUntil === undefined
      ? "The amount exceeds what is left of the wallet's daily limit."
      : `The PIN was reset: until ${iso(reducedUntil)} the wallet pays at most a tenth of its daily limit.`;
  return refuse('DAILY_LIMIT_EXCEEDED', sentence, { details });
}

/** For payments through an agent or a merchant, who must not learn what the holder can still pay. */
export const REFUSALS_WITHOUT_AMOUNTS = { daily_limit: (shortfall: Shortfall) => overDailyLimit(shortfall) };

/** Texts for refusals by the ledger about a wallet. */
export const WALLET_REFUSALS = {
  account_missing: () => noSuchSubscriber(),
  account_frozen: () => subscriberBlocked(),
  type_disabled: () => typeDisabled(),
  daily_limit: (shortfall: Shortfall) => {
    const { available, required } = shortfall;
    return overDailyLimit(shortfall, { available, required });
  },
  ceiling: () => refuse('MAX_BALANCE_EXCEEDED', 'The amount would exceed the maximum balance of the wallet.'),
  floor: () => refuse('INSUFFICIENT_BALANCE', 'The balance does not cover the amount and its fee.'),
};
