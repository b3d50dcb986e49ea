// Starts the production server on a separate database and calls it over HTTP; every reply is validated against OpenAPI.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { ADMIN } from '@kissi/testkit/service';
import { compose, type Gateway } from '../../src/app/compose.ts';
import { BACKLOG } from '../../src/app/gateways/connections.ts';
import { checkSecrets } from '../../src/app/keys/secret-checks.ts';
import type { Secrets } from '../../src/app/secrets.ts';
import { startTracing } from '../../src/app/start.ts';
import { KINDS, type RecordKind } from '../../src/audit/records.ts';
import { auditReportOf, verifyAudit } from '../../src/audit/verification.ts';
import type { PayablePayments } from '../../src/features/payment-requests/service.ts';
import type { ExportLimits } from '../../src/http/csv/exports.ts';
import { createLoggers } from '../../src/http/log.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { type Environment, loadConfig } from '../../src/kernel/config/config.ts';
import type { OpenTracing } from '../../src/tracing/open.ts';
import { type TestClock, testClock } from './clock.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type ReplyValidator, replyCheck as replyValidator } from './openapi.ts';
import { SECRETS } from './secrets.ts';

export { ADMIN, SECRETS };

/** Parsed JSON whose fields tests read without type checks. */
export type Json = ReturnType<typeof JSON.parse>;

export interface CallOptions {
  body?: unknown;
  /** Sent unchanged instead of `body` as JSON. */
  raw?: string | Uint8Array<ArrayBuffer>;
  token?: string;
  headers?: Record<string, string>;
}

export interface CallReply {
  status: number;
  headers: Headers;
  text: string;
  json: Json;
}

/** Calls with one credential; paths are relative to /api/v1. */
export interface ApiCalls {
  get(path: string): Promise<CallReply>;
  post(path: string, body?: unknown): Promise<CallReply>;
  put(path: string, body?: unknown): Promise<CallReply>;
  delete(path: string): Promise<CallReply>;
}

export interface TestGateway {
  url: string;
  gateway: Gateway;
  clock: TestClock;
  db: TestDatabase;
  /** Null: OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
  tracing: OpenTracing | null;
  /** All log output so far. */
  logs(): string;
  call(method: string, path: string, options?: CallOptions): Promise<CallReply>;
  /** An access token of the first system_admin; the one of the last call while it is valid. */
  adminToken(): Promise<string>;
  asAdmin: ApiCalls;
  close(): Promise<void>;
}

export interface TestGatewayOptions {
  env?: Environment;
  clock?: TestClock;
  /** The database of another gateway, to run two gateways on it. */
  db?: TestDatabase;
  /** Records that the tests of the file write without the service: they are not verified at its end. */
  unauditedRecords?: RecordKind[];
  exportLimits?: Partial<ExportLimits>;
  /** How long a late reply of the lab takes. */
  labLateMs?: number;
  /** What the payment pages show. */
  payable?: PayablePayments;
  /** False: every payment takes the careful path. */
  fastPath?: boolean;
  /** Instead of SECRETS. */
  secrets?: Secrets;
}

/** Rate limits high enough that tests do not reach them unintentionally. */
export const HIGH_LIMITS = {
  RATE_LIMIT_RPS: '100000',
  RATE_LIMIT_BURST: '100000',
  USER_RATE_LIMIT_RPS: '100000',
  USER_RATE_LIMIT_BURST: '100000',
  PUBLIC_REGISTRATION_PER_MINUTE: '100000',
  LOGINS_PER_MINUTE: '100000',
  CUSTOMER_LOGINS_PER_MINUTE: '100000',
  CUSTOMER_CODES_PER_MINUTE: '100000',
  PUBLIC_PAGES_PER_MINUTE: '1000000',
  MAX_IN_FLIGHT: '100000',
  MESSAGING_BRIDGE_PER_MINUTE: '100000',
  MESSAGING_UNSIGNED_PER_MINUTE: '100000',
  AGENT_SERVICE_TIMEOUT_MS: '25000',
};

/** A loaded machine is twenty times slower: no test reaches these limits by accident. */
const LONG_TIMEOUTS = { ledgerMs: 120_000, probeMs: 60_000, redisMs: 60_000 };

/** What is required outside development in addition to SECRETS, and what tests of other things do not expect of production. */
function requiredSettings({ APP_ENV = 'development' }: Environment = {}): Environment {
  if (APP_ENV === 'development') return {};
  const inProduction = { PHONE_VERIFICATION: 'off', APPROVALS: 'off', REQUIRE_SECOND_FACTOR: 'false' };
  return { MESSAGING_APP_SECRET: 'kW3-qZ8.vN5_tR2+yB7=mH4/cJ9!xL6?', ...inProduction };
}

