// The server that production builds, on a database of its own, spoken to over real HTTP; every reply is held
// against the OpenAPI document.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { compose, type Gateway } from '../../src/app/compose.ts';
import { createLoggers } from '../../src/http/log.ts';
import { type Environment, loadConfig } from '../../src/kernel/config/config.ts';
import { type TestClock, testClock } from './clock.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type ReplyCheck, replyCheck } from './openapi.ts';

export const SECRETS = {
  JWT_SECRET: 'test-jwt-secret-0123456789abcdefghijklmnop',
  MASTER_KEY: 'test-master-key-0123456789abcdefghijklmnop',
  PIN_PEPPER: 'test-pin-pepper-0123456789abcdefghijklmnop',
};

export const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

/** Looked into by tests field by field. */
export type Json = ReturnType<typeof JSON.parse>;

export interface CallOptions {
  body?: unknown;
  /** Sent as it is, instead of body as JSON. */
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

export interface TestGateway {
  url: string;
  gateway: Gateway;
  clock: TestClock;
  db: TestDatabase;
  /** Everything logged so far. */
  logs(): string;
  call(method: string, path: string, options?: CallOptions): Promise<CallReply>;
  /** An access token of the first system_admin. */
  adminToken(): Promise<string>;
  close(): Promise<void>;
}

export interface TestGatewayOptions {
  env?: Environment;
  clock?: TestClock;
  /** Another gateway's database, to run two on one. */
  db?: TestDatabase;
}

/** Limits that no test reaches by accident. */
export const GENEROUS = {
  RATE_LIMIT_RPS: '100000',
  RATE_LIMIT_BURST: '100000',
  USER_RATE_LIMIT_RPS: '100000',
  USER_RATE_LIMIT_BURST: '100000',
  PUBLIC_REGISTRATION_PER_MINUTE: '100000',
  LOGINS_PER_MINUTE: '100000',
  MAX_IN_FLIGHT: '100000',
  MESSAGING_BRIDGE_PER_MINUTE: '100000',
  MESSAGING_UNSIGNED_PER_MINUTE: '100000',
};

export async function testGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const clock = options.clock ?? testClock();
  const db = options.db ?? (await testDatabase());
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const gateway = await compose({
    config: loadConfig({ ...GENEROUS, ...SECRETS, ...options.env }),
    secrets: SECRETS,
    database: db.database,
    clock,
    loggers: createLoggers({ level: 'debug', destination }),
    version: '0.0.0-test',
  });
  const url = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  const check = replyCheck(gateway.app.swagger());
  const call = caller(url, check);
  return {
    url,
    gateway,
    clock,
    db,
    logs: () => lines.join(''),
    call,
    async adminToken() {
      await gateway.services.users.ensureFirstAdmin(ADMIN);
      const login = await call('POST', '/api/v1/admin/login', { body: ADMIN });
      assert.equal(login.status, 200, login.text);
      return login.json.token;
    },
    async close() {
      await gateway.close();
      if (!options.db) await db.close();
    },
  };
}

/** The gateway of all tests of a file, awaited at its top; closed when they are over. */
export async function gatewayForFile(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const kissi = await testGateway(options);
  after(() => kissi.close());
  return kissi;
}

/** Speaks to the service at that address. */
export function caller(url: string, check: ReplyCheck): TestGateway['call'] {
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
    check({ method, path: path.split('?', 1)[0] ?? path, status: response.status, json });
    return { status: response.status, headers: response.headers, text, json };
  };
}
