// Files around the code: decision records are dated and indexed, links resolve, and deployments start the service as npm does.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFile(join(ROOT, path), 'utf8');
const find = async (...patterns: string[]) => (await Array.fromAsync(glob(patterns, { cwd: ROOT }))).sort();

describe('decision records', () => {
  const INDEX = 'docs/decisions/README.md';
  const isRecord = (path: string) => path !== INDEX && path !== 'docs/decisions/template.md';
  const STATUSES = ['proposed', 'accepted', 'superseded', 'rejected'];

  test('each has a status and a date, and its line in the index has the same', async () => {
    const index = await read(INDEX);
    const records = (await find('docs/decisions/*.md')).filter(isRecord);
    assert.ok(records.length > 0);
    for (const path of records) {
      const [, title, status, date] =
        /^# (.+)\n\nStatus: (\w+)\nDate: (\d{4}-\d\d-\d\d)\n/.exec(await read(path)) ?? [];
      assert.ok(status && STATUSES.includes(status), `${path} has no title, status and date as in template.md`);
      const line = index.split('\n').find((text) => text.startsWith(`| [${title}](${path.split('/').at(-1)}) |`));
      assert.ok(line?.endsWith(`| ${status} | ${date} |`), `${INDEX} does not list ${path} as ${status} on ${date}`);
    }
  });
});

describe('documents', () => {
  const written = async () =>
    (await find('*.md', 'docs/**/*.md', 'examples/**/*.md', '.github/*.md')).filter(
      (path) => !path.endsWith('template.md'),
    );

  test('relative links name files and headings that exist', async () => {
    for (const path of await written()) {
      for (const [, target = '', , anchor] of (await read(path)).matchAll(
        /\]\((?!https?:)([^)#\s]*)(#([^)\s]+))?\)/g,
      )) {
        const file = target === '' ? path : join(dirname(path), target);
        await access(join(ROOT, file)).catch(() => assert.fail(`${path} links to ${target}`));
        if (anchor && file.endsWith('.md'))
          assert.ok(headings(await read(file)).includes(anchor), `${path} links to ${target}#${anchor}`);
      }
    }
  });

  test('the README fits on a few screens', async () => {
    assert.ok((await read('README.md')).split('\n').length <= 200);
  });
});

/** The anchors that GitHub gives to the headings of a page. */
function headings(page: string): string[] {
  const titles = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase());
  return titles.map((title) => title.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'));
}

describe('deployment files', () => {
  test('the image and the systemd unit start the service with the options of npm start', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    const [, command = ''] = /\bnode (--.+ src\/main\.ts)$/.exec(scripts.start ?? '') ?? [];
    assert.notEqual(command, '', 'npm start does not run node with options');
    const [, image = ''] = /^CMD (\[.+\])$/m.exec(await read('Dockerfile')) ?? [];
    assert.deepEqual(JSON.parse(image), ['node', ...command.split(' ')]);
    const [, unit] = /^ExecStart=\S+\/node (.+)$/m.exec(await read('deploy/systemd/kissi.service')) ?? [];
    assert.equal(unit, command);
  });

  test('the example of Patroni acknowledges nothing that one server has, and its times agree', async () => {
    const { bootstrap, restapi } = parse(await read('deploy/patroni/kissi.yml'));
    const { ttl, loop_wait, retry_timeout, synchronous_mode, primary_start_timeout, postgresql } = bootstrap.dcs;
    assert.deepEqual({ synchronous_mode, primary_start_timeout }, { synchronous_mode: true, primary_start_timeout: 0 });
    assert.equal(postgresql.parameters.restart_after_crash, 'off');
    assert.ok(ttl >= 20 && ttl >= loop_wait + 2 * retry_timeout, `Patroni would change a ttl of ${ttl} s`);
    assert.ok(restapi.authentication.password);
  });

  const analyze = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find((path) => existsSync(path));
  test('systemd accepts the unit', { skip: !analyze && 'systemd is not installed' }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kissi-unit-'));
    try {
      const unit = join(folder, 'kissi.service');
      // The program is not installed here.
      const text = (await read('deploy/systemd/kissi.service')).replace(
        '=/opt/kissi/scripts/node',
        `=${process.execPath}`,
      );
      await writeFile(unit, text);
      const verify = () => promisify(execFile)(analyze ?? '', ['verify', '--man=no', unit]);
      const { stdout, stderr } = await verify();
      const own = (output: string) => output.split('\n').filter((line) => line.includes('kissi'));
      assert.deepEqual(own(stdout + stderr), []);
      await writeFile(unit, text.replace('Restart=', 'Restarts='));
      assert.match((await verify()).stderr, /Unknown key .*Restarts/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
