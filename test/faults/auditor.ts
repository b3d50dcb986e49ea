// The auditor of the fault tests: compares the tables with the clients' journal, without any code of the service.
import type { Entry, Journal } from '@kissi/testkit/journal';
import { ALERT_RULES } from './alert-rules.ts';
import type { Snapshot } from './snapshot.ts';

/** Returns one sentence per difference between the tables and the journal. */
export function audit(journal: Journal, tables: Snapshot): string[] {
  const findings: string[] = [...journal.violations];
  const report = (finding: string) => void findings.push(finding);
  const index = indexOf(tables);
  for (const entry of journal.entries) auditEntry(entry, index, report);
  auditUnrequested(journal, tables, report);
  auditBalances(expectedBalances(journal, tables), tables, report);
  auditRefunds(tables, report);
  auditAlerts(journal, tables, report);
  auditInbound(journal, index, tables, report);
  auditReceived(journal, tables, report);
  return findings;
}

type Report = (finding: string) => void;
type Movement = Snapshot['movements'][number];

interface TableIndex {
  movementsByRequest: Map<string, Snapshot['movements']>;
  movementsById: Map<string, Snapshot['movements']>;
  postings: Map<string, Snapshot['postings']>;
  requests: Map<string, Snapshot['requests']>;
  inbound: Map<string, Snapshot['inbound']>;
  events: Map<string, Snapshot['events']>;
}

function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** The client's identifier of the movement. */
function nameOf({ request_id, narration }: Movement): string {
  return request_id ?? narration ?? '';
}

function indexOf(tables: Snapshot): TableIndex {
  return {
    movementsByRequest: grouped(tables.movements, nameOf),
    movementsById: grouped(tables.movements, ({ id }) => id),
    postings: grouped(tables.postings, ({ movement_id }) => movement_id),
    requests: grouped(tables.requests, ({ request_id }) => request_id),
    inbound: grouped(tables.inbound, ({ reference }) => reference),
    events: grouped(tables.events, ({ reference }) => reference),
  };
}

/** The journal has one account for all stripes of a system account. */
function journalAccount(id: string): string {
  if (id.startsWith('sys_fees_')) return 'fees';
  return id.startsWith('sys_treasury_') ? 'treasury' : id;
}

function auditEntry(entry: Entry, index: TableIndex, report: Report): void {
  const name = `${entry.route} ${entry.id}`;
  const movements = index.movementsByRequest.get(entry.id) ?? [];
  const [movement] = movements;
  if (entry.state === 'open' && !entry.once) report(`${name} was never answered`);
  if (entry.state === 'refused' && movement) report(`${name} was refused with ${entry.code} but was posted`);
  if (movements.length > 1) report(`${name} exists ${movements.length} times`);
  if (entry.state === 'acknowledged') auditAcknowledged(entry, movement, index, report);
  if (movement) auditMovement(entry, movement, index.postings.get(movement.id) ?? [], report);
}

function auditAcknowledged(entry: Entry, movement: Movement | undefined, index: TableIndex, report: Report): void {
  const name = `${entry.route} ${entry.id}`;
  const byId = index.movementsById.get(entry.transactionId ?? '') ?? [];
  if (!movement) report(`${name} was acknowledged but does not exist`);
  else if (movement.id !== entry.transactionId && movement.type !== 'void')
    report(`${name} was acknowledged as ${entry.transactionId}, not ${movement.id}`);
  if (byId.length !== 1)
    report(`${name} was acknowledged as ${entry.transactionId}, which exists ${byId.length} times`);
  const stored = movement?.type === 'void' ? movement.id : entry.transactionId;
  if (!entry.once) auditRequest(entry, stored, index.requests.get(entry.id) ?? [], report);
}

/** Every stored movement is complete and matches its request, acknowledged or not. */
function auditMovement(entry: Entry, movement: Movement, postings: Snapshot['postings'], report: Report): void {
  const { type, amount, fee } = entry.effect;
  if (movement.type !== type || movement.amount !== amount || movement.fee !== fee) {
    const name = `${entry.route} ${entry.id}`;
    report(
      `${name} is ${movement.type} of ${movement.amount} for ${movement.fee}, not ${type} of ${amount} for ${fee}`,
    );
  }
  auditPostings(entry, postings, report);
}

function auditPostings(entry: Entry, postings: Snapshot['postings'], report: Report): void {
  const name = `${entry.route} ${entry.id}`;
  const missing = new Map(Object.entries(entry.effect.legs));
  for (const { account_id, amount } of postings) {
    const account = journalAccount(account_id);
    const expected = missing.get(account);
    missing.delete(account);
    if (expected !== amount) report(`${name} changes ${account} by ${amount}, not by ${expected ?? 'nothing'}`);
  }
  for (const [account, amount] of missing) report(`${name} is incomplete: ${account} is not changed by ${amount}`);
  const { reportedBalance } = entry;
  if (!reportedBalance) return;
  const posting = postings.find(({ account_id }) => account_id === reportedBalance.account);
  if (posting?.balance_after !== reportedBalance.balance) {
    report(`${name} reported a balance of ${reportedBalance.balance}, the posting has ${posting?.balance_after}`);
  }
}

