// A failed login takes about as long for an unknown email as for a known one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayForFile } from '../support/gateway.ts';
import { login, staffMember } from '../support/staff.ts';

const WRONG_PASSWORD = 'Wrong-Password-1';

const kissi = await gatewayForFile();

test('a failed login takes about as long for an unknown email as for a known one', async () => {
  const fastestMs = async (emails: string[]) => {
    const times: number[] = [];
    for (const email of emails) {
      const startedAt = performance.now();
      await login(kissi, { email, password: WRONG_PASSWORD });
      times.push(performance.now() - startedAt);
    }
    return Math.min(...times);
  };
  const { email } = await staffMember(kissi, 'support_user');
  const knownMs = await fastestMs([email, email, email, email]);
  const unknownMs = await fastestMs(['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']);
  assert.ok(unknownMs > knownMs / 3, `known ${knownMs} ms, unknown ${unknownMs} ms`);
});
