// The PostgreSQL that a benchmark measures: the embedded one, or that of BENCH_DATABASE_URL.
import { randomBytes } from 'node:crypto';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import pg from 'pg';
import { withClient } from './client.ts';
import { findServer, type ProcessTime, treeTime } from './cpu-time.ts';

export interface BenchServer {
  /** An empty database for the service. */
  url: string;
  /** An empty database for the reference workload. */
  referenceUrl: string;
  /** Its version and compiler flags, for the report: they decide what a payment costs in PostgreSQL. */
  build: string;
  /** Microseconds of processor time of all its processes; NaN if they run on another machine. */
  cpuTime(processes: readonly ProcessTime[]): number;
  stop(): Promise<void>;
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** `given`: the URL of a running server, whose user may create databases and roles. The embedded one starts in `dataDir`. */
export async function startServer(dataDir: string, given: string | undefined): Promise<BenchServer> {
  const embedded = given ? null : await startEmbeddedServer({ dataDir, report: () => undefined });
  const base = embedded?.url ?? (given as string);
  const id = randomBytes(4).toString('hex');
  const [service, reference] = [`kissi_bench_${id}`, `kissi_bench_reference_${id}`];
  for (const name of [service, reference]) await withClient(base, (client) => client.query(`create database ${name}`));
  const url = databaseUrl(base, service);
  const { build, pid } = await withClient(url, async (client) => ({
    build: await readBuild(client),
    pid: await findServer(service),
  }));
  return {
    url,
    referenceUrl: databaseUrl(base, reference),
    build: describeBuild(build, pid),
    cpuTime: (processes) => treeTime(processes, pid),
    async stop() {
      if (embedded) return embedded.stop();
      for (const name of [service, reference]) {
        await withClient(base, (client) => client.query(`drop database if exists ${name} with (force)`));
      }
    },
  };
}

function databaseUrl(base: string, name: string): string {
  return Object.assign(new URL(base), { pathname: name }).toString();
}

export interface Build {
  version: string;
  /** Null if the user may not read them. */
  flags: string | null;
}

async function readBuild(client: pg.Client): Promise<Build> {
  const { rows } = await client.query<{ version: string }>('select version()');
  return { version: rows[0]?.version ?? '', flags: await readFlags(client) };
}

async function readFlags(client: pg.Client): Promise<string | null> {
  try {
    const { rows } = await client.query<{ setting: string }>(`select setting from pg_config where name = 'CFLAGS'`);
    return rows[0]?.setting ?? null;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) return null;
    throw error;
  }
}

/** Warnings and debug information do not change the code, so their flags are left out. */
export function describeBuild({ version, flags }: Build, pid: number): string {
  const relevant = flags?.split(' ').filter((flag) => !/^-(W|g$)/.test(flag));
  const built = relevant
    ? `built with \`${relevant.join(' ')}\``
    : 'build flags unknown: only a superuser may read them';
  const unmeasured = Number.isNaN(pid)
    ? '. Its processor time (NaN) cannot be read: it does not run on this machine'
    : '';
  return `${version}, ${built}${unmeasured}`;
}
