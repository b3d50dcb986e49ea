// Where the reads of a request go: to the primary, or to the replica that was chosen for it (db/replicas).
import { AsyncLocalStorage } from 'node:async_hooks';

const chosen = new AsyncLocalStorage<object | null>();

/** Null: the primary. */
export function chosenReplica(): object | null {
  return chosen.getStore() ?? null;
}

export function onReplica<T>(replica: object, work: () => T): T {
  return chosen.run(replica, work);
}

/** For writes, and for reads that requests share: another request may need them from the primary. */
export function onPrimary<T>(work: () => T): T {
  return chosen.getStore() ? chosen.run(null, work) : work();
}

/** The returned function runs work later that reads from the same server as its creator, in any context. */
export function fromHere(): <T>(work: () => T) => T {
  const replica = chosenReplica();
  return (work) => chosen.run(replica, work);
}
