// What a gateway process knows of the other gateways on its machine, all of them under one supervisor.
import type { Collected } from '../../features/metrics/service.ts';
import type { CountAtSupervisor } from '../../http/shared-limits.ts';

/** Caches that a change in one gateway empties in all of them. */
export type CacheName = 'keys' | 'rules';

export interface Siblings {
  /** From 0. A replacement has the index of the gateway it replaces. */
  index: number;
  count: number;
  countRequests: CountAtSupervisor;
  /** The other gateways drop their caches at once; without the message they would after a second. */
  tellChanged(cache: CacheName): void;
  onChanged(cache: CacheName, forget: () => void): void;
  collectMetrics(): Promise<Collected>;
}

/** Each task of the whole machine runs in one gateway, and a process's in every one. */
export function isMine({ index, count }: Pick<Siblings, 'index' | 'count'>, place: number): boolean {
  return place % count === index;
}
