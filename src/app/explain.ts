// What an operator reads when the service cannot start.
import { EmbeddedServerError } from '@kissi/embedded-postgres';
import { LoginError } from '../db/schema/login.ts';
import { SchemaError } from '../db/schema/migrate.ts';
import { FirstAdminError } from '../features/admin/users/first-admin.ts';
import { ConfigFaults } from '../kernel/config/config.ts';
import { WrongSecret } from './keys/secret-checks.ts';

/** A gateway process could not start. It has explained the reason. */
export class GatewayFailed extends Error {}

/** Errors that an operator can fix. Their messages are written for operators. */
const OPERATOR_ERRORS = [
  ConfigFaults,
  EmbeddedServerError,
  FirstAdminError,
  GatewayFailed,
  LoginError,
  SchemaError,
  WrongSecret,
];

/** By Node.js error code or PostgreSQL SQLSTATE. */
const KNOWN_ERRORS: Record<string, string> = {
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  ENOTFOUND: 'The host name in DATABASE_URL or HOST cannot be resolved.',
  ECONNREFUSED: 'PostgreSQL does not answer at DATABASE_URL.',
  NO_LEADER: 'No host in DATABASE_URL accepts writes. A failover may be in progress: try again in a moment.',
  ...foreignAuthority([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ]),
  ERR_TLS_CERT_ALTNAME_INVALID:
    "The host in DATABASE_URL is not in PostgreSQL's certificate: use a name that the certificate has, or issue one for this host.",
  CERT_HAS_EXPIRED: "PostgreSQL's certificate, or that of its authority, has expired: renew it.",
  CERT_NOT_YET_VALID: "PostgreSQL's certificate is not valid yet: check the clocks of both machines.",
  '28P01': 'PostgreSQL rejects the user or password in DATABASE_URL.',
  '28000': 'PostgreSQL rejects the user in DATABASE_URL.',
  '3D000': 'The database in DATABASE_URL does not exist.',
  '42501':
    'The user in DATABASE_ADMIN_URL lacks the right to create tables, the role kissi_app or the extension pg_trgm.',
};

function foreignAuthority(codes: readonly string[]): Record<string, string> {
  const sentence =
    "PostgreSQL's certificate is not from an authority in the file of sslrootcert in DATABASE_URL: check that it is the right server and the right file.";
  return Object.fromEntries(codes.map((code) => [code, sentence]));
}

/** One sentence for errors an operator can fix; a stack trace for defects. */
export function explain(error: unknown): string {
  if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code = '', port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program: set PORT to a free one.`;
  const known = KNOWN_ERRORS[code];
  if (known) return known;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
