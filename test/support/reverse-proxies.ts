// Starts the examples of deploy/ with Debian's nginx and Caddy: the same files, with other addresses and certificates.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@kissi/testkit/service';
import { findProgram } from '../../scripts/drill/sandbox.ts';
import type { Certificate } from './certificates.ts';
import { waitFor } from './wait.ts';

export interface ProxyFiles {
  /** The server's certificate. */
  server: Certificate;
  /** The authority of partners' certificates. */
  partnersCa: string;
}

export interface RunningProxy {
  httpPort: number;
  httpsPort: number;
  stop(): Promise<void>;
}

export type ProxyName = 'nginx' | 'caddy';
export const HOST = 'pay.example.com';

const EXAMPLES = { nginx: 'deploy/nginx/kissi.conf', caddy: 'deploy/caddy/Caddyfile' };

/** Null if the program is not installed: apt-get install -y --no-install-recommends nginx-light caddy. */
export const findProxy = (name: ProxyName) => findProgram(name);

export async function startProxy(
  name: ProxyName,
  binary: string,
  { folder, gateway, files }: { folder: string; gateway: string; files: ProxyFiles },
): Promise<RunningProxy> {
  const [httpPort, httpsPort] = (await freePorts(2)) as [number, number];
  const home = join(folder, name);
  await mkdir(home);
  const example = await readFile(fileURLToPath(new URL(`../../${EXAMPLES[name]}`, import.meta.url)), 'utf8');
  const replaced = replaceAll(example, [
    ['127.0.0.1:8080', new URL(gateway).host],
    ['/etc/kissi/tls/server.pem', files.server.cert],
    ['/etc/kissi/tls/server.key', files.server.key],
    ['/etc/kissi/tls/partners-ca.pem', files.partnersCa],
    ...(name === 'nginx'
      ? ([
          ['listen 80;', `listen 127.0.0.1:${httpPort};`],
          ['listen 443 ssl http2;', `listen 127.0.0.1:${httpsPort} ssl http2;`],
          ['/var/log/nginx', home],
        ] as const)
      : []),
  ]);
  const args = await (name === 'nginx'
    ? nginxArguments(home, replaced)
    : caddyArguments(home, replaced, [httpPort, httpsPort]));
  const child = spawn(binary, args, {
    env: { PATH: process.env.PATH ?? '', HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  await waitFor(`${name} listens`, async () => {
    if (child.exitCode !== null) throw new Error(output);
    return isListening(httpsPort);
  });
  return { httpPort, httpsPort, stop: () => stop(child) };
}

/** Fails if the example no longer has one of the texts. */
function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((replaced, [from, to]) => {
    if (!replaced.includes(from)) throw new Error(`the example does not contain ${from}`);
    return replaced.replaceAll(from, to);
  }, text);
}

/** What Debian's nginx.conf has around a site. */
async function nginxArguments(home: string, site: string): Promise<string[]> {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${home}/${each};`,
  );
  const config = [
    'daemon off; master_process off;',
    `pid ${home}/pid; error_log stderr;`,
    'events {}',
    `http { ${paths.join(' ')}\n${site}\n}`,
  ].join('\n');
  await writeFile(join(home, 'nginx.conf'), config);
  return ['-p', home, '-c', join(home, 'nginx.conf')];
}

/** The ports are global options, which an operator leaves as they are. */
async function caddyArguments(home: string, site: string, [httpPort, httpsPort]: [number, number]): Promise<string[]> {
  const options = `{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tdefault_bind 127.0.0.1\n}\n`;
  await writeFile(join(home, 'Caddyfile'), `${options}${site}`);
  return ['run', '--adapter', 'caddyfile', '--config', join(home, 'Caddyfile')];
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
