// Tests keys from files and commands: read once, in one way only, and never repeated in a message.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigFaults, type Environment, loadConfig } from './config.ts';

const KEY = 'key-0123456789-abcdefghijklmnopqrstuv';
const folder = await mkdtemp(join(tmpdir(), 'keys-'));
after(() => rm(folder, { recursive: true }));

async function file(content: string): Promise<string> {
  const path = join(folder, 'key');
  await writeFile(path, content);
  return path;
}

function faultsOf(env: Environment): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults;
    throw error;
  }
  return [];
}

test('a key comes from a file, without the line end', async () => {
  const config = loadConfig({ MASTER_KEY_FILE: await file(`${KEY}\n`) });
  assert.deepEqual(config.secrets, { MASTER_KEY: KEY });
});

test('keys come from a command, which sees the environment', () => {
  const env = {
    PIN_PEPPER_COMMAND: `echo "k2:$OTHER"; echo "k1:${KEY}"`,
    OTHER: `other-${KEY}`,
    PATH: process.env.PATH,
  };
  assert.equal(loadConfig(env).secrets.PIN_PEPPER, `k2:other-${KEY}\nk1:${KEY}`);
});

test('a key is set in one way only', async () => {
  const path = await file(KEY);
  for (const env of [
    { MASTER_KEY: KEY, MASTER_KEY_FILE: path },
    { MASTER_KEY_FILE: path, MASTER_KEY_COMMAND: 'true' },
  ]) {
    assert.deepEqual(faultsOf(env), [
      'MASTER_KEY must be set in one way only: MASTER_KEY, MASTER_KEY_FILE or MASTER_KEY_COMMAND.',
    ]);
  }
});

test('a file or command that supplies no key is a fault, which does not say what it supplied', async () => {
  const path = await file(' \n');
  assert.deepEqual(faultsOf({ MASTER_KEY_FILE: path }), [`MASTER_KEY_FILE names an empty file: ${path}.`]);
  const missing = join(folder, 'missing');
  assert.deepEqual(faultsOf({ MASTER_KEY_FILE: missing }), [
    `MASTER_KEY_FILE names a file that cannot be read (ENOENT): ${missing}.`,
  ]);
  assert.deepEqual(faultsOf({ MASTER_KEY_COMMAND: 'echo a-secret; exit 3' }), [
    'MASTER_KEY_COMMAND failed (exit code 3).',
  ]);
  assert.deepEqual(faultsOf({ MASTER_KEY_COMMAND: 'true' }), ['MASTER_KEY_COMMAND printed nothing.']);
  assert.deepEqual(faultsOf({ MASTER_KEY_COMMAND: 'echo a-secret' }), ['MASTER_KEY must have at least 32 characters.']);
});
