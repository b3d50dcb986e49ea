// Tests kissi sign and explain (npm run sign): the server accepts the headers it prints, and it names the mistake in a rejected signature.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Authentication } from '../../src/auth/schemes/scheme.ts';
import { serviceAuthentication } from '../../src/auth/schemes/service.ts';
import { webhookAuthentication } from '../../src/auth/schemes/webhook.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { testClock } from '../support/clock.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { accepted, addKey, addPartner, refused, type SignedKey, signedRoutes } from './signing.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SERVICE = { id: 'agent-service', secret: 'secret-of-the-agent-service' };
const BODY = '{"amount": 100, "narration": "é"}\n';

const folder = mkdtempSync(join(tmpdir(), 'kissi-sign-'));
let db: TestDatabase;
let key: SignedKey;
let schemes: Record<string, Pick<Authentication, 'authenticate'>>;

before(async () => {
  db = await testDatabase();
  key = await addKey(db.database, { partnerId: await addPartner(db.database) });
  const service = serviceAuthentication({
    serviceSecrets: new Map([[SERVICE.id, SERVICE.secret]]),
    clock: systemClock,
  });
  const webhook = webhookAuthentication('cash', key.secret);
  const { pos, partner, inbound } = signedRoutes(db.database, testClock(Date.now()));
  schemes = { pos, partner, inbound, service, webhook };
});
after(async () => {
  rmSync(folder, { recursive: true });
  await db.close();
});

interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

function run(args: string[], env: Record<string, string> = {}, input = ''): Promise<CommandResult> {
  const child = spawn(join(ROOT, 'packages/cli/bin/kissi'), ['sign', ...args], {
    env: {
      PATH: process.env.PATH,
      INIT_CWD: folder,
      XDG_CACHE_HOME: folder,
      XDG_CONFIG_HOME: folder,
      SECRET: key.secret,
      KEY_ID: key.id,
      PARTNER_ID: key.partnerId,
      ...env,
    },
  });
  const result: CommandResult = { code: null, out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    result.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    result.err += chunk;
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...result, code })));
}

/** Creates a file in the directory that the command is called from. */
function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return name;
}

