// Collects refused payments in memory until they are written: a few of a kind per party and minute one by one, the others as a number.
import { type Clock, MINUTE_MS } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { Code } from '../../kernel/refusal.ts';
import type { NoteRefusal, RefusedPayment } from '../../payments/refused-payment.ts';
import { channelOf } from './channel.ts';
import type { NewRefusal } from './store.ts';

/** Of one party, type and code, in a minute. Further attempts share a row. */
const SINGLE_PER_MINUTE = 5;
/** While the database is slow or down, and of parties in a minute. Further refusals are only counted. */
const MAX_ROWS = 10_000;
const MAX_KINDS = 10_000;

/** They say what the caller may do, not why a party's payment failed: a stranger must not write into a customer's list. */
const ABOUT_CALLER: readonly Code[] = ['FORBIDDEN', 'PEP_ACCESS_REQUIRED', 'APPROVAL_REQUIRED', 'REQUEST_CONFLICT'];

export interface RefusalRecorder {
  /** Returns at once. What it keeps is lost if the process is killed. */
  note: NoteRefusal;
  /** The rows since the last call. `all`: also those of the current minute that may still grow. */
  take(all?: boolean): NewRefusal[];
  /** After a failure to write them. */
  putBack(rows: readonly NewRefusal[]): void;
}

interface Kind {
  singles: number;
  /** Stands for the attempts beyond. */
  shared: NewRefusal | null;
}

export function createRefusalRecorder(clock: Clock, metrics: Metrics): RefusalRecorder {
  const unrecorded = metrics.counter({
    name: 'kissi_refusals_unrecorded_total',
    help: 'Refused payments that are missing in the lists of customers, merchants and agents, because too many waited to be written.',
  });
  let rows: NewRefusal[] = [];
  let minute = 0;
  let kinds = new Map<string, Kind>();

  function add(row: NewRefusal): void {
    if (rows.length < MAX_ROWS) rows.push(row);
    else unrecorded.value += row.attempts;
  }

  function endMinute(): void {
    for (const { shared } of kinds.values()) if (shared) add(shared);
    kinds = new Map();
  }

  function kindOf({ party_id, type, code }: NewRefusal): Kind | null {
    const key = `${party_id} ${type} ${code}`;
    const known = kinds.get(key);
    if (known || kinds.size >= MAX_KINDS) return known ?? null;
    const kind: Kind = { singles: 0, shared: null };
    kinds.set(key, kind);
    return kind;
  }

  function keep(row: NewRefusal): void {
    const kind = kindOf(row);
    if (!kind) {
      add(row);
    } else if (kind.singles < SINGLE_PER_MINUTE && rows.length < MAX_ROWS) {
      kind.singles += 1;
      rows.push(row);
    } else if (kind.shared) {
      kind.shared.attempts += 1;
      kind.shared.last_at = row.last_at;
    } else {
      kind.shared = { ...row, amount: null, excess: null, place_id: null, subscriber_id: null };
    }
  }

  function startMinute(now: number): void {
    const current = Math.floor(now / MINUTE_MS);
    if (current === minute) return;
    endMinute();
    minute = current;
  }

  return {
    note(refused) {
      if (ABOUT_CALLER.includes(refused.refusal.code)) return;
      const now = clock.now();
      startMinute(now);
      for (const partyId of refused.about) keep(rowOf(refused, partyId, newId('rfs', clock), new Date(now)));
    },
    take(all = false) {
      startMinute(clock.now());
      if (all) endMinute();
      const taken = rows;
      rows = [];
      return taken;
    },
    putBack(failed) {
      const later = rows;
      rows = [];
      for (const row of [...failed, ...later]) add(row);
    },
  };
}

function rowOf(refused: RefusedPayment, partyId: string, id: string, at: Date): NewRefusal {
  const { type, caller, about, amount, refusal } = refused;
  const { code, excess } = refusal;
  // A payment is about a customer and one merchant or agent at most.
  const other = about.find((id) => id !== partyId) ?? null;
  return {
    ...{ id, type, code, amount, at },
    party_id: partyId,
    ...(partyId.startsWith('sub_')
      ? { place_id: other, subscriber_id: null }
      : { place_id: null, subscriber_id: other }),
    channel: channelOf(caller),
    excess: excess?.accountId === partyId ? excess.amount : null,
    last_at: at,
    attempts: 1,
  };
}
