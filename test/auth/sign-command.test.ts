// npm run sign: what it prints is believed, and what it explains is what was done wrong.
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

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

function run(args: string[], env: Record<string, string> = {}, input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/sign.ts'), ...args], {
    env: {
      PATH: process.env.PATH,
      INIT_CWD: folder,
      SECRET: key.secret,
      KEY_ID: key.id,
      PARTNER_ID: key.partnerId,
      ...env,
    },
  });
  const ran: Ran = { code: null, out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    ran.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ran.err += chunk;
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...ran, code })));
}

/** A file in the folder that the command is called from. */
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

describe('the headers it prints', () => {
  const routes: [scheme: string, path: string][] = [
    ['pos', '/api/v1/pos/payment?a=%20b'],
    ['pos', '/api/v1/payment'],
    ['partner', '/api/v1/partner/cashin'],
    ['inbound', '/api/v1/inbound/credit'],
    ['webhook', '/webhooks/partner/cashin'],
  ];

  it('are believed, for the scheme that the path belongs to', async () => {
    const bodyFile = file('body.json', BODY);
    for (const [scheme, target] of routes) {
      const { out, code } = await run(['POST', target, bodyFile]);
      assert.equal(code, 0);
      const request = { method: 'POST', target, headers: headersOf(out), rawBody: Buffer.from(BODY), ip: '127.0.0.1' };
      await accepted(schemes[scheme] as Authentication, request);
      await refused(schemes[scheme] as Authentication, { ...request, rawBody: Buffer.from('{}') }, 'INVALID_SIGNATURE');
    }
  });

  it('are believed for any path where the scheme is said', async () => {
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

  it('carry what was asked for, and a new nonce each time nothing was', async () => {
    const said = [
      '--nonce',
      'n-1',
      '--idempotency-key',
      'op-1',
      '--timestamp',
      '2026-03-01T12:00:00Z',
      '--partner-id',
      'ptn_x',
    ];
    const { out } = await run(['POST', '/api/v1/inbound/credit', ...said]);
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
    assert.equal(new Set(runs.map((ran) => headersOf(ran.out)['x-nonce'])).size, 2);
  });

  it('may be of a body that comes from standard input, byte for byte', async () => {
    const { out } = await run(['POST', '/webhooks/partner/cashin', '-'], {}, BODY);
    assert.equal(out, `X-Webhook-Signature: ${hex(key.secret, BODY)}\n`);
  });

  it('come through npm run as well', async () => {
    const child = spawn('npm', ['run', '-s', 'sign', '--', 'POST', '/webhooks/partner/cashin', '-'], {
      cwd: ROOT,
      env: { ...process.env, SECRET: 's' },
    });
    child.stdin.end('{}');
    const printed = Buffer.concat(await Array.fromAsync<Buffer>(child.stdout)).toString();
    assert.equal(printed, `X-Webhook-Signature: ${hex('s', '{}')}\n`);
  });
});

describe('it refuses', () => {
  const request = ['POST', '/api/v1/partner/cashin'];

  async function assertRefused(args: string[], env: Record<string, string>, sentence: RegExp): Promise<void> {
    const { code, out, err } = await run(args, env);
    assert.equal(code, 2, `${out}${err}`);
    assert.equal(out, '');
    assert.match(err, sentence);
    assert.ok(!err.includes('    at '), 'a sentence, not a stack');
  }

  it('to sign in production', async () => {
    await assertRefused(request, { APP_ENV: 'production' }, /signs nothing in production/);
    await assertRefused([...request, '--explain'], { APP_ENV: 'production' }, /production/);
    assert.equal((await run(request, { APP_ENV: 'staging' })).code, 0);
  });

  it('the bearer value in place of the secret', async () => {
    await assertRefused(request, { SECRET: 'svc_test_abc' }, /bearer value/);
    await assertRefused(request, { SECRET: 'svc_live_abc' }, /bearer value/);
  });

  it('what is missing or makes no sense, in a sentence', async () => {
    await assertRefused(request, { SECRET: '' }, /SECRET/);
    await assertRefused(request, { KEY_ID: '' }, /--key-id/);
    await assertRefused(request, { PARTNER_ID: '' }, /--partner-id/);
    await assertRefused([], {}, /METHOD PATH/);
    await assertRefused(['POST', 'https://example.com/x'], {}, /not a path/);
    await assertRefused(['POST', '/api/v1/subscribers'], {}, /--scheme pos, partner, inbound, service, webhook/);
    await assertRefused([...request, '--scheme', 'jwt'], {}, /no scheme jwt/);
    await assertRefused([...request, 'no-such-file'], {}, /no-such-file cannot be read/);
    await assertRefused([...request, '--nonsense'], {}, /nonsense/);
    await assertRefused(['GET', '/a|b', '--scheme', 'service'], {}, /%7C/);
    await assertRefused(['--explain', file('x.http', 'nonsense')], {}, /request line/);
    await assertRefused(['--explain', ...request, '-H', 'nonsense'], {}, /no header/);
    const short = 'POST /api/v1/pos/payment HTTP/1.1\r\nContent-Length: 9\r\n\r\n{}';
    await assertRefused(['--explain', file('short.http', short)], {}, /Content-Length says 9/);
  });
});

interface Case {
  /** What an integrator's code signed, instead of what it should have. */
  signed: string;
  secret?: string | Buffer;
  body?: string;
  says: RegExp;
  /** What the mark says. */
  mark?: RegExp;
}

describe('a rejected request', () => {
  const path = '/api/v1/partner/cashin?x=1';
  const at = now();

  async function explained({ signed, secret = key.secret, body = BODY, says, mark }: Case): Promise<void> {
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
    assert.match(out, says);
    if (mark) assert.match(out, mark);
    assert.ok(!out.includes(key.secret), 'the secret is not shown');
  }

  it('is explained by the mistake that makes its signature, with the first difference marked', async () => {
    const right = `POST\n${path}\n${at}\n${BODY}`;
    const seconds = at.replace(/\.\d+Z/, 'Z');
    const cases: Case[] = [
      { signed: right.replace('POST', 'post'), says: /small letters/, mark: /\| \^ "P" is expected, "p" was signed/ },
      {
        signed: right.replace('?x=1', ''),
        says: /query string/,
        mark: /line 2,.*\n.*\n.*\n.*\^ "\?" is expected, a line feed/,
      },
      { signed: right.replace('/api/v1', ''), says: /without \/api\/v1/ },
      { signed: right.replace('/api', 'https://localhost/api'), says: /whole address/ },
      { signed: right.replace(at, seconds), says: /without milliseconds/, mark: /line 3/ },
      { signed: right.trimEnd(), says: /line feed at the end of the body/, mark: /the end was signed/ },
      { signed: right.replace(BODY, '{"amount":100,"narration":"é"}'), says: /JSON in another form/, mark: /line 4/ },
      { signed: right.replace(BODY, ''), says: /not signed at all/ },
      { signed: right.replaceAll('\n', '\r\n'), says: /joined by "\\r\\n"/ },
      { signed: `${right}\n`, says: /a line feed/ },
      { signed: BODY, says: /body alone/ },
      { signed: right, secret: `${key.secret}\n`, says: /line feed at its end/ },
      { signed: right, secret: Buffer.from(key.secret, 'base64'), says: /base64/ },
    ];
    for (const each of cases) await explained(each);
  });

  it('that no known mistake explains asks for what was signed, and marks where that departs', async () => {
    const signed = 'POST\n/somewhere/else\nlong ago\n{}';
    await explained({ signed, says: /--mine FILE/ });
    const headers = ['-H', `X-Timestamp: ${at}`, '-H', `X-Signature: ${hex(key.secret, signed)}`];
    const args = ['--explain', 'POST', path, file('body.json', BODY), ...headers];
    const { out } = await run([...args, '--mine', file('mine', signed)]);
    assert.match(out, /first difference is in line 2, at byte 7 of the string/);
    assert.match(
      out,
      /expected \| \/api\/v1\/partner\/cashin\?x=1⏎\n {2}signed {3}\| \/somewhere\/else⏎\n {11}\| {2}\^ "a" is expected/,
    );
    assert.match(out, /Missing: X-API-Key-ID, X-Partner-ID\./);
    const same = await run([...args, '--mine', file('mine', `POST\n${path}\n${at}\n${BODY}`)]);
    assert.match(same.out, /another secret/);
  });

  it('whose signature is right is looked at for its time', async () => {
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
    assert.deepEqual([fresh.code, /The signature is right\./.test(fresh.out)], [0, true], fresh.out);
    const old = await ask(new Date(Date.now() - 600_000).toISOString());
    assert.equal(old.code, 1);
    assert.match(old.out, /X-Timestamp is 60\d s behind .* 5 minutes/);
    assert.match((await ask(new Date(Date.now() + 600_000).toISOString())).out, /ahead of/);
    assert.match((await ask('1770000000')).out, /RFC 3339/);
    const base64 = Buffer.from(sign(at), 'hex').toString('base64');
    const inBase64 = ['POST', '/api/v1/pos/payment', ...headersFor({ 'X-Timestamp': at, 'X-Signature': base64 })];
    assert.match((await run(['--explain', ...inBase64])).out, /in base64: write it in hex/);
  });

  it('is read from a file as it was sent, or as curl -v shows it', async () => {
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
    assert.match(out, /the body itself is signed, not its SHA-256/);
  });
});
