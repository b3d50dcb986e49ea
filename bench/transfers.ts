// Loads of P2P transfers over a population.
import type { Load } from './load-job.ts';
import type { Population } from './population.ts';

export function uniformTransfers({ ids, cardSerials }: Population): Load {
  return { kind: 'p2p', senderIds: ids, cardSerials };
}

export function transfersToOne({ ids, cardSerials }: Population): Load {
  return { kind: 'p2p', senderIds: ids.slice(1), cardSerials: cardSerials.slice(0, 1) };
}

/**
 * No two connections share a wallet. A connection has the requests whose number is congruent to its index, and with as many
 * wallets as a multiple of the connections, the wallets of these requests are congruent as well (requests.ts).
 */
export function disjointTransfers({ ids, cardSerials }: Population, connections: number): Load {
  const half = Math.floor(ids.length / 2 / connections) * connections;
  return { kind: 'p2p', connections, senderIds: ids.slice(0, half), cardSerials: cardSerials.slice(half, 2 * half) };
}