function headersOf(printed: string): Record<string, string> {
  const pairs = printed
    .trim()
    .split('\n')
    .map((line) => line.split(': ') as [string, string]);
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

const now = () => new Date().toISOString();
const hex = (secret: string | Buffer, signed: string | Buffer) =>
  createHmac('sha256', secret).update(signed).digest('hex');

describe('the printed headers', () => {
  const routes: [scheme: string, path: string][] = [
    ['pos', '/api/v1/pos/payment?a=%20b'],
    ['pos', '/api/v1/payment'],
    ['partner', '/api/v1/partner/cashin'],
    ['inbound', '/api/v1/inbound/credit'],
    ['webhook', '/webhooks/partner/cashin'],
  ];

  it('are accepted; the scheme is derived from the path', async () => {
    const bodyFile = file('body.json', BODY);
    for (const [scheme, target] of routes) {
      const { out, code } = await run(['POST', target, bodyFile]);
      assert.equal(code, 0);
      const request = { method: 'POST', target, headers: headersOf(out), rawBody: Buffer.from(BODY), ip: '127.0.0.1' };
      await accepted(schemes[scheme] as Authentication, request);
      await refused(schemes[scheme] as Authentication, { ...request, rawBody: Buffer.from('{}') }, 'INVALID_SIGNATURE');
    }
  });

  it('are accepted for any path with an explicit scheme', async () => {
    const target = '/api/v1/subscribers/sub_1?x=1';
    const { out } = await run([
      'GET',
      target,
      '--scheme',
      'service',
      '--key-id',
      SERVICE.id,
      '--secret',
      SERVICE.secret,
    ]);
    const request = { method: 'GET', target, headers: headersOf(out), rawBody: Buffer.alloc(0), ip: '127.0.0.1' };
    await accepted(schemes.service as Authentication, request);
  });

  it('contain the given values, and a new nonce each time by default', async () => {
    const options = [
      '--nonce',
      'n-1',
      '--idempotency-key',
      'op-1',
      '--timestamp',
      '2026-03-01T12:00:00Z',
      '--partner-id',
      'ptn_x',
    ];
    const { out } = await run(['POST', '/api/v1/inbound/credit', ...options]);
    const { 'x-signature': signature, ...rest } = headersOf(out);
    assert.deepEqual(rest, {
      'x-api-key-id': key.id,
      'x-timestamp': '2026-03-01T12:00:00Z',
      'x-nonce': 'n-1',
      'x-idempotency-key': 'op-1',
      'x-partner-id': 'ptn_x',
    });
    const hash = createHash('sha256').update('').digest('hex');
    const signed = `POST\n/api/v1/inbound/credit\n2026-03-01T12:00:00Z\nn-1\nop-1\n${hash}`;
    assert.equal(signature, hex(key.secret, signed));
    const runs = await Promise.all([1, 2].map(() => run(['GET', '/api/v1/inbound/transactions/x'])));
    assert.equal(new Set(runs.map(({ out }) => headersOf(out)['x-nonce'])).size, 2);
  });

  it('sign a body from standard input byte for byte', async () => {
    const { out } = await run(['POST', '/webhooks/partner/cashin', '-'], {}, BODY);
    assert.equal(out, `X-Webhook-Signature: ${hex(key.secret, BODY)}\n`);
  });

  it('are also printed through npm run', async () => {
    const child = spawn('npm', ['run', '-s', 'sign', '--', 'POST', '/webhooks/partner/cashin', '-'], {
      cwd: ROOT,
      env: { ...process.env, SECRET: 's' },
    });
    child.stdin.end('{}');
    const printed = Buffer.concat(await Array.fromAsync<Buffer>(child.stdout)).toString();
    assert.equal(printed, `X-Webhook-Signature: ${hex('s', '{}')}\n`);
  });
});

describe('usage errors', () => {
  const request = ['POST', '/api/v1/partner/cashin'];

  async function assertUsageError(args: string[], env: Record<string, string>, message: RegExp): Promise<void> {
    const { code, out, err } = await run(args, env);
    assert.equal(code, 2, `${out}${err}`);
    assert.equal(out, '');
    assert.match(err, message);
    assert.ok(!err.includes('    at '), 'a message without a stack trace');
  }

  it('reject signing in production', async () => {
    await assertUsageError(request, { APP_ENV: 'production' }, /does not sign in production/);
    await assertUsageError([...request, '--explain'], { APP_ENV: 'production' }, /production/);
    assert.equal((await run(request, { APP_ENV: 'staging' })).code, 0);
  });

  it('reject the bearer token in place of the secret', async () => {
    await assertUsageError(request, { SECRET: 'svc_test_abc' }, /bearer token/);
    await assertUsageError(request, { SECRET: 'svc_live_abc' }, /bearer token/);
  });

  it('name missing and invalid arguments', async () => {
    await assertUsageError(request, { SECRET: '' }, /SECRET/);
    await assertUsageError(request, { KEY_ID: '' }, /--key-id/);
    await assertUsageError(request, { PARTNER_ID: '' }, /--partner-id/);
    await assertUsageError([], {}, /METHOD PATH/);
    await assertUsageError(['POST', 'https://example.com/x'], {}, /not a path/);
    await assertUsageError(
      ['POST', '/api/v1/subscribers'],
      {},
      /--scheme with one of pos, partner, inbound, service, webhook/,
    );
    await assertUsageError([...request, '--scheme', 'jwt'], {}, /no scheme jwt/);
    await assertUsageError([...request, 'no-such-file'], {}, /no-such-file cannot be read/);
    await assertUsageError([...request, '--nonsense'], {}, /nonsense/);
    await assertUsageError(['GET', '/a|b', '--scheme', 'service'], {}, /%7C/);
    await assertUsageError(['--explain', file('x.http', 'nonsense')], {}, /request line/);
    await assertUsageError(['--explain', ...request, '-H', 'nonsense'], {}, /not a header/);
    const short = 'POST /api/v1/pos/payment HTTP/1.1\r\nContent-Length: 9\r\n\r\n{}';
    await assertUsageError(['--explain', file('short.http', short)], {}, /Content-Length says 9/);
  });
});

interface Case {
  /** The string that the integrator's code signed by mistake. */
  signed: string;
  secret?: string | Buffer;
  body?: string;
  cause: RegExp;
  /** The text of the difference marker. */
  marker?: RegExp;
}

describe('the explanation of a rejected request', () => {
  const path = '/api/v1/partner/cashin?x=1';
  const at = now();

  async function assertExplained({ signed, secret = key.secret, body = BODY, cause, marker }: Case): Promise<void> {
    const headers = {
      'X-API-Key-ID': key.id,
      'x-partner-id': 'p',
      'X-TIMESTAMP': at,
      'X-Signature': hex(secret, signed),
    };
    const args = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const { code, out } = await run(['--explain', 'POST', path, file('body.json', body), ...args]);
    assert.equal(code, 1, out);
    assert.match(out, /The server expects this string/);
    assert.match(out, cause);
    if (marker) assert.match(out, marker);
    assert.ok(!out.includes(key.secret), 'the secret is never printed');
  }

  it('names the mistake that produces the signature and marks the first difference', async () => {
    const right = `POST\n${path}\n${at}\n${BODY}`;
    const seconds = at.replace(/\.\d+Z/, 'Z');
    const cases: Case[] = [
      { signed: right.replace('POST', 'post'), cause: /lower case/, marker: /\| \^ "P" expected, "p" signed/ },
      {
        signed: right.replace('?x=1', ''),
        cause: /query string/,
        marker: /line 2,.*\n.*\n.*\n.*\^ "\?" expected, a line feed/,
      },
      { signed: right.replace('/api/v1', ''), cause: /without \/api\/v1/ },
      { signed: right.replace('/api', 'https://localhost/api'), cause: /full URL/ },
      { signed: right.replace(at, seconds), cause: /without milliseconds/, marker: /line 3/ },
      { signed: right.trimEnd(), cause: /body's trailing line feed is not signed/, marker: /end of string signed/ },
      {
        signed: right.replace(BODY, '{"amount":100,"narration":"é"}'),
        cause: /JSON in a different format/,
        marker: /line 4/,
      },
      { signed: right.replace(BODY, ''), cause: /body is not signed/ },
      { signed: right.replaceAll('\n', '\r\n'), cause: /separated by "\\r\\n"/ },
      { signed: `${right}\n`, cause: /a line feed/ },
      { signed: BODY, cause: /only the body/ },
      { signed: right, secret: `${key.secret}\n`, cause: /secret is used with a trailing line feed/ },
      { signed: right, secret: Buffer.from(key.secret, 'base64'), cause: /base64/ },
    ];
    for (const each of cases) await assertExplained(each);
  });

  it('asks for the signed string if no known mistake matches, and marks its first difference', async () => {
    const signed = 'POST\n/somewhere/else\nlong ago\n{}';
    await assertExplained({ signed, cause: /--signed-string FILE/ });
    const headers = ['-H', `X-Timestamp: ${at}`, '-H', `X-Signature: ${hex(key.secret, signed)}`];
    const args = ['--explain', 'POST', path, file('body.json', BODY), ...headers];
    const { out } = await run([...args, '--signed-string', file('signed', signed)]);
    assert.match(out, /first difference is in line 2, at byte 7 of the string/);
    assert.match(
      out,
      /expected \| \/api\/v1\/partner\/cashin\?x=1⏎\n {2}signed {3}\| \/somewhere\/else⏎\n {11}\| {2}\^ "a" expected/,
    );
    assert.match(out, /Missing headers: X-API-Key-ID, X-Partner-ID\./);
    const same = await run([...args, '--signed-string', file('signed', `POST\n${path}\n${at}\n${BODY}`)]);
    assert.match(same.out, /another secret/);
  });

  it('checks the timestamp of a correct signature', async () => {
    const sign = (stamp: string) => hex(key.secret, `POST\n/api/v1/pos/payment\n${stamp}\n`);
    const ask = (stamp: string) =>
      run([
        '--explain',
        'POST',
        '/api/v1/pos/payment',
        ...headersFor({ 'X-Timestamp': stamp, 'X-Signature': sign(stamp) }),
      ]);
    const headersFor = (headers: Record<string, string>) =>
      Object.entries({ 'X-API-Key-ID': key.id, ...headers }).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const fresh = await ask(now());
    assert.deepEqual([fresh.code, /The signature is correct\./.test(fresh.out)], [0, true], fresh.out);
    const old = await ask(new Date(Date.now() - 600_000).toISOString());
    assert.equal(old.code, 1);
    assert.match(old.out, /X-Timestamp is 60\d s behind .* 5 minutes/);
    assert.match((await ask(new Date(Date.now() + 600_000).toISOString())).out, /ahead of/);
    assert.match((await ask('1770000000')).out, /RFC 3339/);
    const base64 = Buffer.from(sign(at), 'hex').toString('base64');
    const inBase64 = ['POST', '/api/v1/pos/payment', ...headersFor({ 'X-Timestamp': at, 'X-Signature': base64 })];
    assert.match((await run(['--explain', ...inBase64])).out, /in base64: encode it in hex/);
  });

  it('reads a raw request, or the output of curl -v, from a file', async () => {
    const hash = createHash('sha256').update(BODY).digest('hex');
    const wrong = hex(key.secret, `POST\n/api/v1/inbound/credit\n${at}\nn-1\n\n${hash}`);
    const head = [
      'POST /api/v1/inbound/credit HTTP/1.1',
      'host: bank.example',
      `x-api-key-id: ${key.id}`,
      `x-timestamp: ${at}`,
      'x-nonce: n-1',
      'x-idempotency-key: op-1',
      `x-signature: ${wrong}`,
      `content-length: ${Buffer.byteLength(BODY)}`,
    ];
    const asSent = `${head.join('\r\n')}\r\n\r\n${BODY}\n`;
    const asShown = `${head.map((line) => `> ${line}`).join('\n')}\n>\n${BODY}`;
    for (const content of [asSent, asShown]) {
      const { code, out } = await run(['--explain', file('request.http', content)]);
      assert.equal(code, 1);
      assert.match(out, /Scheme inbound/);
      assert.match(out, /X-Idempotency-Key is sent but not signed/);
      assert.match(out, /line 5/);
    }
    const inlined = hex(key.secret, `POST\n/api/v1/inbound/credit\n${at}\nn-1\nop-1\n${BODY}`);
    const { out } = await run(['--explain', file('request.http', asSent.replace(wrong, inlined))]);
    assert.match(out, /the body is signed instead of its SHA-256/);
  });
});
