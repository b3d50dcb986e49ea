// Observes the service while load runs: memory, connections and queues, and whether /health and /metrics still answer.
import pg from 'pg';
import type { Bench } from '../setup.ts';

export interface Observation {
  memoryMb: number;
  /** From the service to PostgreSQL. */
  databaseConnections: number;
  /** From clients to the service. */
  clientConnections: number;
  /** Queued requests and movements. */
  waiting: number;
  /** Time until both /health and /metrics were answered; null if one of them did not return 200. */
  probeMs: number | null;
}

export interface Monitor {
  observe(): Promise<Observation>;
  /** Observes once per second until the work is done. */
  observeDuring<T>(work: Promise<T>): Promise<{ result: T; observations: Observation[] }>;
  /** How many of a run's requests the ledger has recorded. */
  countRecorded(runId: string): Promise<number>;
  close(): Promise<void>;
}

const COUNT_CONNECTIONS = `select count(*)::int as n from pg_stat_activity where application_name = 'kissi'`;
const COUNT_REQUESTS = 'select count(*)::int as n from requests where request_id >= $1 and request_id < $2';

export async function startMonitor(bench: Bench): Promise<Monitor> {
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  const count = async (text: string, values: string[] = []) =>
    (await client.query<{ n: number }>(text, values)).rows[0]?.n ?? 0;

  async function observe(): Promise<Observation> {
    const startedAt = performance.now();
    const [isHealthy, metrics] = await Promise.all([
      fetch(`${bench.address}/health`).then(({ ok }) => ok),
      fetch(`${bench.address}/metrics`).then(async (reply) => (reply.ok ? reply.text() : null)),
    ]);
    const probeMs = isHealthy && metrics !== null ? performance.now() - startedAt : null;
    const metric = (name: string) => sumSeries(metrics ?? '', name);
    return {
      memoryMb: await bench.serviceMemoryMb(),
      databaseConnections: await count(COUNT_CONNECTIONS),
      clientConnections: metric('kissi_http_connections'),
      waiting: metric('kissi_http_waiting') + metric('kissi_ledger_queue_length'),
      probeMs,
    };
  }

  return {
    observe,
    async observeDuring(work) {
      const observations: Observation[] = [];
      let isDone = false;
      const observing = (async () => {
        while (!isDone) {
          observations.push(await observe());
          await new Promise((resolve) => setTimeout(resolve, 1_000));
        }
      })();
      const result = await work.finally(() => {
        isDone = true;
      });
      await observing;
      return { result, observations };
    },
    // "." follows "-" in ASCII: the range selects every id that starts with "<runId>-", and can use the index.
    countRecorded: (runId) => count(COUNT_REQUESTS, [`${runId}-`, `${runId}.`]),
    close: () => client.end(),
  };
}

/** The sum over all label values of a metric. */
export function sumSeries(metrics: string, name: string): number {
  const lines = metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'));
  return [...lines].reduce((total, [, value]) => total + Number(value), 0);
}
