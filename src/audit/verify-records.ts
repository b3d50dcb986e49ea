// Compares every protected record with the states that the audit log stores of it.
import { CompiledQuery } from 'kysely';
import type { Queries } from '../db/database.ts';
import type { AuditKeys, InboxEntry } from './chain.ts';
import { FORMAT, isAuthentic, withoutCopies } from './chain.ts';
import { readPeriods } from './key-closings.ts';
import { digestOf, type RecordKind, type RecordRef, selectRecords } from './records.ts';

export interface RecordFault extends RecordRef {
  detail: string;
}

export interface RecordStates extends RecordRef {
  /** Null: there is no such record. */
  current: string | null;
  changes: [before: string | null, after: string | null][];
}

const PAGE = 2_000;

/** Runs in a repeatable-read transaction. Yields every record of the kind, and every id that has states. */
export async function* recordStates(keys: AuditKeys, trx: Queries, kind: RecordKind): AsyncGenerator<RecordStates> {
  const pending = await unsealedChanges(keys, trx, kind);
  const rows = cursor<{ id: string; present: boolean; content: string }>(
    trx,
    `records_${kind}`,
    `select id, present, content from (${selectRecords(kind, 'true')}) t order by id collate "C"`,
  );
  const states = cursor<{ id: string; before: string | null; after: string | null }>(
    trx,
    `states_${kind}`,
    `select value ->> 1 as id, value ->> 2 as before, value ->> 3 as after
    from audit_log, jsonb_array_elements(audit_log.state) as changes (value)
    where audit_log.state is not null and format = ${FORMAT.keyed} and value ->> 0 = '${kind}'
    order by (value ->> 1) collate "C", seq`,
  );
  const [record, state] = [new Peekable(rows), new Peekable(states)];
  for (;;) {
    const ids = [(await record.peek())?.id, (await state.peek())?.id, pending.first()].filter((id) => id !== undefined);
    if (ids.length === 0) return;
    const id = ids.reduce((least, each) => (each < least ? each : least));
    const changes: RecordStates['changes'] = [];
    for (let next = await state.peek(); next?.id === id; next = await state.peek()) {
      changes.push([next.before, next.after]);
      await state.take();
    }
    changes.push(...pending.take(id));
    const row = (await record.peek())?.id === id ? await record.take() : undefined;
    const current = row?.present ? digestOf(keys, { kind, id }, JSON.parse(row.content)) : null;
    if (current !== null || changes.length > 0) yield { kind, id, current, changes };
  }
}

/** Null: the states lead from nothing to the current record. */
export function faultOf({ kind, id, current, changes }: RecordStates): RecordFault | null {
  const fault = (detail: string) => ({ kind, id, detail });
  if (changes.length === 0) return fault('no audit entry created it');
  const net = balanceOf(changes);
  add(net, null, current === null ? 0 : 1);
  if (current !== null) add(net, current, -1);
  if (net.size === 0) return null;
  const last = changes.at(-1)?.[1] ?? null;
  if (current === null) return fault('it was removed, but no audit entry says so');
  if (last === null) return fault('it was deleted according to the audit log');
  const isOlder = changes.some(([before, after]) => before === current || after === current);
  if (last === current) return fault('an audited change was made to a state that no audit entry had produced');
  return fault(isOlder ? 'an older version of it was put back' : 'it was changed, but no audit entry says so');
}

/**
 * Per state, how often a change led to it minus how often one started from it. Independent of the order of the entries, which
 * follows the clocks of several gateways.
 */
export function balanceOf(changes: RecordStates['changes']): Map<string | null, number> {
  const net = new Map<string | null, number>();
  for (const [before, after] of changes) {
    add(net, before, -1);
    add(net, after, 1);
  }
  return net;
}

function add(net: Map<string | null, number>, state: string | null, change: number): void {
  const sum = (net.get(state) ?? 0) + change;
  if (sum === 0) net.delete(state);
  else net.set(state, sum);
}

export async function verifyRecords(
  keys: AuditKeys,
  trx: Queries,
  kinds: readonly RecordKind[],
): Promise<{ records: number; faults: RecordFault[] }> {
  let records = 0;
  const faults: RecordFault[] = [];
  for (const kind of kinds) {
    for await (const states of recordStates(keys, trx, kind)) {
      records += 1;
      const fault = faultOf(states);
      if (fault) faults.push(fault);
    }
  }
  return { records, faults };
}

/** States of entries that are still in the inbox, by id. Usually few: entries are sealed every second. */
async function unsealedChanges(keys: AuditKeys, trx: Queries, kind: RecordKind) {
  const waiting = await trx
    .selectFrom('audit_inbox')
    .selectAll()
    .where('state', 'is not', null)
    // A copy of a sealed entry has a valid MAC. Its changes must not count twice.
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audit_log').select('seq').whereRef('audit_log.id', '=', 'audit_inbox.id'))),
    )
    .orderBy('id')
    .execute();
  const changes = new Map<string, RecordStates['changes']>();
  const { ended } = await readPeriods(keys, trx);
  const isGenuine = (entry: InboxEntry) => isAuthentic(keys, entry, ended);
  for (const entry of withoutCopies(waiting, isGenuine).filter(isGenuine)) {
    for (const [name, id, before, after] of entry.state ?? []) {
      if (name === kind) changes.set(id, [...(changes.get(id) ?? []), [before, after]]);
    }
  }
  const ids = [...changes.keys()].sort();
  return {
    first: () => ids[0],
    take(id: string): RecordStates['changes'] {
      if (ids[0] === id) ids.shift();
      return changes.get(id) ?? [];
    },
  };
}

async function* cursor<Row>(trx: Queries, name: string, text: string): AsyncGenerator<Row> {
  const run = (command: string) => trx.executeQuery<Row>(CompiledQuery.raw(command));
  await run(`declare ${name} no scroll cursor for ${text}`);
  for (;;) {
    const { rows } = await run(`fetch ${PAGE} from ${name}`);
    yield* rows;
    if (rows.length < PAGE) break;
  }
  await run(`close ${name}`);
}

/** Looks at the next value without taking it. */
class Peekable<Value> {
  private readonly values: AsyncGenerator<Value>;
  private next: Promise<Value | undefined> | null = null;

  constructor(values: AsyncGenerator<Value>) {
    this.values = values;
  }

  peek(): Promise<Value | undefined> {
    this.next ??= this.values.next().then(({ value, done }) => (done ? undefined : value));
    return this.next;
  }

  async take(): Promise<Value | undefined> {
    const value = await this.peek();
    this.next = null;
    return value;
  }
}
