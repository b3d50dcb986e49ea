// A warm service with people, merchants and partners, and the kinds of payments that are measured on it.
import { type Merchant, makeMerchant, makePartner, times } from '@kissi/testkit/parties';
import { lowLoad } from './fixed-rate.ts';
import { type Workload, withCpu } from './interleave.ts';
import { type Load, UNLIMITED_PARTNER } from './load-job.ts';
import type { Population } from './population.ts';
import type { Bench } from './setup.ts';
import { uniformTransfers } from './transfers.ts';

const SUBSCRIBERS = 20_000;
const MERCHANTS = 20;
const PARTNERS = 8;
/** A sample makes a small refund on each of the first few thousand, so none is ever fully refunded. */
const REFUNDABLE_PAYMENTS = 10_000;
const WARM_UP_SECONDS = 8;
const CONNECTIONS = 128;

export interface Side {
  bench: Bench;
  population: Population;
  merchants: Merchant[];
}

type MakeLoad = (side: Side) => Load | Promise<Load>;

/** P2P at a fixed rate far below capacity. */
const LOW = 'low';

const KINDS: Record<string, MakeLoad> = {
  p2p: ({ population }) => uniformTransfers(population),
  single: ({ population }) => ({ ...uniformTransfers(population), connections: 1 }),
  [LOW]: ({ population }) => uniformTransfers(population),
  pos: cardPayments,
  'in-app': (side) => ({ ...cardPayments(side), kind: 'in-app' }),
  ask: ({ merchants }) => ({ kind: 'ask', merchants }),
  refund: async (side) => ({ kind: 'refund', refundableIds: await newCardPayments(side) }),
  inbound: async ({ bench, population }) => {
    const partners = await times(PARTNERS, () => makePartner(bench.admin, UNLIMITED_PARTNER));
    return { kind: 'inbound', partners, subscriberCount: population.ids.length };
  },
};

export async function makeSide(bench: Bench): Promise<Side> {
  const merchants = await times(MERCHANTS, () => makeMerchant(bench.admin));
  return { bench, population: await bench.populate(SUBSCRIBERS), merchants };
}

/** Throws if a kind is unknown. */
export function readKinds(list = 'p2p'): string[] {
  const kinds = list.split(',');
  const unknown = kinds.find((each) => !Object.hasOwn(KINDS, each));
  if (unknown !== undefined) throw new Error(`unknown kind ${unknown}`);
  return kinds;
}

export async function preparedLoad(side: Side, kind: string): Promise<Load> {
  return { connections: CONNECTIONS, ...(await (KINDS[kind] as MakeLoad)(side)) };
}

export async function warmWorkload(side: Side, kind: string, warmUpSeconds = WARM_UP_SECONDS): Promise<Workload> {
  const load = await preparedLoad(side, kind);
  const run: Workload =
    kind === LOW ? lowLoad(side.bench, load) : (seconds) => side.bench.runClosedLoop({ ...load, seconds });
  await run(warmUpSeconds);
  return withCpu(run, side.bench.cpuTime);
}

function cardPayments({ population, merchants }: Side): Load {
  return { kind: 'pos', cardSerials: population.cardSerials, merchants };
}

async function newCardPayments(side: Side): Promise<string[]> {
  const load = { ...cardPayments(side), connections: CONNECTIONS, requests: REFUNDABLE_PAYMENTS };
  await side.bench.runClosedLoop(load);
  return side.bench.recentPosPayments(REFUNDABLE_PAYMENTS);
}
