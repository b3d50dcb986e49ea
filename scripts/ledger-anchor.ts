// npm run ledger:anchor: writes the signed ends of all chains to a file or URL outside the database.
// Exit codes: 0 done, 1 could not run.
import { appendFile, readFile } from 'node:fs/promises';
import { existingMasterKey } from '../src/app/secrets.ts';
import { type AnchorLink, anchorKey, chainHeads, makeAnchor } from '../src/audit/anchors.ts';
import { openDatabase } from '../src/db/database.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { print, readArguments, runCommand } from './arguments.ts';
import { openTarget } from './target-database.ts';

const COMMAND = {
  usage: `npm run ledger:anchor -- --out FILE|https://… | --public-key
Signs the ends of all chains, and appends them to a file or sends them to a URL. --public-key prints the key that verifies them.`,
  failure: 'The anchor was not written',
  failureCode: 1,
  values: { out: 'the name of a file, or a URL' },
  flags: ['public-key'],
} as const;
const WITHOUT_KEY = 'and neither is ANCHOR_SIGNING_KEY. Set one of them.';
const TIMEOUT_MS = 30_000;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[::1\])$/;

async function run(): Promise<void> {
  const { values, flags } = readArguments(COMMAND);
  const { out } = values;
  const config = loadConfig(process.env);
  const { anchorSigningKey: signingKey } = config;
  const key = anchorKey(
    signingKey ? { signingKey } : { masterKey: (await existingMasterKey(config, WITHOUT_KEY)).first.value },
  );
  if (flags.has('public-key')) return print(key.publicKey.export({ format: 'pem', type: 'spki' }).toString().trim());
  if (out === undefined) throw new Error(`usage: ${COMMAND.usage}`);
  const isUrl = /^[a-z]+:\/\//i.test(out);
  if (isUrl && !isConfidential(new URL(out))) throw new Error('the URL must start with https://');
  const link: AnchorLink = isUrl ? { linked: false } : { after: await lastLine(out) };
  const target = await openTarget(config.databaseUrl, config.dataDir);
  const database = openDatabase({ url: target.url, poolSize: 1 });
  try {
    const line = makeAnchor(await chainHeads(database.queries), key, systemClock, link);
    await (isUrl ? post(out, line) : appendFile(out, `${line}\n`, { mode: 0o644 }));
    print(line);
  } finally {
    await database.close();
    await target.close();
  }
}

/** Plain HTTP does not leave the machine if the host is a loopback address. */
function isConfidential({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
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
  // A redirect could lead to plain HTTP.
  const options = { method: 'POST', redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const reply = await fetch(url, { ...options, headers, body: line });
  if (!reply.ok) throw new Error(`${new URL(url).host} answered ${reply.status}`);
}

await runCommand(COMMAND, run);
