// The engine for a Citus cluster, where each shard of the ledger's tables is on one of several servers.
import type { ShardMap } from '../../db/citus/shard-map.ts';
import { JOIN_COMMITS } from '../../db/citus/snapshot.ts';
import { statement } from '../../db/driver/statement.ts';
import { readActivityOnCitus } from '../velocity/citus-activity-store.ts';
import {
  insertMovements,
  insertPostings,
  insertRequests,
  insertSeal,
  type LedgerEngine,
  PLAIN_ENGINE,
  updateAccounts,
} from './engine.ts';

// RETURNING keeps the SQLSTATE of a row that the server does not accept; without it the error arrives as XX000. Citus commits
// a transaction with an INSERT … SELECT in two phases, even if all of its rows are on one server: they are committed together
// with the rows on the coordinator, such as the seal.
const INSERT_MOVEMENTS = statement('ledger-write', `${insertMovements(1, 15, 16)} returning null`);
const INSERT_REQUESTS = statement('ledger-write-requests', `${insertRequests(1, 7)} returning null`);
const INSERT_POSTINGS = statement('ledger-write-postings', `${insertPostings(1)} returning null`);
const INSERT_SEAL = statement('ledger-write-seal', insertSeal(3, 1, 2));
// An UPDATE over several shards locks each of them as a whole. `= any` tells Citus that this one is for one shard; in one
// PostgreSQL it would make the join quadratic.
const UPDATE_ACCOUNTS = statement(
  'ledger-write-accounts',
  `${updateAccounts(1, 'id')} and accounts.id = any($1::text[])`,
);

/** One group per shard. All gateways lock shard by shard in the same order, so that two batches cannot deadlock. */
export function citusEngine(shards: ShardMap): LedgerEngine {
  return {
    group: (items, idOf) => shards.group(items, idOf),
    locksNamed: false,
    rowOf: ({ id }) => id,
    write: ({ movements, postings, requests, accounts, stamp, seal }) => [
      { statement: JOIN_COMMITS, values: [] },
      { statement: INSERT_MOVEMENTS, values: [...movements, ...stamp] },
      { statement: INSERT_REQUESTS, values: [...requests, ...stamp.slice(1)] },
      { statement: INSERT_POSTINGS, values: postings },
      { statement: INSERT_SEAL, values: [...stamp, ...seal] },
      ...accounts.map((values) => ({ statement: UPDATE_ACCOUNTS, values })),
    ],
    readActivity: readActivityOnCitus,
  };
}

/** Chosen by what the database is. */
export function engineOf(shards: ShardMap | null): LedgerEngine {
  return shards ? citusEngine(shards) : PLAIN_ENGINE;
}
