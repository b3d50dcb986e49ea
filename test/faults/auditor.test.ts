// The auditor of the fault tests: a consistent journal and tables pass, and each manipulation of either is found.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { audit } from './auditor.ts';
import { type AuditorFixture, consistentFixture } from './auditor-fixture.ts';

type Manipulation = (fixture: AuditorFixture) => void;

const entry =
  (id: string, change: object): Manipulation =>
  ({ journal }) =>
    set(journal.entries, (each) => each.id === id, change);
const effect =
  (id: string, change: object): Manipulation =>
  ({ journal }) =>
    void Object.assign(journal.entries.find((each) => each.id === id)?.effect ?? {}, change);

type Table = keyof AuditorFixture['tables'];
type Row = Record<string, unknown>;
type Where = (row: Row) => boolean;

const rows = ({ tables }: AuditorFixture, table: Table) => tables[table] as unknown as Row[];
const hasValue =
  (column: string, value: string): Where =>
  (row) =>
    row[column] === value;

function set<Each extends object>(all: Each[], where: (each: Each) => boolean, change: object): void {
  Object.assign(all.find(where) ?? {}, change);
}

const changed =
  (table: Table, where: Where, change: object): Manipulation =>
  (fixture) =>
    set(rows(fixture, table), where, change);
const removed =
  (table: Table, where: Where): Manipulation =>
  (fixture) =>
    void rows(fixture, table).splice(rows(fixture, table).findIndex(where), 1);
/** Adds a copy of an existing row with some values changed. */
const added =
  (table: Table, where: Where, change: object): Manipulation =>
  (fixture) =>
    void rows(fixture, table).push({ ...rows(fixture, table).find(where), ...change });

const p1 = hasValue('id', 'txn_p1');
const requestOfP1 = hasValue('request_id', 'p1');
const halfOfP1: Where = (row) => row.movement_id === 'txn_p1' && row.account_id === 'sub_2';
const creditEvent = hasValue('event', 'credit.completed');
const c1 = hasValue('reference', 'c1');
const refused = { state: 'refused', code: 'INSUFFICIENT_BALANCE' };
const otherLegs = { legs: { sub_1: -1_015, sub_9: 1_000, fees: 15 } };
const received = { id: 'evt_7', body: '{}', isGenuine: true };

