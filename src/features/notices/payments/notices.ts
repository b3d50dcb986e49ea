// Makes the notices of committed movements: one for each side that is told on the channel.
import type { StatementRunner } from '../../../db/driver/statement.ts';
import { shownMoney } from '../../../http/pages/language.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import { type Committed, type CommittedMovement, entryKey } from '../../../ledger/queries/committed.ts';
import { isSystemAccount } from '../../../ledger/system-accounts.ts';
import type { Channel } from '../../messaging/service.ts';
import { wording } from '../wording.ts';
import { findParties, type Party, type Told } from './parties.ts';
import { endOfHour, hourOf, MOST_RECEIVED, type ReceivedLimit } from './received-limit.ts';
import { type SideTold, sidesTold } from './sides.ts';

export interface PaymentNotice {
  /** The same whenever the payment is read: of the movement, the side and the channel. */
  id: string;
  to: string;
  text: string;
  expiresAt: number;
  /** Of what a customer received: the hour in which it counts. */
  hour?: string;
}

/** A movement with its notices, often none. */
export interface ToldMovement {
  movement: CommittedMovement;
  notices: PaymentNotice[];
}

export interface NoticeMaker {
  pool: StatementRunner;
  committed: Committed;
  channel: Channel;
  received: Pick<ReceivedLimit, 'page'>;
  /** Whether somebody with this choice is told on the channel. */
  isChosen(channels: readonly string[] | null): boolean;
}

/** Later, a customer knows from elsewhere, or no longer wants to. */
export const WORTH_MS = DAY_MS;
/** The payer's or payee's when that is the operator. */
const OPERATOR = 'Kissi';

interface Side extends SideTold {
  movement: CommittedMovement;
  told: Told;
  hour?: string;
}

export async function makeNotices(
  maker: NoticeMaker,
  movements: readonly CommittedMovement[],
): Promise<ToldMovement[]> {
  const { pool, committed, isChosen } = maker;
  const ids = new Set(movements.flatMap(({ fromAccount, toAccount }) => [fromAccount, toAccount]));
  const parties = await findParties(
    pool,
    [...ids].filter((id) => !isSystemAccount(id)),
  );
  const sides = movements.map((movement) =>
    sidesTold(movement).flatMap((side) => {
      const told = parties.get(side.accountId)?.told;
      return told && isChosen(told.channels) ? [{ ...side, movement, told }] : [];
    }),
  );
  const posted = sides.flat().filter(({ movement }) => movement.kind === 'posted');
  const entries = await committed.entries(
    posted.map(({ accountId, movement: { id, at } }) => ({ accountId, movementId: id, at })),
  );
  const places = maker.received.page();
  return movements.map((movement, index) => ({
    movement,
    notices: (sides[index] ?? []).flatMap((side) => {
      const limited = withinLimit(side, places);
      return limited ? [noticeOf(maker, limited, parties, entries)] : [];
    }),
  }));
}

/** Null: the customer has been told of enough payments that others made in this hour. */
function withinLimit(side: Side, placeIn: (hour: string) => number): Side | null {
  const { accountId, text, movement } = side;
  if (text !== 'received' || !accountId.startsWith('sub_')) return side;
  const hour = hourOf(accountId, movement.at);
  const place = placeIn(hour);
  if (place > MOST_RECEIVED + 1) return null;
  return { ...side, hour, ...(place > MOST_RECEIVED ? { text: 'received_often' } : {}) };
}

function noticeOf(
  { channel }: NoticeMaker,
  { movement, told, text, accountId, counterparty, hour }: Side,
  parties: ReadonlyMap<string, Party>,
  entries: Awaited<ReturnType<Committed['entries']>>,
): PaymentNotice {
  const { id, place, amount, at, expiresAt } = movement;
  const entry = entries.get(entryKey(accountId, id));
  const values = {
    amount,
    id,
    party: parties.get(counterparty)?.name ?? OPERATOR,
    fee: entry && entry.fee > 0 ? shownMoney(entry.fee) : null,
    balance: entry && told.showsBalance ? shownMoney(entry.balanceAfter) : null,
    until: expiresAt === null ? endOfHour(at) : iso(expiresAt).slice(0, 10),
  };
  const isPayer = accountId === movement.fromAccount;
  return {
    id: `msg_${place.slice(place.indexOf('_') + 1)}${isPayer ? 'P' : 'R'}${channel === 'sms' ? 'S' : 'C'}`,
    to: told.phone_number,
    text: wording(told, channel, text, values),
    expiresAt: at + WORTH_MS,
    ...(hour === undefined ? {} : { hour }),
  };
}
