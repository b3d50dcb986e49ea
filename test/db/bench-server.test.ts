// Tests the PostgreSQL that benchmarks measure: its databases, what the report says about it, and its processor time.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { withClient } from '../../bench/client.ts';
import { findServer, readProcesses } from '../../bench/cpu-time.ts';
import { describeBuild, startServer } from '../../bench/server.ts';

const GIVEN = process.env.TEST_DATABASE_URL as string;
const databases = `select datname from pg_database where datname like 'kissi_bench_%'`;

describe('a PostgreSQL given to the benchmarks', () => {
  test('gets two databases of their own, which are dropped at the end', async () => {
    const server = await startServer('', GIVEN);
    const names = [server.url, server.referenceUrl].map((url) => new URL(url).pathname.slice(1));
    const found = async () =>
      (await withClient(GIVEN, (client) => client.query<{ datname: string }>(databases))).rows.map(
        (row) => row.datname,
      );
    const during = await found();
    await server.stop();
    const after = await found();
    assert.equal(new Set(names).size, 2);
    assert.ok(names.every((name) => during.includes(name) && !after.includes(name)));
  });

  test('is described by its version and the flags that it was compiled with', async () => {
    const server = await startServer('', GIVEN);
    await server.stop();
    assert.match(server.build, /^PostgreSQL \d+\.\d+ on .*, built with `.*-O\w.*`$/);
  });

  test('is measured while it runs on this machine', { skip: !existsSync('/proc/self/stat') }, async () => {
    const server = await startServer('', GIVEN);
    const before = server.cpuTime(await readProcesses());
    await withClient(server.url, (client) =>
      client.query(`do $$ declare start timestamptz := clock_timestamp();
        begin while clock_timestamp() < start + interval '0.3 seconds' loop end loop; end $$`),
    );
    const after = server.cpuTime(await readProcesses());
    await server.stop();
    assert.ok(after > before, `${before} to ${after}`);
  });

  test('on another machine is not confused with a process of this one', async () => {
    assert.ok(Number.isNaN(await findServer('kissi_bench_elsewhere')));
    const text = describeBuild({ version: 'PostgreSQL 18.4', flags: '-Wall -g -O2 -fwrapv' }, Number.NaN);
    assert.equal(
      text,
      'PostgreSQL 18.4, built with `-O2 -fwrapv`. Its processor time (NaN) cannot be read: it does not run on this machine',
    );
  });

  test('whose user is no superuser keeps its flags to itself', () => {
    const text = describeBuild({ version: 'PostgreSQL 18.4', flags: null }, 1);
    assert.equal(text, 'PostgreSQL 18.4, build flags unknown: only a superuser may read them');
  });
});
