// The auditor: holds the tables against the clients' book, with code of its own and none of the service's.
import { type Book, type Entry, WATCHED } from './book.ts';
import type { Snapshot } from './snapshot.ts';

/** Every way in which tables and book differ, as sentences; none: they are the same. */
export function audit(book: Book, tables: Snapshot): string[] {
  const findings: string[] = [...book.surprises];
  const say = (finding: string) => void findings.push(finding);
  const seen = indexOf(tables);
  for (const entry of book.entries) auditEntry(entry, seen, say);
  auditStrangers(book, tables, say);
  auditBalances(expectedBalances(book, tables), tables, say);
  auditRefunds(tables, say);
  auditAlerts(book, tables, say);
  auditInbound(book, seen, tables, say);
  auditReceived(book, tables, say);
  return findings;
}

type Say = (finding: string) => void;
type Movement = Snapshot['movements'][number];

interface Seen {
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

/** What the client called it. */
function nameOf({ request_id, narration }: Movement): string {
  return request_id ?? narration ?? '';
}

function indexOf(tables: Snapshot): Seen {
  return {
    movementsByRequest: grouped(tables.movements, nameOf),
    movementsById: grouped(tables.movements, ({ id }) => id),
    postings: grouped(tables.postings, ({ movement_id }) => movement_id),
    requests: grouped(tables.requests, ({ request_id }) => request_id),
    inbound: grouped(tables.inbound, ({ reference }) => reference),
    events: grouped(tables.events, ({ reference }) => reference),
  };
}

/** The house's striped accounts are one in the book. */
function accountInBook(id: string): string {
  if (id.startsWith('sys_fees_')) return 'fees';
  return id.startsWith('sys_treasury_') ? 'treasury' : id;
}

function auditEntry(entry: Entry, seen: Seen, say: Say): void {
  const name = `${entry.route} ${entry.id}`;
  const movements = seen.movementsByRequest.get(entry.id) ?? [];
  const [movement] = movements;
  if (entry.state === 'open' && !entry.once) say(`${name} was never answered`);
  if (entry.state === 'refused' && movement) say(`${name} was refused with ${entry.code} and took place`);
  if (movements.length > 1) say(`${name} is there ${movements.length} times`);
  if (entry.state === 'acknowledged') auditAcknowledged(entry, movement, seen, say);
  if (movement) auditMovement(entry, movement, seen.postings.get(movement.id) ?? [], say);
}

function auditAcknowledged(entry: Entry, movement: Movement | undefined, seen: Seen, say: Say): void {
  const name = `${entry.route} ${entry.id}`;
  const byId = seen.movementsById.get(entry.transactionId ?? '') ?? [];
  if (!movement) say(`${name} was acknowledged and is not there`);
  else if (movement.id !== entry.transactionId)
    say(`${name} was acknowledged as ${entry.transactionId}, not ${movement.id}`);
  if (byId.length !== 1) say(`${name} was acknowledged as ${entry.transactionId}, which is there ${byId.length} times`);
  if (!entry.once) auditRequest(entry, seen.requests.get(entry.id) ?? [], say);
}

/** Whether anybody was told of it or not: what is there is whole, and is what was asked for. */
function auditMovement(entry: Entry, movement: Movement, postings: Snapshot['postings'], say: Say): void {
  const { type, amount, fee } = entry.effect;
  if (movement.type !== type || movement.amount !== amount || movement.fee !== fee) {
    const name = `${entry.route} ${entry.id}`;
    say(`${name} is ${movement.type} of ${movement.amount} for ${movement.fee}, not ${type} of ${amount} for ${fee}`);
  }
  auditPostings(entry, postings, say);
}

function auditPostings(entry: Entry, postings: Snapshot['postings'], say: Say): void {
  const name = `${entry.route} ${entry.id}`;
  const left = new Map(Object.entries(entry.effect.legs));
  for (const { account_id, amount } of postings) {
    const account = accountInBook(account_id);
    const wanted = left.get(account);
    left.delete(account);
    if (wanted !== amount) say(`${name} changes ${account} by ${amount}, not by ${wanted ?? 'nothing'}`);
  }
  for (const [account, amount] of left) say(`${name} is half there: ${account} is not changed by ${amount}`);
  const { told } = entry;
  if (!told) return;
  const posting = postings.find(({ account_id }) => account_id === told.account);
  if (posting?.balance_after !== told.balance) {
    say(`${name} told a balance of ${told.balance} where the books have ${posting?.balance_after}`);
  }
}

function auditRequest(entry: Entry, requests: Snapshot['requests'], say: Say): void {
  const name = `${entry.route} ${entry.id}`;
  const [request] = requests;
  if (requests.length !== 1 || !request) {
    say(`${name} is kept ${requests.length} times as a request`);
    return;
  }
  if (request.movement_id !== entry.transactionId) say(`${name} is kept as the request of ${request.movement_id}`);
  if (request.refused) say(`${name} is kept as refused`);
  if (!isPartOf(request.reply, entry.reply)) say(`${name} would be answered otherwise than it was`);
}

/** What is kept is what was answered, to the byte; only metadata is kept elsewhere and put in when it is answered. */
function isPartOf(kept: string, answered: string | null): boolean {
  if (kept === answered) return true;
  const { metadata, ...rest } = JSON.parse(answered ?? '{}') as Record<string, unknown>;
  return metadata !== undefined && JSON.stringify(rest) === kept;
}

/** Movements that nobody asked for, and parts of movements that are not there. */
function auditStrangers(book: Book, tables: Snapshot, say: Say): void {
  const asked = new Set(book.entries.map(({ id }) => id));
  for (const movement of tables.movements) {
    if (!asked.has(nameOf(movement))) say(`the movement ${movement.id} belongs to nothing that was asked for`);
  }
  const there = new Set(tables.movements.map(({ id }) => id));
  for (const { movement_id, account_id } of tables.postings) {
    if (!there.has(movement_id)) say(`a posting on ${account_id} belongs to ${movement_id}, which is not there`);
  }
  for (const { request_id, movement_id, refused } of tables.requests) {
    if (refused === there.has(movement_id)) say(`the request ${request_id} says otherwise than the movements`);
    if (!asked.has(request_id)) say(`the request ${request_id} was made by nobody`);
  }
}

/** From the clients' book alone; but for what was sent once and not answered, of which only the tables know. */
export function expectedBalances(book: Book, tables: Snapshot): Map<string, number> {
  const there = new Set(tables.movements.map(nameOf));
  const expected = new Map<string, number>();
  for (const { id, state, once, effect } of book.entries) {
    if (state !== 'acknowledged' && !(state === 'open' && once && there.has(id))) continue;
    for (const [account, change] of Object.entries(effect.legs)) {
      expected.set(account, (expected.get(account) ?? 0) + change);
    }
  }
  return expected;
}

/** All that came in is what partners, treasury and suspense gave; nothing else makes or loses money. */
function auditBalances(expected: ReadonlyMap<string, number>, tables: Snapshot, say: Say): void {
  const found = new Map<string, number>();
  let total = 0;
  for (const { id, balance } of tables.accounts) {
    const account = accountInBook(id);
    found.set(account, (found.get(account) ?? 0) + balance);
    total += balance;
  }
  for (const account of new Set([...expected.keys(), ...found.keys()])) {
    const [wanted, there] = [expected.get(account) ?? 0, found.get(account)];
    if (there !== wanted) say(`${account} holds ${there ?? 'nothing'}, and should hold ${wanted}`);
  }
  if (total !== 0) say(`all accounts together come to ${total}`);
}

function auditRefunds(tables: Snapshot, say: Say): void {
  const amounts = new Map(tables.movements.map(({ id, amount }) => [id, amount]));
  const backs = tables.movements.filter(({ related_id }) => related_id !== null);
  for (const [id, movements] of grouped(backs, ({ related_id }) => related_id ?? '')) {
    const back = movements.reduce((sum, { amount }) => sum + amount, 0);
    const paid = amounts.get(id);
    if (paid === undefined || back > paid) say(`of ${id}, which is ${paid}, ${back} was given back`);
  }
}

/** What is over the threshold has its alert, one, and no alert speaks of what is not there. */
function auditAlerts(book: Book, tables: Snapshot, say: Say): void {
  const alerts = grouped(tables.alerts, ({ transaction_id }) => transaction_id ?? '');
  for (const movement of tables.movements) {
    const count = alerts.get(movement.id)?.length ?? 0;
    alerts.delete(movement.id);
    if (count > 1) say(`the movement ${movement.id} has ${count} alerts`);
    if (count === 0 && isWatched(movement)) say(`the movement ${movement.id} has no alert`);
  }
  alerts.delete('');
  for (const id of alerts.keys()) say(`an alert speaks of ${id}, which is not there`);
  auditBlocked(book, tables, say);
}

function isWatched({ type, amount }: Movement): boolean {
  return WATCHED.types.some((each) => each === type) && amount > WATCHED.flagAbove;
}

/** Who was blocked was told by which alert; a partner is not. */
function auditBlocked(book: Book, tables: Snapshot, say: Say): void {
  const ids = new Set(tables.alerts.map(({ id }) => id));
  for (const { id, code, reply, inbound } of book.entries) {
    if (code !== 'COMPLIANCE_BLOCKED' || inbound) continue;
    const { alert_id } = JSON.parse(reply ?? '{}') as { alert_id?: string };
    if (!ids.has(alert_id ?? '')) say(`${id} was blocked by the alert ${alert_id}, which is not there`);
  }
}

/** Every credit that came to an end has one record and one event that say so, and there are no others. */
function auditInbound(book: Book, seen: Seen, tables: Snapshot, say: Say): void {
  const credits = book.entries.filter(({ inbound }) => inbound !== null);
  const expectedEvents = new Set<string>();
  for (const entry of credits) {
    const event = endOf(entry);
    if (event === null || !entry.inbound) continue;
    expectedEvents.add(`${event} ${entry.inbound.reference}`);
    auditEvents(entry, event, seen.events.get(entry.inbound.reference) ?? [], say);
    if (entry.effect.type === 'inbound_credit') auditRecord(entry, seen.inbound.get(entry.id) ?? [], say);
  }
  const known = new Set(credits.map(({ id }) => id));
  for (const { reference } of tables.inbound)
    if (!known.has(reference)) say(`the credit ${reference} was sent by nobody`);
  for (const { id, event, reference } of tables.events) {
    if (!expectedEvents.has(`${event} ${reference}`))
      say(`the event ${id} says ${event} of ${reference}, which was not so`);
  }
  auditReversals(credits, tables, say);
}

/** What the partner has to be told of it; null: nothing, because it did not come to an end. */
function endOf({ state, inbound, effect }: Entry): string | null {
  if (state === 'acknowledged') return inbound?.event ?? null;
  return state === 'refused' && effect.type === 'inbound_credit' ? 'credit.failed' : null;
}

function auditRecord(entry: Entry, records: Snapshot['inbound'], say: Say): void {
  const name = `${entry.route} ${entry.id}`;
  const [record] = records;
  if (records.length !== 1 || !record) {
    say(`${name} is recorded ${records.length} times`);
    return;
  }
  const status = entry.state === 'acknowledged' ? 'COMPLETED' : 'REJECTED';
  const facts = [record.status, record.failure_code, record.transaction_id, record.amount, record.partner_id];
  const wanted = [status, entry.code, entry.transactionId, entry.effect.amount, entry.inbound?.partnerId];
  if (facts.join() !== wanted.join()) say(`${name} is recorded as ${facts.join(' ')} and not as ${wanted.join(' ')}`);
}

function auditEvents(entry: Entry, event: string, events: Snapshot['events'], say: Say): void {
  const name = `${entry.route} ${entry.id}`;
  const told = events.filter((each) => each.event === event);
  const [one] = told;
  if (told.length !== 1 || !one) {
    say(`${name} ended as ${event}, which is told ${told.length} times`);
    return;
  }
  const body = JSON.parse(one.body) as Record<string, unknown>;
  const reference = entry.inbound?.reference;
  if (body.event !== event || body.reference !== reference || body.amount !== entry.effect.amount) {
    say(`${name} ended as ${event} of ${entry.effect.amount} and is told as ${one.body}`);
  }
  if (event === 'credit.completed' && body.transaction_id !== entry.transactionId) {
    say(`${name} is ${entry.transactionId} and is told as ${body.transaction_id}`);
  }
  if (one.partner_id !== entry.inbound?.partnerId) say(`${name} is told to ${one.partner_id}, who did not send it`);
}

function auditReversals(credits: readonly Entry[], tables: Snapshot, say: Say): void {
  const wanted = credits.filter(({ state, effect }) => state === 'acknowledged' && effect.type === 'inbound_reversal');
  const ids = new Set(wanted.map(({ transactionId }) => transactionId));
  const kept = new Set(tables.reversals.map(({ transaction_id }) => transaction_id));
  for (const { id, transactionId } of wanted) {
    if (!kept.has(transactionId ?? '')) say(`the reversal ${id} is not recorded`);
  }
  for (const { inbound_id, transaction_id } of tables.reversals) {
    if (!ids.has(transaction_id)) say(`a reversal of ${inbound_id} is recorded that was not acknowledged`);
  }
}

/** What receivers got is what the outbox has, and what the outbox calls delivered they got. */
function auditReceived(book: Book, tables: Snapshot, say: Say): void {
  const outbox = new Map(tables.events.map((event) => [event.id, event]));
  const got = new Set<string>();
  for (const { id, body, isGenuine } of book.received) {
    got.add(id);
    if (!isGenuine) say(`the event ${id} was received with a wrong signature`);
    if (outbox.get(id)?.body !== body) say(`the event ${id} was received and is not in the outbox as it was`);
  }
  for (const { id, status } of tables.events) {
    if (status === 'delivered' && !got.has(id)) say(`the event ${id} is called delivered and was not received`);
  }
}
