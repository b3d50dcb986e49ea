// The command line as a process against the service: login, operations, payments, signatures, files and exit codes.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { testClock } from '../../../test/support/clock.ts';
import { testBank } from '../../../test/support/inbound.ts';
import { bankForFile, movementCount, PIN } from '../../../test/support/money.ts';
import { newMerchant } from '../../../test/support/processors.ts';
import { totpUser } from '../../../test/support/second-factor.ts';
import { apiKey, runChore } from '../../../test/support/staff.ts';
import { commandLine } from './support.ts';

const { kissi, bank } = await bankForFile({ clock: testClock(Date.now()) });
const { folder, run, json } = commandLine(kissi.url);
const asKey = { KISSI_TOKEN: bank.key };

test('a user logs in with a password and a code; the tokens are readable by the user alone', async () => {
  const user = await totpUser(kissi, 'system_admin');
  const login = ['login', '--email', user.email, '--password-stdin'];
  const wrong = await run([...login, '--code', '000000'], { input: `${user.password}\n` });
  assert.deepEqual([wrong.code, wrong.out], [3, '']);
  assert.match(wrong.err, /^INVALID_SECOND_FACTOR: /);
  const done = await run([...login, '--code', user.nextCode()], { input: `${user.password}\n` });
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, new RegExp(`email +${user.email}`));
  assert.equal(statSync(join(folder, 'kissi/default.json')).mode & 0o777, 0o600);
  assert.equal((await json(['whoami'])).user.role, 'system_admin');
});

test('processes that run at once renew an expired token once and keep the session', async () => {
  const path = join(folder, 'kissi/default.json');
  const profile = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...profile, tokens: { ...profile.tokens, expiresAt: 0 } }));
  const results = await Promise.all([1, 2, 3].map(() => json(['whoami'])));
  assert.deepEqual(new Set(results.map(({ user }) => user.email)).size, 1);
  const renewed = JSON.parse(readFileSync(path, 'utf8')).tokens;
  assert.notEqual(renewed.refreshToken, profile.tokens.refreshToken);
  assert.equal((await run(['whoami'])).code, 0);
});

test('a list is a table for people, JSON for scripts, one record per line with --all, and a CSV file', async () => {
  for (let n = 0; n < 3; n++) await bank.wallet(n * 125_050);
  const table = await run(['subscribers', 'list', '--status', 'ACTIVE', '--columns', 'id,status,balance']);
  const [head = '', first = ''] = table.out.split('\n');
  assert.match(head, /^ID +STATUS +BALANCE$/);
  assert.match(first, /^sub_\w+ +ACTIVE +2,501\.00 SLE$/);
  assert.equal(table.err, '', 'no remarks for a script');
  assert.equal((await json(['subscribers', 'list', '--limit', '2'])).subscribers.length, 2);
  const { out } = await run(['subscribers', 'list', '--limit', '1', '--all', '--json']);
  const { total_count } = await json(['subscribers', 'list']);
  const ids = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  assert.deepEqual([ids.length, new Set(ids).size], [total_count, total_count]);
  await run(['subscribers', 'list', '--csv', '--output', 'all.csv']);
  assert.equal(readFileSync(join(folder, 'all.csv'), 'utf8').trimEnd().split('\r\n').length, total_count + 1);
});

describe('a payment', () => {
  test('takes amounts as people write them and the PIN from standard input, and is made once per request id', async () => {
    const [sender, recipient] = [await bank.wallet(50_000), await bank.wallet()];
    const args = [
      'wallet',
      'transfer',
      '--sender',
      sender.id,
      '--recipient',
      recipient.id,
      '--amount',
      '100.00',
      '--pin',
      '-',
    ];
    const options = { input: `${PIN}\n`, env: asKey };
    const paid = await run(args, options);
    assert.equal(paid.code, 0, paid.err);
    assert.match(paid.out, /amount +100\.00 SLE/);
    const [, requestId = ''] = /request id +(\S+)/.exec(paid.out) ?? [];
    const again = await json([...args, '--request-id', requestId], options);
    assert.deepEqual([again.amount, again.request_id], [10_000, requestId]);
    assert.equal(await bank.balance(sender.id), 50_000 - 10_150);
    assert.equal(await movementCount(kissi, recipient.id), 1);
  });

  test('with an amount without decimals is not sent', async () => {
    const { code, err } = await run(['wallet', 'transfer', '--sender', 'x', '--amount', '12500', '--pin', PIN], {
      env: asKey,
    });
    assert.equal(code, 2);
    assert.match(err, /--amount 12500: write the amount with two decimals/);
  });

  test("of a partner bank is signed with the profile's key; nested fields have a dot", async () => {
    const partner = await testBank(kissi);
    const stored = await run(['login', '--profile', 'bank', '--key-id', partner.key.id, '--key', '-'], {
      input: partner.key.secret,
    });
    assert.equal(stored.code, 0, stored.err);
    const wallet = await bank.wallet();
    const args = [
      '--profile',
      'bank',
      'inbound',
      'credit',
      '--msisdn',
      wallet.phone,
      '--amount',
      '7.00',
      '--payer.name',
      'Ada',
    ];
    const { data } = await json(args);
    assert.equal(data.net_credited, 700);
    assert.equal(await bank.balance(wallet.id), 700);
    await runChore(kissi, 'write the request log');
    const tail = await run(['logs', 'tail', '--key', partner.key.id, '--no-follow']);
    assert.match(tail.out, /^\S+ \S+ UTC {2}200 {2}POST \/api\/v1\/inbound\/credit {2}\d+ ms/);
  });
});