export async function testGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const clock = options.clock ?? testClock();
  const config = loadConfig({ ...HIGH_LIMITS, ...SECRETS, ...requiredSettings(options.env), ...options.env });
  const isTraced = config.tracing !== undefined;
  const db = options.db ?? (await testDatabase({}, undefined, isTraced));
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const loggers = createLoggers({ level: 'debug', isTraced, destination });
  const tracing = await startTracing(config, loggers.logger);
  const gateway = await compose({
    config,
    secrets: options.secrets ?? SECRETS,
    database: db.database,
    clock,
    ...{ loggers, tracing },
    version: '0.0.0-test',
    timeouts: { ...LONG_TIMEOUTS, ...(options.labLateMs === undefined ? {} : { labLateMs: options.labLateMs }) },
    exportLimits: options.exportLimits ?? {},
    fastPath: options.fastPath ?? true,
    payable: options.payable,
  });
  if (!options.db) {
    await checkSecrets(db.database.queries, options.secrets ?? SECRETS);
    await gateway.services.audit.begin();
    await gateway.services.approvals.policies.enableRecommended();
  }
  const url = await gateway.app.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG });
  const check = validatorFor(gateway);
  const call = httpCaller(url, check);
  const adminToken = adminLogin({ gateway, call, clock, db });
  return {
    url,
    gateway,
    clock,
    db,
    tracing,
    logs: () => lines.join(''),
    call,
    adminToken,
    asAdmin: apiCalls(call, adminToken),
    async close() {
      await gateway.close();
      await tracing?.close();
      if (!options.db) await db.close();
    },
  };
}

/** The token of a login stays in use for this time of the clock: a login costs twice as much as most calls of a test. */
const TOKEN_USED_MS = MINUTE_MS;

function adminLogin({ gateway, call, clock, db }: Pick<TestGateway, 'gateway' | 'call' | 'clock' | 'db'>) {
  let used: { token: string; at: number } | undefined;
  const isUsable = async ({ token, at }: { token: string; at: number }) => {
    const age = clock.now() - at;
    if (age < 0 || age >= TOKEN_USED_MS) return false;
    const { sid } = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString());
    const { rowCount } = await db.query('select from sessions where id = $1 and revoked_at is null', [sid]);
    return rowCount === 1;
  };
  return async () => {
    if (used && (await isUsable(used))) return used.token;
    await gateway.services.users.ensureFirstAdmin(ADMIN);
    const at = clock.now();
    const login = await call('POST', '/api/v1/admin/login', { body: ADMIN });
    assert.equal(login.status, 200, login.text);
    used = { token: login.json.token, at };
    return used.token;
  };
}

/** The document follows from the routes. Generating it and compiling its schemas takes longer than most tests. */
const validators = new Map<string, ReplyValidator>();

function validatorFor({ app, routeGroups }: Gateway): ReplyValidator {
  const key = JSON.stringify(routeGroups);
  const known = validators.get(key);
  if (known) return known;
  const made = replyValidator(app.openApi());
  validators.set(key, made);
  return made;
}

/** Verifies the audit chain, and that every protected record is in the state of its last audit entry. */
export async function assertRecordsAudited({ db }: TestGateway, except: RecordKind[] = []): Promise<void> {
  const kinds = KINDS.filter((kind) => !except.includes(kind));
  const verification = await verifyAudit(db.database, { masterKey: SECRETS.MASTER_KEY, kinds });
  assert.ok(verification.clean, auditReportOf(verification));
}

/** Starts one gateway for all tests of a file, verifies the audited records after them, and closes it. */
export async function gatewayForFile(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const kissi = await testGateway(options);
  after(async () => {
    try {
      await assertRecordsAudited(kissi, options.unauditedRecords);
    } finally {
      await kissi.close();
    }
  });
  return kissi;
}

function apiCalls(call: TestGateway['call'], token: () => Promise<string>): ApiCalls {
  const send = async (method: string, path: string, body?: unknown) =>
    call(method, `/api/v1${path}`, { body, token: await token() });
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
  };
}

/** Returns the reply, if it has this status. */
export function assertStatus<Reply extends { status: number; text: string }>(reply: Reply, status: number): Reply {
  assert.equal(reply.status, status, reply.text);
  return reply;
}

/** Returns a function that calls the service at this URL and validates its replies. */
export function httpCaller(url: string, check: ReplyValidator): TestGateway['call'] {
  return async (method, path, { body, raw, token, headers = {} } = {}) => {
    const payload = raw ?? (body === undefined ? null : JSON.stringify(body));
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(payload !== null ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(payload !== null ? { body: payload } : {}),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const json: Json = isJson && text !== '' ? JSON.parse(text) : undefined;
    const { status, headers: sentHeaders } = response;
    check({ method, path: path.split('?', 1)[0] ?? path, status, json, headers: sentHeaders });
    return { status, headers: sentHeaders, text, json };
  };
}