/** `movementId`: a void has an id of its own, and its answer names the authorisation. */
function auditRequest(entry: Entry, movementId: string | null, requests: Snapshot['requests'], report: Report): void {
  const name = `${entry.route} ${entry.id}`;
  const [request] = requests;
  if (requests.length !== 1 || !request) {
    report(`${name} is stored ${requests.length} times as a request`);
    return;
  }
  if (request.movement_id !== movementId) report(`${name} is stored as the request of ${request.movement_id}`);
  if (request.refused) report(`${name} is stored as refused`);
  if (!isSameReply(request.reply, entry.reply)) report(`${name} has a stored reply that differs from its answer`);
}

/** The stored reply equals the answer byte for byte, except for metadata, which is stored separately. */
function isSameReply(stored: string, answered: string | null): boolean {
  if (stored === answered) return true;
  const { metadata, ...rest } = JSON.parse(answered ?? '{}') as Record<string, unknown>;
  return metadata !== undefined && JSON.stringify(rest) === stored;
}

/** Finds movements that no client requested, and rows of movements that do not exist. */
function auditUnrequested(journal: Journal, tables: Snapshot, report: Report): void {
  const requested = new Set(journal.entries.map(({ id }) => id));
  for (const movement of tables.movements) {
    if (!requested.has(nameOf(movement))) report(`the movement ${movement.id} matches no request of a client`);
  }
  const existing = new Set(tables.movements.map(({ id }) => id));
  for (const { movement_id, account_id } of tables.postings) {
    if (!existing.has(movement_id))
      report(`a posting on ${account_id} belongs to ${movement_id}, which does not exist`);
  }
  for (const { request_id, movement_id, refused } of tables.requests) {
    if (refused === existing.has(movement_id)) report(`the request ${request_id} disagrees with the movements`);
    if (!requested.has(request_id)) report(`the request ${request_id} was sent by no client`);
  }
}

/** Computed from the journal alone, except for payments sent once and not answered, whose outcome only the tables have. */
export function expectedBalances(journal: Journal, tables: Snapshot): Map<string, number> {
  const existing = new Set(tables.movements.map(nameOf));
  const expected = new Map<string, number>();
  for (const { id, state, once, effect } of journal.entries) {
    if (state !== 'acknowledged' && !(state === 'open' && once && existing.has(id))) continue;
    for (const [account, change] of Object.entries(effect.legs)) {
      expected.set(account, (expected.get(account) ?? 0) + change);
    }
  }
  return expected;
}

/** Compares each balance with the expected one, and checks that all balances sum to zero. */
function auditBalances(expected: ReadonlyMap<string, number>, tables: Snapshot, report: Report): void {
  const found = new Map<string, number>();
  let total = 0;
  for (const { id, balance } of tables.accounts) {
    const account = journalAccount(id);
    found.set(account, (found.get(account) ?? 0) + balance);
    total += balance;
  }
  for (const account of new Set([...expected.keys(), ...found.keys()])) {
    const [expectedBalance, actual] = [expected.get(account) ?? 0, found.get(account)];
    if (actual !== expectedBalance) report(`${account} holds ${actual ?? 'nothing'}, expected ${expectedBalance}`);
  }
  if (total !== 0) report(`all balances sum to ${total}`);
}

function auditRefunds(tables: Snapshot, report: Report): void {
  const amounts = new Map(tables.movements.map(({ id, amount }) => [id, amount]));
  const refunds = tables.movements.filter(({ related_id }) => related_id !== null);
  for (const [id, movements] of grouped(refunds, ({ related_id }) => related_id ?? '')) {
    const refunded = movements.reduce((sum, { amount }) => sum + amount, 0);
    const paid = amounts.get(id);
    if (paid === undefined || refunded > paid) report(`${id} of ${paid} has refunds of ${refunded}`);
  }
}

/** Each movement above the threshold has exactly one alert, and no alert refers to a missing movement. */
function auditAlerts(journal: Journal, tables: Snapshot, report: Report): void {
  const alerts = grouped(tables.alerts, ({ transaction_id }) => transaction_id ?? '');
  for (const movement of tables.movements) {
    const count = alerts.get(movement.id)?.length ?? 0;
    alerts.delete(movement.id);
    if (count > 1) report(`the movement ${movement.id} has ${count} alerts`);
    if (count === 0 && exceedsThreshold(movement)) report(`the movement ${movement.id} has no alert`);
  }
  alerts.delete('');
  for (const id of alerts.keys()) report(`an alert refers to ${id}, which does not exist`);
  auditBlocked(journal, tables, report);
}

function exceedsThreshold({ type, amount }: Movement): boolean {
  return ALERT_RULES.types.some((each) => each === type) && amount > ALERT_RULES.flagAbove;
}

