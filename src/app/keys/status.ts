// npm run keys:status: the keys, who has them, and what needs them.
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { plural } from '../../kernel/plural.ts';
import type { RunningSecrets } from '../secrets.ts';
import { countUses, type KeyUse } from './counts.ts';
import { liveGateways } from './live-gateways.ts';
import { checkStored, readRetired } from './secret-checks.ts';
import { KEY_NAMES, type KeyName } from './stored-values.ts';

type State = 'first' | 'configured' | 'retired' | 'removed' | 'missing';

export interface KeyStatus {
  id: string;
  state: State;
  /** Running gateways that have it, and that write under it. */
  gateways: { have: number; write: number };
  uses: Pick<KeyUse, 'where' | 'count' | 'expires'>[];
}

export interface Status {
  name: KeyName;
  gateways: number;
  keys: KeyStatus[];
}

export interface Examined {
  database: Database;
  clock: Clock;
  secrets: Pick<RunningSecrets, KeyName>;
}

export async function statusOf({ database: { queries }, clock, secrets }: Examined): Promise<Status[]> {
  for (const name of KEY_NAMES) await checkStored(queries, name, secrets[name]);
  const uses = await countUses(queries, clock, secrets.MASTER_KEY);
  const found: Status[] = [];
  for (const name of KEY_NAMES) {
    const ring = secrets[name];
    const retired = await readRetired(queries, name, ring);
    const gateways = await liveGateways(queries, name);
    const ofName = uses.filter((use) => use.name === name);
    const ids = new Set([...ring.configured.map(({ id }) => id), ...ofName.map(({ id }) => id), ...retired]);
    const isConfigured = (id: string) => ring.configured.some((key) => key.id === id);
    const stateOf = (id: string): State => {
      if (id === ring.first.id) return 'first';
      if (retired.has(id))
        return isConfigured(id) || gateways.some(({ ids }) => ids.includes(id)) ? 'retired' : 'removed';
      return ring.has(id) ? 'configured' : 'missing';
    };
    const keys = [...ids].map((id) => ({
      id,
      state: stateOf(id),
      gateways: {
        have: gateways.filter((each) => each.ids.includes(id)).length,
        write: gateways.filter(({ writes }) => writes === id).length,
      },
      uses: ofName.filter((use) => use.id === id).map(({ where, count, expires }) => ({ where, count, expires })),
    }));
    found.push({ name, gateways: gateways.length, keys });
  }
  return found;
}

const STATES: Readonly<Record<State, string>> = {
  first: 'first, for new values',
  configured: 'configured',
  retired: 'retired: remove it from the configuration',
  removed: 'retired and removed',
  missing: 'NOT CONFIGURED',
};

export function statusText(status: readonly Status[]): string {
  return status
    .flatMap(({ name, gateways, keys }) => [`${name}:`, ...keys.flatMap((key) => linesOf(key, gateways))])
    .join('\n');
}

function linesOf({ id, state, gateways: { have, write }, uses }: KeyStatus, gateways: number): string[] {
  const total = uses.reduce((sum, { count }) => sum + count, 0);
  const holders = `${have} of ${plural(gateways, 'running gateway')} have it, ${write} write under it`;
  const counted = uses.map(
    ({ where, count, expires }) => `    ${where}: ${count.toLocaleString('en')}${expires ? ' (they expire)' : ''}`,
  );
  const needed = `${plural(total, 'stored value')} ${total === 1 ? 'needs' : 'need'} it`;
  return [`  ${id} (${STATES[state]}): ${needed}; ${holders}`, ...counted];
}
