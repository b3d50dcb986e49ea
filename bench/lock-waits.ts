// Samples what the connections of the service wait for in PostgreSQL while load runs.
import pg from 'pg';

export interface LockWaits {
  samples: number;
  /** Share of the samples in which a connection waited for a row or a transaction of another. */
  lockShare: number;
  /** Share of the samples in which two connections were in a transaction of the ledger at the same time. */
  overlapShare: number;
}

// Extending a table is a short lock of PostgreSQL itself, and not of the ledger's rows.
const SAMPLE = `select count(*) filter (where wait_event in ('tuple', 'transactionid'))::int as locks,
    count(*) filter (where backend_xid is not null or wait_event_type = 'Lock')::int as writers
  from pg_stat_activity where application_name = 'kissi'`;

export async function sampleDuring(url: string, work: Promise<unknown>): Promise<LockWaits> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let [samples, locks, overlaps] = [0, 0, 0];
  while (!isDone) {
    const { rows } = await client.query<{ locks: number; writers: number }>({ name: 'sample', text: SAMPLE });
    samples += 1;
    if ((rows[0]?.locks ?? 0) > 0) locks += 1;
    if ((rows[0]?.writers ?? 0) > 1) overlaps += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await client.end();
  await done;
  return { samples, lockShare: locks / samples, overlapShare: overlaps / samples };
}
