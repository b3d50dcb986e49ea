// A profile's file: only its user can read it, and errors do not quote it.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ProfileFile } from './profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'kissi-profile-'));
after(() => rmSync(folder, { recursive: true }));
const file = new ProfileFile('default', folder);

test('a profile that others could read is replaced by one that they cannot', async () => {
  writeFileSync(file.path, '{}');
  chmodSync(file.path, 0o644);
  await file.update(async () => ({ apiKey: 'svc_test_1' }));
  assert.equal(statSync(file.path).mode & 0o777, 0o600);
  assert.deepEqual(file.read(), { apiKey: 'svc_test_1' });
});

test('a profile is not written through a link in the place of its temporary file', async () => {
  const target = join(folder, 'target');
  writeFileSync(target, 'kept');
  symlinkSync(target, `${file.path}.${process.pid}.tmp`);
  await file.write({ apiKey: 'svc_test_2' });
  assert.equal(readFileSync(target, 'utf8'), 'kept');
  assert.equal(file.read().apiKey, 'svc_test_2');
});

test('the error of a broken profile does not show its secrets', () => {
  writeFileSync(file.path, '{"secret": s3cr3t}');
  assert.throws(
    () => file.read(),
    ({ message }: Error) => /it is not JSON$/.test(message) && !message.includes('s3c'),
  );
});
