// npm run sign: the headers of a signed request, or why one was rejected; for development and staging.
import { parseArgs } from 'node:util';
import { explain } from './sign/explain.ts';
import { readBytes, readHeaders, readRequest } from './sign/request.ts';
import { type Scheme, type Sent, schemeFor, signedHeaders, Unsaid } from './sign/schemes.ts';

const USAGE = `npm run -s sign -- METHOD PATH [BODYFILE] [options]     prints the headers, one a line, as curl -H @- takes them
npm run -s sign -- --explain FILE [options]             why the request in FILE, as it was sent, is not believed
npm run -s sign -- --explain METHOD PATH [BODYFILE] -H 'X-Timestamp: …' -H 'X-Signature: …' [options]

PATH is the path as it is sent, with /api/v1 and the query. BODYFILE may be - for standard input.

  --scheme NAME           pos, partner, inbound, service or webhook; told from the path where it can be
  --secret SECRET         the secret that came with the key; better in the environment: SECRET
  --key-id ID             the id of the key, or the name of the service; or KEY_ID
  --partner-id ID         X-Partner-ID; or PARTNER_ID
  --idempotency-key KEY   X-Idempotency-Key of an inbound write: the same on a retry; or IDEMPOTENCY_KEY
  --nonce NONCE           X-Nonce; a new one unless told
  --timestamp TIME        now unless told
  --mine FILE             with --explain: the string that your code signed, to be held against the expected one
`;

const OPTIONS = {
  explain: { type: 'boolean' },
  help: { type: 'boolean' },
  header: { type: 'string', short: 'H', multiple: true },
  ...text('scheme', 'secret', 'key-id', 'partner-id', 'idempotency-key', 'nonce', 'timestamp', 'mine'),
} as const;

function text<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }])) as Record<Name, { type: 'string' }>;
}

type Values = ReturnType<typeof read>['values'];
const read = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true });

/** Neither a secret nor the id of a key says where it is from: what can be known is where this runs. */
function secretOf({ secret = process.env.SECRET }: Values): string {
  if (process.env.APP_ENV === 'production') {
    throw new Unsaid('This tool is for development and staging: it signs nothing in production.');
  }
  if (!secret) throw new Unsaid('The secret is missing: set SECRET, or say --secret.');
  if (/^svc_(test|live)_/.test(secret)) {
    throw new Unsaid(
      'svc_… is the bearer value of the key; requests are signed with its secret, which came beside it.',
    );
  }
  return secret;
}

function requestOf([method, target, bodyFile, ...more]: string[], headers: string[] = []): Sent {
  if (!method || !target || more.length > 0) throw new Unsaid(`Say what to sign.\n\n${USAGE}`);
  if (!target.startsWith('/')) throw new Unsaid(`${target} is not a path: it begins with a slash, and has no host.`);
  return { method, target, headers: readHeaders(headers), body: bodyFile ? readBytes(bodyFile) : Buffer.alloc(0) };
}

function sign(scheme: Scheme, sent: Sent, values: Values): string {
  const options = {
    keyId: values['key-id'] ?? process.env.KEY_ID,
    partnerId: values['partner-id'] ?? process.env.PARTNER_ID,
    idempotencyKey: values['idempotency-key'] ?? process.env.IDEMPOTENCY_KEY,
    nonce: values.nonce,
    timestamp: values.timestamp,
  };
  const headers = Object.entries(signedHeaders(scheme, sent, options, secretOf(values)));
  return headers.map(([name, value]) => `${name}: ${value}\n`).join('');
}

function main(args: string[]): number {
  const { values, positionals } = read(args);
  if (values.help) return say(USAGE, 0);
  const fromFile = values.explain && positionals.length === 1;
  const sent = fromFile ? readRequest(positionals[0] ?? '') : requestOf(positionals, values.header);
  const scheme = schemeFor(values.scheme, sent.target);
  if (!values.explain) return say(sign(scheme, sent, values), 0);
  const mine = values.mine === undefined ? undefined : readBytes(values.mine);
  const { text: explanation, believed } = explain(scheme, sent, secretOf(values), mine);
  return say(`${explanation}\n`, believed ? 0 : 1);
}

function say(words: string, exitCode: number): number {
  process.stdout.write(words);
  return exitCode;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  const expected = error instanceof Unsaid || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
  if (!expected) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
