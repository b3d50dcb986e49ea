// A PostgreSQL server as production has it: TLS with a certificate of an authority, durable, with an archive of its WAL.
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, chown, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { prepareBinaries } from '@kissi/embedded-postgres';
import { freePort } from '@kissi/testkit/service';
import pg from 'pg';
import { makeDirectory } from '../../scripts/drill/postgres-server.ts';
import { createSandbox } from '../../scripts/drill/sandbox.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { createAuthority } from './certificates.ts';
import { waitFor } from './wait.ts';

export interface SecurePostgres {
  /** A directory that the server may write, with the certificates. */
  folder: string;
  /** The certificate of the authority that issued the server's, and of another one. */
  ca: string;
  otherCa: string;
  /** The owner's login on the migrated database, through the Unix socket. */
  ownerUrl: string;
  /** The same login through TCP, with these parameters of the URL. */
  tcpUrl(host: string, parameters?: Record<string, string>): string;
  /** Presents a certificate for these hosts, or one that has expired, to connections from now on. */
  presentCertificate(hosts: readonly string[], days?: number): Promise<void>;
  /** Runs a statement as superuser, and returns the first value. */
  query(statement: string): Promise<unknown>;
  remove(): Promise<void>;
}

/** An address of this machine that is not loopback; null: there is no network. */
export function outerAddress(): string | null {
  const found = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return found.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? null;
}

const PASSWORD = 'test-only';
export const HOST_NAME = 'localhost';

export async function startSecurePostgres(): Promise<SecurePostgres> {
  const sandbox = await createSandbox('tls');
  try {
    const { directory, osUser } = sandbox;
    const bin = join((await prepareBinaries(osUser, directory)).directory, 'bin');
    const authority = await createAuthority(directory);
    const other = await createAuthority(directory, 'other');
    const outer = outerAddress();
    const { cert, key } = await authority.issue('server', [HOST_NAME, ...(outer ? [outer] : [])]);
    await chown(key, osUser.uid, osUser.gid);
    const wal = await makeDirectory(sandbox, 'wal');
    const pgdata = join(directory, 'data');
    await writeFile(join(directory, 'password'), PASSWORD);
    const options = ['-U', 'kissi', '-A', 'scram-sha-256', `--pwfile=${join(directory, 'password')}`, '--no-sync'];
    await sandbox.run(join(bin, 'initdb'), '-D', pgdata, ...options, '-E', 'UTF8', '--locale=C.UTF-8');
    const settings = [
      ...['ssl = on', `ssl_cert_file = '${cert}'`, `ssl_key_file = '${key}'`],
      ...['archive_mode = on', `archive_command = 'cp %p ${wal}/%f'`],
      ...[`listen_addresses = '*'`, `unix_socket_directories = '${directory}'`, 'shared_buffers = 32MB'],
    ];
    await appendFile(join(pgdata, 'postgresql.conf'), `${settings.join('\n')}\n`);
    await appendFile(join(pgdata, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
    const port = await freePort();
    const control = (...args: string[]) => sandbox.run(join(bin, 'pg_ctl'), '-D', pgdata, ...args);
    await control('start', '--wait', '-l', join(directory, 'server.log'), '-o', `-p ${port}`);
    sandbox.onClose(async () => void (await control('stop', '-m', 'immediate')));
    const urlOf = (host: string, database: string, parameters: Record<string, string> = {}) =>
      `postgresql://kissi:${PASSWORD}@${host}:${port}/${database}?${new URLSearchParams(parameters)}`;
    const socket = { host: directory, sslmode: 'disable' };
    const query = (statement: string) => valueAt(urlOf(HOST_NAME, 'postgres', socket), statement);
    await query('create database kissi');
    const presented = async (names: readonly string[], days?: number) => {
      // The server reads the same files again.
      const issued = await authority.issue('server', names, days);
      await chown(issued.key, osUser.uid, osUser.gid);
      await query('select pg_reload_conf()');
      await waitFor('the server presents it', async () => (await presentedAt(port)).equals(await derOf(issued.cert)));
    };
    const ownerUrl = urlOf(HOST_NAME, 'kissi', socket);
    await migrate(ownerUrl);
    return {
      ...{ folder: directory, ca: authority.ca, otherCa: other.ca, ownerUrl, query },
      presentCertificate: presented,
      tcpUrl: (host, parameters) => urlOf(host, 'kissi', parameters),
      remove: () => sandbox.close(),
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

const derOf = async (path: string) => new X509Certificate(await readFile(path)).raw;

/** The certificate that a new connection gets, not verified. */
async function presentedAt(port: number): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  try {
    // SSLRequest of the protocol: 8 bytes, and the answer S.
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    await once(socket, 'data');
    const secured = connectTls({ socket, rejectUnauthorized: false });
    await once(secured, 'secureConnect');
    return secured.getPeerX509Certificate()?.raw ?? Buffer.alloc(0);
  } finally {
    socket.destroy();
  }
}

async function valueAt(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query({ text: statement, rowMode: 'array' }).finally(() => client.end());
  return rows[0]?.[0];
}
