// Counts movements that a test wrote with SQL in the roll-ups, as after an upgrade.
import type pg from 'pg';
import { ROLL_UP_HISTORY } from '../../src/ledger/seals/rollup-history.ts';
import { copyDistributedTables } from './citus.ts';

export async function rebuildRollups(client: pg.Client): Promise<void> {
  await client.query('begin');
  await copyDistributedTables(client);
  await client.query(`${ROLL_UP_HISTORY}; commit`);
}
