// npm run ledger:anchor: writes the signed ends of all chains to a file or URL outside of the database.
// Exit codes: 0 done, 1 could not run.
import { appendFile, readFile } from 'node:fs/promises';
import { existingMasterKey } from '../src/app/secrets.ts';
import { anchorKey, chainHeads, makeAnchor } from '../src/audit/anchors.ts';
import { openDatabase } from '../src/db/database.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { openTarget } from './target-database.ts';

const USAGE = 'usage: npm run ledger:anchor -- --out FILE|https://… | --public-key';
const TIMEOUT_MS = 30_000;

async function run([option, value]: readonly string[]): Promise<void> {
  const config = loadConfig(process.env);
  const { anchorSigningKey: signingKey } = config;
  const key = anchorKey(signingKey ? { signingKey } : { masterKey: await existingMasterKey(config) });
  if (option === '--public-key') return print(key.publicKey.export({ format: 'pem', type: 'spki' }).toString().trim());
  if (option !== '--out' || value === undefined) throw new Error(USAGE);
  const isUrl = /^[a-z]+:\/\//.test(value);
  if (isUrl && !value.startsWith('https://')) throw new Error('the URL must start with https://');
  const previous = isUrl ? null : await lastLine(value);
  const target = await openTarget(config.databaseUrl, config.dataDir);
  const database = openDatabase({ url: target.url, poolSize: 1 });
  try {
    const line = makeAnchor(await chainHeads(database.queries), key, systemClock, previous);
    await (isUrl ? post(value, line) : appendFile(value, `${line}\n`, { mode: 0o644 }));
    print(line);
  } finally {
    await database.close();
    await target.close();
  }
}

async function lastLine(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trimEnd().split('\n').at(-1) || null;
}

async function post(url: string, line: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(url, { method: 'POST', headers, body: line, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!reply.ok) throw new Error(`${new URL(url).host} answered ${reply.status}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`The anchor was not written: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
