// The auditor itself: a book and tables that agree pass, and each way of doctoring either of them is found.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { audit } from './auditor.ts';
import { type Sound, sound } from './sound.ts';

type Doctor = (world: Sound) => void;

const entry =
  (id: string, change: object): Doctor =>
  ({ book }) =>
    set(book.entries, (each) => each.id === id, change);
const effect =
  (id: string, change: object): Doctor =>
  ({ book }) =>
    void Object.assign(book.entries.find((each) => each.id === id)?.effect ?? {}, change);

type Table = keyof Sound['tables'];
type Row = Record<string, unknown>;
type Where = (row: Row) => boolean;

const rows = ({ tables }: Sound, table: Table) => tables[table] as unknown as Row[];
const is =
  (column: string, value: string): Where =>
  (row) =>
    row[column] === value;

function set<Each extends object>(all: Each[], where: (each: Each) => boolean, change: object): void {
  Object.assign(all.find(where) ?? {}, change);
}

const changed =
  (table: Table, where: Where, change: object): Doctor =>
  (world) =>
    set(rows(world, table), where, change);
const gone =
  (table: Table, where: Where): Doctor =>
  (world) =>
    void rows(world, table).splice(rows(world, table).findIndex(where), 1);
/** A row like one that is there, but for this. */
const another =
  (table: Table, where: Where, change: object): Doctor =>
  (world) =>
    void rows(world, table).push({ ...rows(world, table).find(where), ...change });

const p1 = is('id', 'txn_p1');
const requestOfP1 = is('request_id', 'p1');
const halfOfP1: Where = (row) => row.movement_id === 'txn_p1' && row.account_id === 'sub_2';
const told = is('event', 'credit.completed');
const c1 = is('reference', 'c1');
const refused = { state: 'refused', code: 'INSUFFICIENT_BALANCE' };
const otherLegs = { legs: { sub_1: -1_015, sub_9: 1_000, fees: 15 } };
const received = { id: 'evt_7', body: '{}', isGenuine: true };

