// What is watched while load runs: memory, connections and queues each second, and whether operators are still let in.
import pg from 'pg';
import type { Bench } from '../setup.ts';

export interface Sight {
  memoryMb: number;
  /** Of the service to PostgreSQL, and of clients to the service. */
  databaseConnections: number;
  clientConnections: number;
  /** Movements and requests that wait. */
  waiting: number;
  /** How long /health and /metrics took together; null: one of them was not answered with 200. */
  probeMs: number | null;
}

export interface Watch {
  look(): Promise<Sight>;
  /** Looks once a second until the work is done. */
  during<T>(work: Promise<T>): Promise<{ result: T; sights: Sight[] }>;
  /** How many requests of a run are in the books. */
  booked(runId: string): Promise<number>;
  close(): Promise<void>;
}

const COUNT = `select count(*)::int as n from pg_stat_activity where application_name = 'kissi'`;
const BOOKED = 'select count(*)::int as n from requests where request_id >= $1 and request_id < $2';

export async function startWatch(bench: Bench): Promise<Watch> {
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  const count = async (text: string, values: string[] = []) =>
    (await client.query<{ n: number }>(text, values)).rows[0]?.n ?? 0;

  async function look(): Promise<Sight> {
    const begun = performance.now();
    const [health, figures] = await Promise.all([
      fetch(`${bench.address}/health`).then(({ ok }) => ok),
      fetch(`${bench.address}/metrics`).then(async (reply) => (reply.ok ? reply.text() : null)),
    ]);
    const probeMs = health && figures !== null ? performance.now() - begun : null;
    const read = (name: string) => sum(figures ?? '', name);
    return {
      memoryMb: await bench.serviceMemoryMb(),
      databaseConnections: await count(COUNT),
      clientConnections: read('kissi_http_connections'),
      waiting: read('kissi_http_waiting') + read('kissi_ledger_queue_length'),
      probeMs,
    };
  }

  return {
    look,
    async during(work) {
      const sights: Sight[] = [];
      let done = false;
      const watching = (async () => {
        while (!done) {
          sights.push(await look());
          await new Promise((resolve) => setTimeout(resolve, 1_000));
        }
      })();
      const result = await work.finally(() => {
        done = true;
      });
      await watching;
      return { result, sights };
    },
    // From "<run>-" up to "<run>." is all that begins with "<run>-": by the index.
    booked: (runId) => count(BOOKED, [`${runId}-`, `${runId}.`]),
    close: () => client.end(),
  };
}

/** All series of a figure together. */
function sum(figures: string, name: string): number {
  const lines = figures.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'));
  return [...lines].reduce((total, [, value]) => total + Number(value), 0);
}
