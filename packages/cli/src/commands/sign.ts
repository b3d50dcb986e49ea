// kissi sign and explain: the headers of a signed request, or why a signature is rejected. For development and staging.
import type { HttpRequest, Scheme } from '@kissi/signatures/node';
import { EXIT, UsageError } from '../errors.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { Connection, connectionFlags } from '../session/connection.ts';
import type { Profile } from '../session/profile.ts';
import { explain } from '../sign/explain.ts';
import { readBytes, readHeaders, readRequest } from '../sign/read-request.ts';
import { chooseScheme, signedHeaders } from '../sign/sign-request.ts';

export interface SignFlags extends GlobalFlags {
  explain?: boolean;
  header?: string[];
  scheme?: string;
  secret?: string;
  keyId?: string;
  partnerId?: string;
  idempotencyKey?: string;
  nonce?: string;
  timestamp?: string;
  signedString?: string;
}

export function sign(args: string[], flags: SignFlags): void {
  process.exitCode = flags.explain ? explained(args, flags) : signed(args, flags);
}

function signed(args: string[], flags: SignFlags): number {
  const request = requestOf(args, flags.header);
  const { KEY_ID, KISSI_KEY_ID, PARTNER_ID, IDEMPOTENCY_KEY } = process.env;
  const { keyId, partnerId } = credentialsOf(flags);
  const options = {
    keyId: flags.keyId ?? KEY_ID ?? KISSI_KEY_ID ?? keyId,
    partnerId: flags.partnerId ?? PARTNER_ID ?? partnerId,
    idempotencyKey: flags.idempotencyKey ?? IDEMPOTENCY_KEY,
    nonce: flags.nonce,
    timestamp: flags.timestamp,
  };
  const headers = signedHeaders(schemeOf(flags, request).name, request, options, secretOf(flags));
  for (const [name, value] of Object.entries(headers)) process.stdout.write(`${name}: ${value}\n`);
  return EXIT.ok;
}

function explained(args: string[], flags: SignFlags): number {
  const [file = ''] = args;
  const request = args.length === 1 ? readRequest(file) : requestOf(args, flags.header);
  const signedString = flags.signedString === undefined ? undefined : readBytes(flags.signedString);
  const { text, valid } = explain(schemeOf(flags, request), request, secretOf(flags), signedString);
  process.stdout.write(`${text}\n`);
  return valid ? EXIT.ok : EXIT.refused;
}

const schemeOf = ({ scheme }: SignFlags, { target }: HttpRequest): Scheme => chooseScheme(scheme, target);

/** The profile's key, so that `kissi sign` needs no flags after `kissi login --key-id`. */
const credentialsOf = (flags: SignFlags): Profile => new Connection(connectionFlags(flags)).profile;

/** A secret does not show which environment it belongs to, so the tool checks the environment it runs in. */
function secretOf(flags: SignFlags): string {
  if (process.env.APP_ENV === 'production') {
    throw new UsageError('This tool is for development and staging: it does not sign in production.');
  }
  const { SECRET, KISSI_SECRET } = process.env;
  const secret = flags.secret ?? SECRET ?? KISSI_SECRET ?? credentialsOf(flags).secret;
  if (!secret) throw new UsageError('The secret is missing: set SECRET or KISSI_SECRET, or pass --secret.');
  if (/^svc_(test|live)_/.test(secret)) {
    throw new UsageError('svc_… is the bearer token of the key. Requests are signed with the secret issued with it.');
  }
  return secret;
}

function requestOf([method, target, bodyFile, ...more]: string[], headers: string[] = []): HttpRequest {
  if (!method || !target || more.length > 0)
    throw new UsageError('Specify the request to sign: METHOD PATH [BODYFILE]. See: kissi sign --help');
  if (!target.startsWith('/')) {
    throw new UsageError(`${target} is not a path: a path starts with a slash and contains no host.`);
  }
  return { method, target, headers: readHeaders(headers), body: bodyFile ? readBytes(bodyFile) : Buffer.alloc(0) };
}
