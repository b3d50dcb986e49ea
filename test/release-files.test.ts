// npm run release:files on a clone: tarball, SBOM, rules and checksums, the same bytes each time.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOCS = 'https://git.example.com/kissi/blob/v1/docs';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

function run(file: string, args: string[], cwd: string): Promise<Outcome> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) =>
    execFile(file, args, { cwd, env: { PATH, HOME }, maxBuffer: 2 ** 28 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  );
}

const isClone = (await run('git', ['rev-parse', '--git-dir'], ROOT)).code === 0;

describe('the files of a release', { skip: !isClone && 'this is not a clone' }, () => {
  let scratch: string;
  let clone: string;
  let version: string;
  let extra: string;
  const first = () => join(scratch, 'first');
  const release = (...args: string[]) =>
    run(process.execPath, [join(ROOT, 'scripts/release-files.ts'), '--docs-url', DOCS, ...args], clone);
  const read = (name: string) => readFile(join(first(), name), 'utf8');

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'kissi-release-'));
    clone = join(scratch, 'clone');
    assert.equal((await run('git', ['clone', '--quiet', '--depth=1', `file://${ROOT}`, clone], scratch)).code, 0);
    ({ version } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8')));
    extra = join(scratch, 'image.txt');
    await writeFile(extra, 'registry.example.com/kissi@sha256:0\n');
    const { code, stderr } = await release(first(), extra);
    assert.equal(code, 0, stderr);
  });
  after(() => rm(scratch, { recursive: true, force: true }));

  test('SHA256SUMS lists every other file with its checksum', async () => {
    const names = (await readdir(first())).sort();
    const expected = ['.cdx.json', '-prometheus-alerts.yml', '-prometheus-slo.yml', '.tar.gz'].map(
      (end) => `kissi-${version}${end}`,
    );
    assert.deepEqual(names, ['SHA256SUMS', 'image.txt', ...expected].sort());
    const listed = (await read('SHA256SUMS')).trimEnd().split('\n');
    assert.deepEqual(
      listed.map((line) => line.slice(66)),
      names.filter((name) => name !== 'SHA256SUMS'),
    );
    for (const line of listed)
      assert.equal(line.slice(0, 64), hash('sha256', await readFile(join(first(), line.slice(66)))), line);
  });

  test('the tarball has every file of the commit, in a folder of the version', async () => {
    const { stdout: packed } = await run('tar', ['-tzf', join(first(), `kissi-${version}.tar.gz`)], scratch);
    const { stdout: tracked } = await run('git', ['ls-files'], clone);
    const files = packed.split('\n').filter((path) => path !== '' && !path.endsWith('/'));
    const prefix = `kissi-${version}/`;
    assert.deepEqual(
      files.toSorted(),
      tracked
        .trimEnd()
        .split('\n')
        .map((path) => prefix + path)
        .toSorted(),
    );
  });

  test('the SBOM is CycloneDX and names exactly the packages of production', async () => {
    const text = await read(`kissi-${version}.cdx.json`);
    assert.equal(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(text), null);
    const { components, metadata, dependencies } = JSON.parse(text);
    assert.deepEqual([metadata.component.name, metadata.component.version], ['kissi', version]);
    const { packages } = JSON.parse(await readFile(join(clone, 'package-lock.json'), 'utf8'));
    const { dependencies: direct } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8'));
    const refs = new Set<string>(components.map((component: { 'bom-ref': string }) => component['bom-ref']));
    const expected = new Set<string>();
    for (const [path, { dev, link, name, version: of }] of Object.entries<Record<string, string>>(packages)) {
      if (!path.includes('node_modules/') || dev || link) continue;
      expected.add(`${name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${of}`);
    }
    assert.deepEqual([...refs].sort(), [...expected].sort());
    for (const [name, of] of Object.entries(direct).filter(([name]) => !name.startsWith('@kissi/')))
      assert.ok(refs.has(`${name}@${of}`), name);
    for (const { ref, dependsOn } of dependencies)
      for (const each of dependsOn) assert.ok(refs.has(each), `${ref} depends on ${each}, which is not listed`);
  });

  test('the rules lead to the documents of the release', async () => {
    for (const name of ['alerts', 'slo']) {
      const text = await read(`kissi-${version}-prometheus-${name}.yml`);
      assert.doesNotMatch(text, /docs\.example\.com\//);
      const { groups } = parse(text);
      for (const { alert, annotations } of groups.flatMap(({ rules }: { rules: object[] }) => rules))
        if (alert) assert.equal(annotations.runbook_url, `${DOCS}/operations/alerts.md#${alert.toLowerCase()}`);
    }
  });

  test('a second run writes the same bytes', async () => {
    const second = join(scratch, 'second');
    assert.equal((await release(second, extra)).code, 0);
    assert.equal(await readFile(join(second, 'SHA256SUMS'), 'utf8'), await read('SHA256SUMS'));
  });

  test('refuses a folder with files, and changes that are not committed', async () => {
    const again = await release(first());
    assert.deepEqual([again.code, /is not empty/.test(again.stderr)], [1, true], again.stderr);
    await appendFile(join(clone, 'README.md'), 'changed\n');
    const changed = await release(join(scratch, 'third'));
    assert.deepEqual(
      [changed.code, /uncommitted changes:\n.*README\.md/.test(changed.stderr)],
      [1, true],
      changed.stderr,
    );
    await promisify(execFile)('git', ['checkout', '--quiet', 'README.md'], { cwd: clone });
  });
});
