// sslmode=verify-full to a PostgreSQL with certificates of a real authority: who is connected to, and who is refused in one sentence.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { runService, temporaryFolder } from '@kissi/testkit/service';
import { openDatabase } from '../../src/db/database.ts';
import { grantLogin } from '../../src/db/schema/login.ts';
import { SECRETS } from '../support/secrets.ts';
import { HOST_NAME, startSecurePostgres } from '../support/secure-postgres.ts';

const folder = await temporaryFolder();
const server = await startSecurePostgres();
after(async () => {
  await server.remove();
  await folder.remove();
});

const ADDRESS = '127.0.0.1';
const LOGIN = { username: 'kissi_service', password: 'service-only' };

/** The service's login, verified with this authority. */
function urlAt(host: string, sslrootcert = server.ca, sslmode = 'verify-full'): string {
  const url = new URL(server.tcpUrl(host, { sslmode, sslrootcert }));
  return Object.assign(url, LOGIN).toString();
}

await grantLogin(server.ownerUrl, Object.assign(new URL(server.ownerUrl), LOGIN).toString());

const start = (url: string) => runService({ ...SECRETS, DATABASE_URL: url, DATA_DIR: folder.path });

async function assertServes(url: string): Promise<void> {
  const service = await start(url);
  try {
    assert.equal((await fetch(`${service.url}/health/ready`)).status, 200, service.stdout());
    const encrypted = `select count(*) from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'kissi_service' and not ssl`;
    assert.equal(String(await server.query(encrypted)), '0', 'every connection is encrypted');
  } finally {
    await service.stop('SIGTERM');
  }
}

async function assertRefused(url: string, sentence: RegExp): Promise<void> {
  const service = await start(url);
  assert.equal(await service.stop('SIGKILL'), 1, 'it has ended by itself');
  assert.match(service.stdout(), sentence);
  assert.doesNotMatch(service.stdout(), /\n\s+at |service-only/, 'without a stack trace and the password');
}

const OTHER_HOST = /The host in DATABASE_URL is not in PostgreSQL's certificate/;

describe('the service', () => {
  test('connects to the host of the certificate, of the right authority', async () => {
    await server.presentCertificate([HOST_NAME]);
    await assertServes(urlAt(HOST_NAME));
  });

  test('refuses a certificate of another authority', async () => {
    await server.presentCertificate([HOST_NAME]);
    await assertRefused(urlAt(HOST_NAME, server.otherCa), /not from an authority in the file of sslrootcert/);
  });

  test('refuses a certificate for another host', async () => {
    await server.presentCertificate(['db.example.com']);
    await assertRefused(urlAt(HOST_NAME), OTHER_HOST);
  });

  test('refuses a certificate that has expired', async () => {
    await server.presentCertificate([HOST_NAME], -1);
    await assertRefused(urlAt(HOST_NAME), /certificate, or that of its authority, has expired/);
  });
});

describe('an address instead of a name', () => {
  test('is verified as an address', async () => {
    await server.presentCertificate([ADDRESS]);
    await assertConnects(urlAt(ADDRESS));
    await server.presentCertificate([HOST_NAME]);
    await assert.rejects(connectOnce(urlAt(ADDRESS)), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });
});

describe('several hosts', () => {
  const both = (host: string) =>
    urlAt(host)
      .replace(/@([^/]+)/, '@$1,$1')
      .concat('&target_session_attrs=read-write');

  test('are each verified', async () => {
    await server.presentCertificate([HOST_NAME]);
    await assertConnects(both(HOST_NAME));
    await server.presentCertificate(['db.example.com']);
    await assert.rejects(connectOnce(both(HOST_NAME)));
  });
});

/** As the service opens its pools. */
async function connectOnce(url: string): Promise<string> {
  const timeouts = { connectMs: 60_000, queryMs: 60_000, statementMs: 60_000, probeMs: 60_000 };
  const database = openDatabase({ url, poolSize: 5, timeouts });
  try {
    const connection = await database.pool.connect();
    connection.release();
    return 'connected';
  } finally {
    await database.close();
  }
}

const assertConnects = async (url: string) => assert.equal(await connectOnce(url), 'connected');
