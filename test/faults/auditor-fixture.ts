// A small journal and tables that agree, for the auditor's tests.
import { type Entry, type Journal, newJournal, share } from '@kissi/testkit/journal';
import type { Snapshot } from './snapshot.ts';

export interface AuditorFixture {
  journal: Journal;
  tables: Snapshot;
}

type Leg = [account: string, amount: number];

/** Adds an acknowledged movement to the journal and the tables; only the tables distinguish stripes of system accounts. */
function addMovement(
  { journal, tables }: AuditorFixture,
  given: Pick<Entry, 'id' | 'route' | 'inbound'>,
  type: string,
  legs: Leg[],
): Entry {
  const fee = legs.find(([account]) => account.startsWith('sys_fees'))?.[1] ?? 0;
  const amount = Math.abs(legs[0]?.[1] ?? 0) - (type === 'transfer_p2p' ? fee : 0);
  const transactionId = `txn_${given.id}`;
  const reply = JSON.stringify({ transaction_id: transactionId });
  const journalLegs = legs.map(([account, change]) => [account.startsWith('sys_fees') ? 'fees' : account, change]);
  const entry: Entry = {
    ...given,
    effect: { type, amount, fee, legs: Object.fromEntries(journalLegs) },
    ...{ once: false, state: 'acknowledged', attempts: 1, transactionId, reply, code: null, reportedBalance: null },
  };
  journal.entries.push(entry);
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
    const existing = tables.accounts.find(({ id }) => id === account);
    if (existing) existing.balance += change;
    else tables.accounts.push({ id: account, balance: change });
    const balance_after = (existing?.balance ?? change) as number;
    tables.postings.push({ movement_id: transactionId, account_id: account, amount: change, balance_after });
  }
  return entry;
}

function addEvent({ journal, tables }: AuditorFixture, entry: Entry, event: string, status: string): void {
  const { id, effect, transactionId } = entry;
  const reference = entry.inbound?.reference ?? '';
  const inbound_id = `inb_${reference}`;
  const body = JSON.stringify({ event, reference, amount: effect.amount, transaction_id: transactionId });
  const row = { id: `evt_${id}`, partner_id: 'ptn_1', event, reference, inbound_id, body, status };
  tables.events.push(row);
  if (status === 'delivered') journal.received.push({ id: row.id, body, isGenuine: true });
}

export function consistentFixture(): AuditorFixture {
  const tables: Snapshot = {
    ...{ accounts: [], movements: [], postings: [], requests: [], inbound: [], reversals: [], alerts: [], events: [] },
  };
  const fixture: AuditorFixture = { journal: newJournal(), tables };
  const inbound = (reference: string, event: string) => ({ partnerId: 'ptn_1', reference, event });
  addMovement(fixture, { id: 'f1', route: 'partner funding', inbound: null }, 'vult_fund', [
    ['ptn_1', -10_000],
    ['sub_1', 10_000],
  ]);
  const fee = share(1_000, 150);
  const p2p = addMovement(fixture, { id: 'p1', route: 'P2P', inbound: null }, 'transfer_p2p', [
    ['sub_1', -1_000 - fee],
    ['sub_2', 1_000],
    ['sys_fees_03', fee],
  ]);
  p2p.reportedBalance = { account: 'sub_1', balance: 8_985 };
  const paid = addMovement(fixture, { id: 's1', route: 'POS payment', inbound: null }, 'pos_payment', [
    ['sub_1', -500],
    ['proc_1', 495],
    ['sys_fees_04', 5],
  ]);
  addMovement(fixture, { id: 'r1', route: 'POS refund', inbound: null }, 'pos_refund', [
    ['proc_1', -200],
    ['sub_1', 200],
  ]);
  (tables.movements.at(-1) as Snapshot['movements'][number]).related_id = paid.transactionId;
  const credit = addMovement(
    fixture,
    { id: 'c1', route: 'inbound credit', inbound: inbound('c1', 'credit.completed') },
    'inbound_credit',
    [
      ['ptn_1', -700],
      ['sub_2', 700],
    ],
  );
  const record = { id: 'inb_c1', partner_id: 'ptn_1', reference: 'c1', failure_code: null };
  tables.inbound.push({ ...record, status: 'COMPLETED', transaction_id: credit.transactionId, amount: 700 });
  addEvent(fixture, credit, 'credit.completed', 'delivered');
  const reversal = addMovement(
    fixture,
    { id: 'v1', route: 'inbound reversal', inbound: inbound('c1', 'credit.reversed') },
    'inbound_reversal',
    [
      ['sub_2', -700],
      ['ptn_1', 700],
    ],
  );
  tables.reversals.push({ inbound_id: 'inb_c1', transaction_id: reversal.transactionId ?? '' });
  addEvent(fixture, reversal, 'credit.reversed', 'pending');
  addRefusals(fixture);
  return fixture;
}

/** Adds a refused credit, whose refusal is stored, and a refused payment, whose refusal is not. */
function addRefusals(fixture: AuditorFixture): void {
  const { journal, tables } = fixture;
  const refusal = { once: false, attempts: 2, transactionId: null, reply: '{}', reportedBalance: null };
  const legs = { ptn_1: -50, sub_2: 50 };
  const rejected: Entry = {
    ...{ id: 'c2', route: 'inbound credit', effect: { type: 'inbound_credit', amount: 50, fee: 0, legs }, ...refusal },
    ...{ state: 'refused', code: 'PARTNER_EXPOSURE_LIMIT_EXCEEDED' },
    inbound: { partnerId: 'ptn_1', reference: 'c2', event: 'credit.completed' },
  };
  journal.entries.push(rejected);
  tables.requests.push({ request_id: 'c2', movement_id: 'txn_never', reply: '{}', refused: true });
  const record = { id: 'inb_c2', partner_id: 'ptn_1', reference: 'c2', failure_code: rejected.code };
  tables.inbound.push({ ...record, status: 'REJECTED', transaction_id: null, amount: 50 });
  addEvent(fixture, rejected, 'credit.failed', 'delivered');
  journal.entries.push({ ...rejected, id: 'p2', route: 'P2P', code: 'INSUFFICIENT_BALANCE', inbound: null });
  const last = journal.entries.at(-1) as Entry;
  last.effect = { ...last.effect, type: 'transfer_p2p' };
}
