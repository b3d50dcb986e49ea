// A processor's takings by hour or day: what it was paid, refunded and charged in each.
import { Type } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { dayOrInstant, readRange } from '../../http/date-range.ts';
import { minorUnits, timestamp } from '../../http/fields.ts';
import { type Clock, DAY_MS, HOUR_MS, iso } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { noSuchProcessor, otherProcessorRefusal } from '../../parties/processor.ts';
import type { PeriodSums } from '../transactions/service.ts';
import type { ProcessorContext } from './context.ts';
import { totalsOf } from './history.ts';

const STEPS = {
  hour: { ms: HOUR_MS, usual: 24, most: 48 },
  day: { ms: DAY_MS, usual: 30, most: 31 },
} as const;
type Step = keyof typeof STEPS;

export interface TakingsQuery {
  by?: Step;
  from?: string;
  to?: string;
}

interface Takings extends PeriodSums {
  by: Step;
  /** The starts of the hours or days. */
  starts: number[];
}

export const takingsQuery = Type.Object({
  by: Type.Optional(Type.Enum(['hour', 'day'], { description: 'day by default; UTC.' })),
  from: Type.Optional(dayOrInstant('The first hour or day contains it')),
  to: Type.Optional(
    dayOrInstant(`The last hour or day contains it; at most ${STEPS.hour.most} hours or ${STEPS.day.most} days`),
  ),
});

const period = Type.Object(
  {
    at: timestamp(),
    received: minorUnits('Payments received, before fees and without transfers between processors.'),
    received_count: Type.Integer({ description: 'The number of payments received.' }),
    refunded: minorUnits('Refunds paid.'),
    refunded_count: Type.Integer({ description: 'The number of refunds paid.' }),
    fees: minorUnits('Fees charged to the processor.'),
    commissions: minorUnits('Commissions paid to the processor.'),
    net: minorUnits('Earnings: received - refunded - fees + commissions.'),
  },
  { title: 'ProcessorTakings' },
);

export const takingsReply = Type.Object({
  by: Type.Enum(['hour', 'day'], { description: 'The length of each entry.' }),
  from: timestamp(),
  to: Type.String({ description: 'The end of the last hour or day, exclusive. ISO 8601, UTC.' }),
  takings: Type.Union([Type.Array(period), Type.Null()], {
    description:
      'One per hour or day. Null with takings_pending, and for staff who may not see all payments of the period.',
  }),
  takings_pending: Type.Optional(
    Type.Literal(true, { description: 'Present while they are still being computed. Request them again in a moment.' }),
  ),
  archived_before: Type.Optional(
    timestamp('Present if the period begins before this instant: earlier payments are archived, and not summed.'),
  ),
});

export function createTakings({ findProcessor, transactions, clock }: ProcessorContext) {
  return async function takings(actor: Actor, id: string, query: TakingsQuery): Promise<Takings | Refusal> {
    if (!(await findProcessor(id))) return noSuchProcessor();
    const refusal = otherProcessorRefusal(actor.caller, id);
    if (refusal) return refusal;
    const { by = 'day' } = query;
    const starts = startsOf(query, by, clock);
    if (starts instanceof Refusal) return starts;
    const periods = starts.map((from) => ({ from, to: from + STEPS[by].ms - 1 }));
    return { by, starts, ...(await transactions.sumsByPeriod(actor, id, periods)) };
  };
}

function startsOf(query: TakingsQuery, by: Step, clock: Clock): number[] | Refusal {
  const range = readRange(query);
  if (range instanceof Refusal) return range;
  const { ms, usual, most } = STEPS[by];
  const startOf = (at: number) => Math.floor(at / ms) * ms;
  const last = startOf(range.to ?? Math.max(clock.now(), range.from ?? 0));
  const first = range.from === undefined ? last - (usual - 1) * ms : startOf(range.from);
  const count = (last - first) / ms + 1;
  if (count > most) {
    return refuse('INVALID_REQUEST', `The period has ${count} ${by}s; at most ${most} are allowed.`);
  }
  return Array.from({ length: count }, (_, n) => first + n * ms);
}

export function takingsView({ by, starts, periods, isPending, archivedBefore }: Takings) {
  const [first = 0, last = 0] = [starts[0], starts.at(-1)];
  return {
    by,
    from: iso(first),
    to: iso(last + STEPS[by].ms),
    takings: periods?.map((sums, n) => ({ at: iso(starts[n] ?? 0), ...takingsOf(sums) })) ?? null,
    ...(isPending ? { takings_pending: true as const } : {}),
    ...(archivedBefore === undefined ? {} : { archived_before: iso(archivedBefore) }),
  };
}

function takingsOf(sums: Parameters<typeof totalsOf>[0]) {
  const { received, received_count, refunded, refunded_count, fees, commissions, net } = totalsOf(sums);
  return { received, received_count, refunded, refunded_count, fees, commissions, net };
}
