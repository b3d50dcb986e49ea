// Counts movements that a test wrote with SQL in the roll-ups.
import type pg from 'pg';
import { ACCOUNT_SUMS, MOVEMENT_SUMS } from '../../src/ledger/verification/rollups.ts';
import { copyDistributedTables } from './citus.ts';

/** All sums as those of one gateway. */
const REBUILD = `
  delete from movement_rollups;
  delete from account_rollups;
  insert into movement_rollups (hour, chain, type, count, amount, fee, commission)
  select hour, 0, type, count, amount, fee, commission from (${MOVEMENT_SUMS}) s;
  insert into account_rollups (hour, chain, kind, change, active_in_hour, active_in_day, active_in_week)
  select hour, 0, kind, change, active_in_hour, active_in_day, active_in_week from (${ACCOUNT_SUMS}) s`;

export async function rebuildRollups(client: pg.Client): Promise<void> {
  await client.query('begin');
  await copyDistributedTables(client);
  await client.query(`${REBUILD}; commit`);
}