/** Manipulations of a consistent fixture, and the findings that they cause. */
const MANIPULATIONS: Record<string, [Manipulation, RegExp]> = {
  'an acknowledged movement that does not exist': [removed('movements', p1), /p1 was acknowledged but does not exist/],
  'a movement that exists twice': [added('movements', p1, { id: 'txn_2' }), /p1 exists 2 times/],
  'a transaction id that differs from the acknowledged one': [
    entry('p1', { transactionId: 'txn_z' }),
    /acknowledged as txn_z/,
  ],
  'an amount that differs from the request': [effect('p1', { amount: 999 }), /of 1000 for 15, not transfer_p2p of 999/],
  'a wrong fee': [effect('p1', { fee: 16 }), /for 15, not .* for 16/],
  'a wrong type': [effect('p1', { type: 'agent_fund' }), /is transfer_p2p of .*, not agent_fund/],
  'a wrong account': [effect('p1', otherLegs), /changes sub_2 by 1000, not by nothing/],
  'an incomplete movement': [removed('postings', halfOfP1), /P2P p1 is incomplete: sub_2/],
  'a balance that differs from the reported one': [
    entry('p1', { reportedBalance: { account: 'sub_1', balance: 1 } }),
    /reported a balance of 1, the posting/,
  ],
  'a request that is not stored': [removed('requests', requestOfP1), /P2P p1 is stored 0 times/],
  'a request that is stored twice': [added('requests', requestOfP1, {}), /P2P p1 is stored 2 times/],
  'a request stored for another movement': [
    changed('requests', requestOfP1, { movement_id: 'txn_s1' }),
    /p1 is stored as the request of txn_s1/,
  ],
  'a request stored as refused': [changed('requests', requestOfP1, { refused: true }), /p1 is stored as refused/],
  'a stored reply that differs from the answer': [
    changed('requests', requestOfP1, { reply: '{}' }),
    /p1 has a stored reply that differs/,
  ],
  'a movement that no client requested': [
    added('movements', p1, { id: 'txn_x', request_id: null }),
    /txn_x matches no request/,
  ],
  'a posting without a movement': [
    added('postings', halfOfP1, { movement_id: 'txn_x' }),
    /txn_x, which does not exist/,
  ],
  'a refused payment that was posted': [entry('p1', refused), /refused with INSUFFICIENT_BALANCE but was posted/],
  'a payment sent once that exists twice': [
    (fixture) => {
      entry('p1', { once: true, state: 'open', transactionId: null, reportedBalance: null })(fixture);
      added('movements', p1, { id: 'txn_2' })(fixture);
    },
    /p1 exists 2 times/,
  ],
  'a payment that was never answered': [entry('p2', { state: 'open' }), /p2 was never answered/],
  'a balance that is not the sum of its movements': [
    changed('accounts', hasValue('id', 'ptn_1'), { balance: -9_999 }),
    /ptn_1 holds -9999, expected/,
  ],
  'balances that do not sum to zero': [
    changed('accounts', hasValue('id', 'sub_2'), { balance: 1_001 }),
    /balances sum to 1$/m,
  ],
  'refunds that exceed the payment': [
    changed('movements', hasValue('type', 'pos_refund'), { amount: 501 }),
    /txn_s1 of 500 has refunds of 501/,
  ],
  'a credit without its record': [removed('inbound', c1), /inbound credit c1 is recorded 0 times/],
  'a credit recorded with another outcome': [changed('inbound', c1, { status: 'FAILED' }), /c1 is recorded as FAILED/],
  'a credit that no client sent': [added('inbound', c1, { reference: 'c9' }), /the credit c9 was sent by no client/],
  'a credit without its event': [removed('events', creditEvent), /ended as credit.completed, which has 0 events/],
  'a credit with two events': [added('events', creditEvent, { id: 'evt_2' }), /credit.completed, which has 2 events/],
  'a credit whose event is for another partner': [
    changed('events', creditEvent, { partner_id: 'ptn_2' }),
    /an event for ptn_2, which did not send/,
  ],
  'an event that names another movement': [
    changed('events', creditEvent, {
      body: '{"event":"credit.completed","reference":"c1","amount":700,"transaction_id":"txn_8"}',
    }),
    /its event names txn_8/,
  ],
  'an event of a credit that did not commit': [
    added('events', creditEvent, { id: 'evt_9', reference: 'c9' }),
    /evt_9 reports credit.completed of c9, which did not happen/,
  ],
  'an event that was received but is not in the outbox': [
    ({ journal }) => void journal.received.push(received),
    /evt_7 was received but is not in the outbox/,
  ],
  'an event that was received with a wrong signature': [
    ({ journal }) => set(journal.received, () => true, { isGenuine: false }),
    /received with a wrong signature/,
  ],
  'an event marked as delivered that was not received': [
    ({ journal }) => void journal.received.shift(),
    /marked as delivered but was not received/,
  ],
  'a movement over the threshold without an alert': [
    (fixture) => {
      effect('p1', { amount: 100_001 })(fixture);
      changed('movements', p1, { amount: 100_001 })(fixture);
    },
    /the movement txn_p1 has no alert/,
  ],
  'a movement with two alerts': [
    ({ tables }) => void tables.alerts.push(...['a', 'b'].map((id) => ({ id, transaction_id: 'txn_p1' }))),
    /the movement txn_p1 has 2 alerts/,
  ],
  'an alert of a movement that does not exist': [
    ({ tables }) => void tables.alerts.push({ id: 'alert_1', transaction_id: 'txn_q' }),
    /an alert refers to txn_q, which does not exist/,
  ],
  'a blocked payment whose alert does not exist': [
    entry('p2', { code: 'COMPLIANCE_BLOCKED', reply: '{"alert_id":"alert_2"}' }),
    /p2 was blocked by the alert alert_2, which does not exist/,
  ],
  'a reversal that is not recorded': [removed('reversals', () => true), /the reversal v1 is not recorded/],
  'a reversal that is recorded but was not acknowledged': [
    added('reversals', () => true, { inbound_id: 'inb_c2', transaction_id: 'txn_q' }),
    /a reversal of inb_c2 is recorded/,
  ],
  'a violation that a client saw': [
    ({ journal }) => void journal.violations.push('P2P p1 changed'),
    /^P2P p1 changed$/m,
  ],
};

describe('the auditor', () => {
  test('reports nothing when journal and tables agree', () => {
    const { journal, tables } = consistentFixture();
    assert.deepEqual(audit(journal, tables), []);
  });

  test('accepts a payment that was sent once and not answered, whether it was posted or not', () => {
    const posted = consistentFixture();
    entry('p1', { once: true, state: 'open', transactionId: null, reportedBalance: null })(posted);
    assert.deepEqual(audit(posted.journal, posted.tables), []);
    const absent = consistentFixture();
    entry('p2', { once: true, state: 'open' })(absent);
    assert.deepEqual(audit(absent.journal, absent.tables), []);
  });

  for (const [name, [manipulate, finding]] of Object.entries(MANIPULATIONS)) {
    test(`finds ${name}`, () => {
      const fixture = consistentFixture();
      manipulate(fixture);
      assert.match(audit(fixture.journal, fixture.tables).join('\n'), finding);
    });
  }
});
