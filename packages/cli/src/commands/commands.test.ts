// Tests completion, help, errors and lines of the request log without a service.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KissiAuthenticationError, KissiConnectionError, KissiError, KissiRefusalError } from '@kissi/client';
import { commandTable } from '../command-table.ts';
import { candidates } from '../complete.ts';
import { CheckFailed, errorLines, exitCodeOf, UsageError } from '../errors.ts';
import { examplesOf } from '../help.ts';
import { buildProgram } from '../program.ts';
import { requestLines } from './logs.ts';

describe('completion', () => {
  const valuesOf = (...words: string[]) => candidates(words).map(({ value }) => value);

  test('knows commands, flags and the values of flags', () => {
    assert.ok(valuesOf('su').includes('subscribers'));
    assert.deepEqual(valuesOf('subscribers', 'unb'), ['unblock']);
    assert.deepEqual(valuesOf('subscribers', 'list', '--st'), ['--status']);
    assert.deepEqual(valuesOf('subscribers', 'list', '--status', ''), ['ACTIVE', 'BLOCKED', 'PENDING']);
    assert.deepEqual(valuesOf('completion', 'z'), ['zsh']);
    assert.deepEqual(valuesOf('--pro'), ['--profile']);
  });
});

test('every operation is a command with a help that has an example', () => {
  const { families } = commandTable();
  const program = buildProgram(families.map(({ name }) => name));
  for (const { name, operations } of families) {
    const family = program.commands.find((command) => command.name() === name);
    for (const operation of operations) {
      const command = family?.commands.find((candidate) => candidate.name() === operation.name);
      assert.ok(command, `${name} ${operation.name}`);
      assert.match(command.helpInformation(), /Usage: kissi/);
      assert.match(examplesOf(operation), new RegExp(`\\$ kissi ${name} ${operation.name}`));
    }
  }
});

test('the help shows amounts as the flags take them', () => {
  const program = buildProgram(['partners']);
  const partners = program.commands.find((command) => command.name() === 'partners');
  const help = partners?.commands.find((command) => command.name() === 'create')?.helpInformation() ?? '';
  assert.match(
    help.replaceAll(/\s+/g, ' '),
    /--max-amount <0\.00> The maximum for one inbound credit or cash-in\. Default: 500,000\.00\./,
  );
  assert.doesNotMatch(help, /minor units/i);
});

describe('errors', () => {
  const details = { code: 'X', message: 'A sentence.' };

  test('have documented exit codes', () => {
    const errors = [
      new CheckFailed('x'),
      new UsageError('x'),
      new KissiRefusalError(details),
      new KissiAuthenticationError(details),
    ];
    assert.deepEqual(
      [...errors, new KissiConnectionError(details), new KissiError(details)].map(exitCodeOf),
      [1, 2, 1, 3, 4, 5],
    );
  });

  test('say how a payment without a reply is repeated safely', () => {
    const lines = errorLines(new KissiConnectionError({ ...details, idempotencyKey: 'key-1', attempts: 5 }));
    assert.deepEqual(lines.slice(0, 2), ['X: A sentence.', '  after 5 attempts']);
    assert.match(lines.at(-1) ?? '', /repeat it with --request-id key-1$/);
  });

  test('of the service cannot send control sequences to the terminal', () => {
    const hostile = 'x\u001b]0;title\u0007\u009b2J';
    const error = new KissiRefusalError({ code: 'X', message: hostile, requestId: hostile, fields: { name: hostile } });
    assert.match(errorLines(error).join(''), /^\P{Cc}+$/u);
  });
});

test('a line of the request log has status, code, timing and the reason of a refusal', () => {
  const request = {
    ...{
      id: '7',
      at: '2026-11-16T00:01:00.000Z',
      authenticated: false,
      method: 'POST',
      path: '/api/v1/pos/payment',
      status: 401,
    },
    ...{
      code: 'INVALID_SIGNATURE',
      reason: 'the body is not signed',
      duration_ms: 1.6,
      request_id: 'req_1',
      ip: '10.0.0.1',
    },
    ...{ request_body: '{}', reply_body: null },
  };
  const [head = '', ...others] = requestLines(request, true);
  assert.match(head, /401 {2}POST \/api\/v1\/pos\/payment {2}INVALID_SIGNATURE {2}2 ms {2}10\.0\.0\.1 req_1$/);
  assert.deepEqual(others, ['    the body is not signed', '    → {}']);
});
