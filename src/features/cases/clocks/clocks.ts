// The clocks of cases: how many working days they may take, with the source of each number. They are added, never changed.
import { sql } from 'kysely';
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import type { Queries } from '../../../db/database.ts';
import { isCalendarDay } from '../../../http/fields.ts';
import type { Page } from '../../../http/paging.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { afterWorkingDays, dayText } from './working-days.ts';

export interface NewClocks {
  valid_from: string;
  acknowledge_days: number;
  resolve_days: number;
  complex_days: number;
  working_days: readonly number[];
  holidays: readonly string[];
  source: string;
}

interface StoredClocks extends NewClocks {
  id: string;
  created_by: string;
  created_at: Date;
}

/** No clocks of the Bank of Sierra Leone are public. These are Ghana's, until the operator's compliance enters others. */
const BUILT_IN: NewClocks = {
  valid_from: '1970-01-01',
  acknowledge_days: 3,
  resolve_days: 5,
  complex_days: 15,
  working_days: [1, 2, 3, 4, 5],
  holidays: [],
  source:
    'Sierra Leone, to be confirmed. The numbers are those of Ghana: Payment Systems and Services Act 2019 (Act 987). No holidays are entered.',
};

export type Clocks = ReturnType<typeof createClocks>;

export function createClocks({ database, audit, clock }: ChangeContext) {
  return {
    /** Of cases that are opened at the instant. */
    async at(queries: Queries, now: number): Promise<NewClocks> {
      const { rows } = await sql<StoredClocks>`select ${COLUMNS} from case_clocks
        where valid_from <= ${dayText(Math.floor(now / DAY_MS))}::date order by valid_from desc, id desc limit 1`.execute(
        queries,
      );
      return rows[0] ?? BUILT_IN;
    },

    /** There are few: all are read. The built-in ones are the last, and have no id. */
    async list({ limit, offset, after }: Page) {
      const { rows } = await sql<StoredClocks>`select ${COLUMNS} from case_clocks order by id desc`.execute(
        database.queries,
      );
      const all = [...rows.map(clocksView), builtInView()];
      const from = after ? all.findIndex(({ id }) => String(id) === after) + 1 : offset;
      return { rows: all.slice(from, from + limit), total: all.length };
    },

    async add(actor: Actor, clocks: NewClocks) {
      const refusal = dayRefusal(clocks);
      if (refusal) return refusal;
      const id = newId('cclk', clock);
      const row = {
        ...clocks,
        id,
        working_days: [...new Set(clocks.working_days)].sort((a, b) => a - b),
        holidays: [...new Set(clocks.holidays)].sort(),
        created_by: String(actor.caller.id),
        created_at: new Date(clock.now()),
      };
      await database.transact(async (trx) => {
        await trx.insertInto('case_clocks').values(row).execute();
        const { id: _, created_by, created_at, ...details } = row;
        await audit.record(trx, actor, {
          ...{ action: 'case_clocks.add', resourceType: 'case_clocks', resourceId: id, details },
        });
      });
      return clocksView(row);
    },
  };
}

/** When a case that is opened at the instant is to be acknowledged and resolved. */
export function deadlines(clocks: NewClocks, now: number) {
  return {
    acknowledge_by: new Date(afterWorkingDays(now, clocks.acknowledge_days, clocks)),
    resolve_by: new Date(afterWorkingDays(now, clocks.resolve_days, clocks)),
  };
}

/** When a complex case is to be resolved. */
export function complexDeadline(clocks: NewClocks, openedAt: number): Date {
  return new Date(afterWorkingDays(openedAt, clocks.resolve_days + clocks.complex_days, clocks));
}

const COLUMNS = sql`id, valid_from::text as valid_from, acknowledge_days, resolve_days, complex_days, working_days,
  holidays::text[] as holidays, source, created_by, created_at`;

function dayRefusal({ valid_from, holidays }: NewClocks): Refusal | null {
  if (!isCalendarDay(valid_from)) return refuse('INVALID_REQUEST', 'valid_from must be a day: YYYY-MM-DD.');
  if (!holidays.every(isCalendarDay)) return refuse('INVALID_REQUEST', 'holidays must be days: YYYY-MM-DD.');
  return null;
}

function clocksView({ created_at, ...clocks }: StoredClocks) {
  return { ...clocks, created_at: iso(created_at), is_default: false };
}

function builtInView() {
  return { ...BUILT_IN, id: null, created_by: null, created_at: null, is_default: true };
}
