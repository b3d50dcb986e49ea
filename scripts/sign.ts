// npm run sign: prints the headers of a signed request, or explains why a signature is rejected. For development and staging.
import { parseArgs } from 'node:util';
import {
  type HttpRequest,
  type Scheme,
  schemeFor,
  signedHeaders,
  UsageError,
} from '../src/auth/signatures/client-schemes.ts';
import { explain } from './sign/explain.ts';
import { readBytes, readHeaders, readRequest } from './sign/read-request.ts';

const USAGE = `npm run -s sign -- METHOD PATH [BODYFILE] [options]     print the headers, one per line, in the format of curl -H @-
npm run -s sign -- --explain FILE [options]             explain why the request in FILE, exactly as sent, is rejected
npm run -s sign -- --explain METHOD PATH [BODYFILE] -H 'X-Timestamp: …' -H 'X-Signature: …' [options]

PATH is the path as sent, including /api/v1 and the query string. BODYFILE can be - for standard input.

  --scheme NAME           pos, partner, inbound, service or webhook; default: derived from PATH if possible
  --secret SECRET         the secret issued with the key; prefer the environment variable SECRET
  --key-id ID             the id of the key, or the name of the service; or KEY_ID
  --partner-id ID         X-Partner-ID; or PARTNER_ID
  --idempotency-key KEY   X-Idempotency-Key of an inbound write, the same for a retry; or IDEMPOTENCY_KEY
  --nonce NONCE           X-Nonce; default: random
  --timestamp TIME        default: now
  --signed-string FILE    with --explain: the string that your code signed, to compare with the expected one
`;

const OPTIONS = {
  explain: { type: 'boolean' },
  help: { type: 'boolean' },
  header: { type: 'string', short: 'H', multiple: true },
  ...text('scheme', 'secret', 'key-id', 'partner-id', 'idempotency-key', 'nonce', 'timestamp', 'signed-string'),
} as const;

function text<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }])) as Record<Name, { type: 'string' }>;
}

type Values = ReturnType<typeof parse>['values'];
const parse = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true });

/** A secret does not show which environment it belongs to, so the tool checks the environment it runs in. */
function secretOf({ secret = process.env.SECRET }: Values): string {
  if (process.env.APP_ENV === 'production') {
    throw new UsageError('This tool is for development and staging: it does not sign in production.');
  }
  if (!secret) throw new UsageError('The secret is missing: set SECRET or pass --secret.');
  if (/^svc_(test|live)_/.test(secret)) {
    throw new UsageError('svc_… is the bearer token of the key. Requests are signed with the secret issued with it.');
  }
  return secret;
}

function requestOf([method, target, bodyFile, ...more]: string[], headers: string[] = []): HttpRequest {
  if (!method || !target || more.length > 0) throw new UsageError(`Specify the request to sign.\n\n${USAGE}`);
  if (!target.startsWith('/')) {
    throw new UsageError(`${target} is not a path: a path starts with a slash and contains no host.`);
  }
  return { method, target, headers: readHeaders(headers), body: bodyFile ? readBytes(bodyFile) : Buffer.alloc(0) };
}

function sign(scheme: Scheme, request: HttpRequest, values: Values): string {
  const options = {
    keyId: values['key-id'] ?? process.env.KEY_ID,
    partnerId: values['partner-id'] ?? process.env.PARTNER_ID,
    idempotencyKey: values['idempotency-key'] ?? process.env.IDEMPOTENCY_KEY,
    nonce: values.nonce,
    timestamp: values.timestamp,
  };
  const headers = Object.entries(signedHeaders(scheme, request, options, secretOf(values)));
  return headers.map(([name, value]) => `${name}: ${value}\n`).join('');
}

function main(args: string[]): number {
  const { values, positionals } = parse(args);
  if (values.help) return print(USAGE, 0);
  const isFile = values.explain && positionals.length === 1;
  const request = isFile ? readRequest(positionals[0] ?? '') : requestOf(positionals, values.header);
  const scheme = schemeFor(values.scheme, request.target);
  if (!values.explain) return print(sign(scheme, request, values), 0);
  const signedString = values['signed-string'] === undefined ? undefined : readBytes(values['signed-string']);
  const { text: explanation, valid } = explain(scheme, request, secretOf(values), signedString);
  return print(`${explanation}\n`, valid ? 0 : 1);
}

function print(output: string, exitCode: number): number {
  process.stdout.write(output);
  return exitCode;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  const isUsageError =
    error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
  if (!isUsageError) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