test('sign reads the key from KEY_ID and SECRET, or from KISSI_KEY_ID and KISSI_SECRET', async () => {
  const args = ['sign', 'POST', '/api/v1/pos/verify-card', '--timestamp', '2026-01-01T00:00:00Z'];
  const [short, long] = await Promise.all([
    run(args, { env: { KEY_ID: 'key_1', SECRET: 'secret 1' } }),
    run(args, { env: { KISSI_KEY_ID: 'key_1', KISSI_SECRET: 'secret 1' } }),
  ]);
  assert.deepEqual([short.code, long.out], [0, short.out], short.err + long.err);
  assert.match(long.out, /^X-API-Key-ID: key_1$/m);
  // A notification of cash-in is signed without a key.
  const cash = await run(['sign', 'POST', '/webhooks/partner/cashin'], { env: { KISSI_SECRET: 'secret 1' } });
  assert.match(cash.out, /^X-Webhook-Signature: /m, cash.err);
});

test('a file is uploaded', async () => {
  writeFileSync(join(folder, 'cards.csv'), 'serial,label\nCLI-0001,Blue\nCLI-0002,Red\n');
  assert.equal((await json(['cards', 'upload', 'cards.csv'])).created, 2);
});

test('exit codes and messages tell refusals, wrong usage, authentication and connections apart', async () => {
  const outcomes = await Promise.all([
    run(['subscribers', 'get', 'sub_none']),
    run(['subscribers', 'get', 'sub_none', '--json']),
    run(['subscribers', 'get']),
    run(['subscribers', 'list', '--status', 'NONE']),
    run(['users', 'list'], { env: { KISSI_TOKEN: 'svc_test_wrong' } }),
    run(['health', 'get', '--url', 'http://127.0.0.1:9']),
  ]);
  assert.deepEqual(
    outcomes.map(({ code }) => code),
    [1, 1, 2, 2, 3, 4],
  );
  assert.deepEqual(
    outcomes.map(({ out }) => out),
    ['', '', '', '', '', ''],
  );
  const [refused, asJson, , choice] = outcomes;
  assert.match(refused?.err ?? '', /^NOT_FOUND: There is no such subscriber\.\n {2}X-Request-ID of the reply: req_/);
  assert.equal(JSON.parse(asJson?.err ?? '').error.code, 'NOT_FOUND');
  assert.match(choice?.err ?? '', /ACTIVE, BLOCKED, PENDING/);
});

test('a file has the format of its ending, and one that cannot be written is a sentence', async () => {
  const { id } = await newMerchant(kissi);
  const saved = async (name: string, ...flags: string[]) => {
    const { code, err } = await run(['processors', 'qr', id, '--output', name, ...flags]);
    assert.equal(code, 0, err);
    return readFileSync(join(folder, name)).subarray(0, 4).toString('latin1');
  };
  assert.equal(await saved('poster.pdf'), '%PDF');
  assert.equal(await saved('code.PNG'), '\x89PNG');
  assert.equal(await saved('code'), '<svg');
  assert.equal(await saved('code.txt', '--format', 'png'), '\x89PNG');
  for (const [name, fault] of [
    ['.', 'it is a folder: name a file'],
    ['none/code.svg', 'its folder does not exist'],
  ] as const) {
    const { code, err } = await run(['processors', 'qr', id, '--output', name]);
    assert.deepEqual([code, err], [2, `${name} cannot be written: ${fault}.\n`]);
  }
});

test("a merchant's key fetches its own QR code", async () => {
  const { id } = await newMerchant(kissi);
  const key = await apiKey(kissi, ['payments:read'], { processor_id: id });
  const env = { KISSI_PROFILE: 'merchant', KISSI_KEY_ID: key.id, KISSI_SECRET: key.secret };
  assert.equal((await json(['processors', 'get', id], { env })).processor.id, id);
  const { code, out, err } = await run(['processors', 'qr', id], { env });
  assert.deepEqual([code, out.slice(0, 4), err], [0, '<svg', '']);
});

test('a profile for another address is named if credentials are missing', async () => {
  const elsewhere = kissi.url.replace('127.0.0.1', 'localhost');
  const { code, err } = await run(['users', 'list', '--url', elsewhere]);
  assert.equal(code, 3);
  assert.match(err, /^CREDENTIALS_MISSING: /);
  assert.ok(err.includes(`Profile default has credentials for ${kissi.url}, and this is ${elsewhere}.`), err);
});

test('the audit log is verified, and logout ends the session and removes the profile', async () => {
  assert.match((await run(['verify'])).out, /valid +yes/);
  assert.equal((await run(['logout'])).code, 0);
  const { code, err } = await run(['users', 'list']);
  assert.deepEqual([code, /CREDENTIALS_MISSING/.test(err)], [3, true]);
});