/** What is done to a sound world, and what the auditor has to say of it. */
const DOCTORED: Record<string, [Doctor, RegExp]> = {
  'an acknowledged movement that is not there': [gone('movements', p1), /p1 was acknowledged and is not there/],
  'a movement that is there twice': [another('movements', p1, { id: 'txn_2' }), /p1 is there 2 times/],
  'another transaction id than was told': [entry('p1', { transactionId: 'txn_z' }), /acknowledged as txn_z/],
  'another amount than was asked for': [effect('p1', { amount: 999 }), /of 1000 for 15, not transfer_p2p of 999/],
  'another fee': [effect('p1', { fee: 16 }), /for 15, not .* for 16/],
  'another type': [effect('p1', { type: 'agent_fund' }), /is transfer_p2p of .*, not agent_fund/],
  'another account': [effect('p1', otherLegs), /changes sub_2 by 1000, not by nothing/],
  'half a movement': [gone('postings', halfOfP1), /P2P p1 is half there: sub_2/],
  'another balance than was told': [
    entry('p1', { told: { account: 'sub_1', balance: 1 } }),
    /told a balance of 1 where/,
  ],
  'a request that is not kept': [gone('requests', requestOfP1), /P2P p1 is kept 0 times/],
  'a request that is kept twice': [another('requests', requestOfP1, {}), /P2P p1 is kept 2 times/],
  "a request kept as another movement's": [
    changed('requests', requestOfP1, { movement_id: 'txn_s1' }),
    /p1 is kept as the request of txn_s1/,
  ],
  'a request kept as refused': [changed('requests', requestOfP1, { refused: true }), /p1 is kept as refused/],
  'a request that would be answered otherwise': [
    changed('requests', requestOfP1, { reply: '{}' }),
    /p1 would be answered otherwise/,
  ],
  'a movement that nobody asked for': [
    another('movements', p1, { id: 'txn_x', request_id: null }),
    /txn_x belongs to nothing/,
  ],
  'a posting of no movement': [another('postings', halfOfP1, { movement_id: 'txn_x' }), /txn_x, which is not there/],
  'a refused payment that took place': [entry('p1', refused), /refused with INSUFFICIENT_BALANCE and took place/],
  'a payment sent once that is there twice': [
    (world) => {
      entry('p1', { once: true, state: 'open', transactionId: null, told: null })(world);
      another('movements', p1, { id: 'txn_2' })(world);
    },
    /p1 is there 2 times/,
  ],
  'a payment that was never answered': [entry('p2', { state: 'open' }), /p2 was never answered/],
  'a balance that is not the sum': [
    changed('accounts', is('id', 'ptn_1'), { balance: -9_999 }),
    /ptn_1 holds -9999, and/,
  ],
  'money out of nothing': [changed('accounts', is('id', 'sub_2'), { balance: 1_001 }), /together come to 1$/m],
  'more given back than was paid': [
    changed('movements', is('type', 'pos_refund'), { amount: 501 }),
    /of txn_s1, which is 500, 501 was given back/,
  ],
  'a credit without its record': [gone('inbound', c1), /inbound credit c1 is recorded 0 times/],
  'a credit recorded with another outcome': [changed('inbound', c1, { status: 'FAILED' }), /c1 is recorded as FAILED/],
  'a credit nobody sent': [another('inbound', c1, { reference: 'c9' }), /the credit c9 was sent by nobody/],
  'a credit without its event': [gone('events', told), /ended as credit.completed, which is told 0 times/],
  'a credit told twice': [another('events', told, { id: 'evt_2' }), /credit.completed, which is told 2 times/],
  'a credit told to another partner': [
    changed('events', told, { partner_id: 'ptn_2' }),
    /told to ptn_2, who did not send/,
  ],
  'an event of another movement': [
    changed('events', told, {
      body: '{"event":"credit.completed","reference":"c1","amount":700,"transaction_id":"txn_8"}',
    }),
    /is told as txn_8/,
  ],
  'an event of a credit that did not commit': [
    another('events', told, { id: 'evt_9', reference: 'c9' }),
    /evt_9 says credit.completed of c9, which was not so/,
  ],
  'an event that a receiver got and the outbox has not': [
    ({ book }) => void book.received.push(received),
    /evt_7 was received and is not in the outbox/,
  ],
  'an event that was received with a wrong signature': [
    ({ book }) => set(book.received, () => true, { isGenuine: false }),
    /received with a wrong signature/,
  ],
  'an event called delivered that nobody got': [
    ({ book }) => void book.received.shift(),
    /called delivered and was not received/,
  ],
  'a movement over the threshold without an alert': [
    (world) => {
      effect('p1', { amount: 100_001 })(world);
      changed('movements', p1, { amount: 100_001 })(world);
    },
    /the movement txn_p1 has no alert/,
  ],
  'a movement with two alerts': [
    ({ tables }) => void tables.alerts.push(...['a', 'b'].map((id) => ({ id, transaction_id: 'txn_p1' }))),
    /the movement txn_p1 has 2 alerts/,
  ],
  'an alert of a movement that is not there': [
    ({ tables }) => void tables.alerts.push({ id: 'alert_1', transaction_id: 'txn_q' }),
    /an alert speaks of txn_q, which is not there/,
  ],
  'a blocked payment without the alert that was told': [
    entry('p2', { code: 'COMPLIANCE_BLOCKED', reply: '{"alert_id":"alert_2"}' }),
    /p2 was blocked by the alert alert_2, which is not there/,
  ],
  'a reversal that is not recorded': [gone('reversals', () => true), /the reversal v1 is not recorded/],
  'a reversal recorded and not acknowledged': [
    another('reversals', () => true, { inbound_id: 'inb_c2', transaction_id: 'txn_q' }),
    /a reversal of inb_c2 is recorded/,
  ],
  'a surprise that a client had': [({ book }) => void book.surprises.push('P2P p1 changed'), /^P2P p1 changed$/m],
};

describe('the auditor', () => {
  test('has nothing to say where book and tables agree', () => {
    const { book, tables } = sound();
    assert.deepEqual(audit(book, tables), []);
  });

  test('has nothing to say of what was sent once, not answered, and is there or is not', () => {
    const there = sound();
    entry('p1', { once: true, state: 'open', transactionId: null, told: null })(there);
    assert.deepEqual(audit(there.book, there.tables), []);
    const absent = sound();
    entry('p2', { once: true, state: 'open' })(absent);
    assert.deepEqual(audit(absent.book, absent.tables), []);
  });

  for (const [name, [doctor, finding]] of Object.entries(DOCTORED)) {
    test(`finds ${name}`, () => {
      const world = sound();
      doctor(world);
      assert.match(audit(world.book, world.tables).join('\n'), finding);
    });
  }
});