/** A blocked client gets the alert's id; a partner does not. */
function auditBlocked(journal: Journal, tables: Snapshot, report: Report): void {
  const ids = new Set(tables.alerts.map(({ id }) => id));
  for (const { id, code, reply, inbound } of journal.entries) {
    if (code !== 'COMPLIANCE_BLOCKED' || inbound) continue;
    const { alert_id } = JSON.parse(reply ?? '{}') as { alert_id?: string };
    if (!ids.has(alert_id ?? '')) report(`${id} was blocked by the alert ${alert_id}, which does not exist`);
  }
}

/** Each finished credit has exactly one record and one event, and there are no others. */
function auditInbound(journal: Journal, index: TableIndex, tables: Snapshot, report: Report): void {
  const credits = journal.entries.filter(({ inbound }) => inbound !== null);
  const expectedEvents = new Set<string>();
  for (const entry of credits) {
    const event = finalEvent(entry);
    if (event === null || !entry.inbound) continue;
    expectedEvents.add(`${event} ${entry.inbound.reference}`);
    auditEvents(entry, event, index.events.get(entry.inbound.reference) ?? [], report);
    if (entry.effect.type === 'inbound_credit') auditRecord(entry, index.inbound.get(entry.id) ?? [], report);
  }
  const known = new Set(credits.map(({ id }) => id));
  for (const { reference } of tables.inbound)
    if (!known.has(reference)) report(`the credit ${reference} was sent by no client`);
  for (const { id, event, reference } of tables.events) {
    if (!expectedEvents.has(`${event} ${reference}`))
      report(`the event ${id} reports ${event} of ${reference}, which did not happen`);
  }
  auditReversals(credits, tables, report);
}

/** The event that the partner receives; null for a credit that has not finished. */
function finalEvent({ state, inbound, effect }: Entry): string | null {
  if (state === 'acknowledged') return inbound?.event ?? null;
  return state === 'refused' && effect.type === 'inbound_credit' ? 'credit.failed' : null;
}

function auditRecord(entry: Entry, records: Snapshot['inbound'], report: Report): void {
  const name = `${entry.route} ${entry.id}`;
  const [record] = records;
  if (records.length !== 1 || !record) {
    report(`${name} is recorded ${records.length} times`);
    return;
  }
  const status = entry.state === 'acknowledged' ? 'COMPLETED' : 'REJECTED';
  const actual = [record.status, record.failure_code, record.transaction_id, record.amount, record.partner_id];
  const expected = [status, entry.code, entry.transactionId, entry.effect.amount, entry.inbound?.partnerId];
  if (actual.join() !== expected.join())
    report(`${name} is recorded as ${actual.join(' ')}, expected ${expected.join(' ')}`);
}

function auditEvents(entry: Entry, event: string, events: Snapshot['events'], report: Report): void {
  const name = `${entry.route} ${entry.id}`;
  const matching = events.filter((each) => each.event === event);
  const [one] = matching;
  if (matching.length !== 1 || !one) {
    report(`${name} ended as ${event}, which has ${matching.length} events`);
    return;
  }
  const body = JSON.parse(one.body) as Record<string, unknown>;
  const reference = entry.inbound?.reference;
  if (body.event !== event || body.reference !== reference || body.amount !== entry.effect.amount) {
    report(`${name} ended as ${event} of ${entry.effect.amount}, but its event is ${one.body}`);
  }
  if (event === 'credit.completed' && body.transaction_id !== entry.transactionId) {
    report(`${name} is ${entry.transactionId}, but its event names ${body.transaction_id}`);
  }
  if (one.partner_id !== entry.inbound?.partnerId)
    report(`${name} has an event for ${one.partner_id}, which did not send it`);
}

function auditReversals(credits: readonly Entry[], tables: Snapshot, report: Report): void {
  const reversals = credits.filter(
    ({ state, effect }) => state === 'acknowledged' && effect.type === 'inbound_reversal',
  );
  const ids = new Set(reversals.map(({ transactionId }) => transactionId));
  const recorded = new Set(tables.reversals.map(({ transaction_id }) => transaction_id));
  for (const { id, transactionId } of reversals) {
    if (!recorded.has(transactionId ?? '')) report(`the reversal ${id} is not recorded`);
  }
  for (const { inbound_id, transaction_id } of tables.reversals) {
    if (!ids.has(transaction_id)) report(`a reversal of ${inbound_id} is recorded but was not acknowledged`);
  }
}

/** Received events match the outbox, and events marked as delivered were received. */
function auditReceived(journal: Journal, tables: Snapshot, report: Report): void {
  const outbox = new Map(tables.events.map((event) => [event.id, event]));
  const receivedIds = new Set<string>();
  for (const { id, body, isGenuine } of journal.received) {
    receivedIds.add(id);
    if (!isGenuine) report(`the event ${id} was received with a wrong signature`);
    if (outbox.get(id)?.body !== body)
      report(`the event ${id} was received but is not in the outbox with the same body`);
  }
  for (const { id, status } of tables.events) {
    if (status === 'delivered' && !receivedIds.has(id))
      report(`the event ${id} is marked as delivered but was not received`);
  }
}
