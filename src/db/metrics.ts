// Metrics of the database connections.
import type { Metrics, Sample } from '../kernel/metrics.ts';
import type { Database, NamedPoolUse } from './database.ts';
import { OUTCOMES } from './replicas/replicas.ts';

const PROBE_TIMEOUT_MS = 800;

export function registerDatabaseGauges(metrics: Metrics, database: Database, probeMs = PROBE_TIMEOUT_MS): void {
  const gauge = (name: string, help: string, samples: (use: NamedPoolUse) => Sample[]) =>
    metrics.add({ name, help, type: 'gauge', combine: 'sum', samples: () => database.pools().flatMap(samples) });
  gauge('kissi_database_connections', "Each pool's connections, in use and idle.", ({ pool, inUse, idle }) => [
    { labels: { pool, state: 'in_use' }, value: inUse },
    { labels: { pool, state: 'idle' }, value: idle },
  ]);
  gauge('kissi_database_connections_limit', 'Connections each pool may open.', ({ pool, limit }) => [
    { labels: { pool }, value: limit },
  ]);
  gauge('kissi_database_pool_waiting', 'Callers waiting for a connection from each pool.', ({ pool, waiting }) => [
    { labels: { pool }, value: waiting },
  ]);
  metrics
    .gauge({
      name: 'kissi_database_reader_queries',
      help: 'Batched look-up statements that were sent and are not answered yet.',
      combine: 'sum',
    })
    .readFrom(() => database.reader.inFlight());
  metrics
    .gauge({ name: 'kissi_database_up', help: 'Whether PostgreSQL answers within 0.8 seconds.', combine: 'min' })
    .readFrom(async () => Number(await database.isResponding(probeMs)));
  metrics.add({
    name: 'kissi_replica_reads_total',
    help: 'Requests that may read from a replica, by where they read: a replica, or the primary because of lag or failure.',
    type: 'counter',
    samples: () => OUTCOMES.map((outcome) => ({ labels: { outcome }, value: database.replicas?.counts[outcome] ?? 0 })),
  });
}
