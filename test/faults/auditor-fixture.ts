// A small world in which book and tables agree, for the tests of the auditor.
import { type Book, type Entry, newBook, share } from './book.ts';
import type { Snapshot } from './snapshot.ts';

export interface Sound {
  book: Book;
  tables: Snapshot;
}

type Leg = [account: string, amount: number];

/** One acknowledged movement on both sides; the house's stripes have their own names in the tables. */
function enter(
  { book, tables }: Sound,
  given: Pick<Entry, 'id' | 'route' | 'inbound'>,
  type: string,
  legs: Leg[],
): Entry {
  const fee = legs.find(([account]) => account.startsWith('sys_fees'))?.[1] ?? 0;
  const amount = Math.abs(legs[0]?.[1] ?? 0) - (type === 'transfer_p2p' ? fee : 0);
  const transactionId = `txn_${given.id}`;
  const reply = JSON.stringify({ transaction_id: transactionId });
  const inBook = legs.map(([account, change]) => [account.startsWith('sys_fees') ? 'fees' : account, change]);
  const entry: Entry = {
    ...given,
    effect: { type, amount, fee, legs: Object.fromEntries(inBook) },
    ...{ once: false, state: 'acknowledged', attempts: 1, transactionId, reply, code: null, told: null },
  };
  book.entries.push(entry);
  tables.movements.push({
    id: transactionId,
    type,
    amount,
    fee,
    request_id: given.id,
    related_id: null,
    narration: null,
  });
  tables.requests.push({ request_id: given.id, movement_id: transactionId, reply, refused: false });
  for (const [account, change] of legs) {
    const there = tables.accounts.find(({ id }) => id === account);
    if (there) there.balance += change;
    else tables.accounts.push({ id: account, balance: change });
    const balance_after = (there?.balance ?? change) as number;
    tables.postings.push({ movement_id: transactionId, account_id: account, amount: change, balance_after });
  }
  return entry;
}

function tell({ book, tables }: Sound, entry: Entry, event: string, status: string): void {
  const { id, effect, transactionId } = entry;
  const reference = entry.inbound?.reference ?? '';
  const inbound_id = `inb_${reference}`;
  const body = JSON.stringify({ event, reference, amount: effect.amount, transaction_id: transactionId });
  const row = { id: `evt_${id}`, partner_id: 'ptn_1', event, reference, inbound_id, body, status };
  tables.events.push(row);
  if (status === 'delivered') book.received.push({ id: row.id, body, isGenuine: true });
}

export function sound(): Sound {
  const tables: Snapshot = {
    ...{ accounts: [], movements: [], postings: [], requests: [], inbound: [], reversals: [], alerts: [], events: [] },
  };
  const here: Sound = { book: newBook(), tables };
  const inbound = (reference: string, event: string) => ({ partnerId: 'ptn_1', reference, event });
  enter(here, { id: 'f1', route: 'partner funding', inbound: null }, 'vult_fund', [
    ['ptn_1', -10_000],
    ['sub_1', 10_000],
  ]);
  const fee = share(1_000, 150);
  const p2p = enter(here, { id: 'p1', route: 'P2P', inbound: null }, 'transfer_p2p', [
    ['sub_1', -1_000 - fee],
    ['sub_2', 1_000],
    ['sys_fees_03', fee],
  ]);
  p2p.told = { account: 'sub_1', balance: 8_985 };
  const paid = enter(here, { id: 's1', route: 'POS payment', inbound: null }, 'pos_payment', [
    ['sub_1', -500],
    ['proc_1', 495],
    ['sys_fees_04', 5],
  ]);
  enter(here, { id: 'r1', route: 'POS refund', inbound: null }, 'pos_refund', [
    ['proc_1', -200],
    ['sub_1', 200],
  ]);
  (tables.movements.at(-1) as Snapshot['movements'][number]).related_id = paid.transactionId;
  const credit = enter(
    here,
    { id: 'c1', route: 'inbound credit', inbound: inbound('c1', 'credit.completed') },
    'inbound_credit',
    [
      ['ptn_1', -700],
      ['sub_2', 700],
    ],
  );
  const kept = { id: 'inb_c1', partner_id: 'ptn_1', reference: 'c1', failure_code: null };
  tables.inbound.push({ ...kept, status: 'COMPLETED', transaction_id: credit.transactionId, amount: 700 });
  tell(here, credit, 'credit.completed', 'delivered');
  const reversal = enter(
    here,
    { id: 'v1', route: 'inbound reversal', inbound: inbound('c1', 'credit.reversed') },
    'inbound_reversal',
    [
      ['sub_2', -700],
      ['ptn_1', 700],
    ],
  );
  tables.reversals.push({ inbound_id: 'inb_c1', transaction_id: reversal.transactionId ?? '' });
  tell(here, reversal, 'credit.reversed', 'pending');
  reject(here);
  return here;
}

/** A credit that was refused and is remembered as such, and a payment that was refused and is not. */
function reject(here: Sound): void {
  const { book, tables } = here;
  const nothing = { once: false, attempts: 2, transactionId: null, reply: '{}', told: null };
  const legs = { ptn_1: -50, sub_2: 50 };
  const rejected: Entry = {
    ...{ id: 'c2', route: 'inbound credit', effect: { type: 'inbound_credit', amount: 50, fee: 0, legs }, ...nothing },
    ...{ state: 'refused', code: 'PARTNER_EXPOSURE_LIMIT_EXCEEDED' },
    inbound: { partnerId: 'ptn_1', reference: 'c2', event: 'credit.completed' },
  };
  book.entries.push(rejected);
  tables.requests.push({ request_id: 'c2', movement_id: 'txn_never', reply: '{}', refused: true });
  const kept = { id: 'inb_c2', partner_id: 'ptn_1', reference: 'c2', failure_code: rejected.code };
  tables.inbound.push({ ...kept, status: 'REJECTED', transaction_id: null, amount: 50 });
  tell(here, rejected, 'credit.failed', 'delivered');
  book.entries.push({ ...rejected, id: 'p2', route: 'P2P', code: 'INSUFFICIENT_BALANCE', inbound: null });
  const last = book.entries.at(-1) as Entry;
  last.effect = { ...last.effect, type: 'transfer_p2p' };
}
