// Every command for operators explains itself with --help and refuses unknown options, without doing anything.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** For development: they have no options, or pass them on to a test runner or to another program. */
const DEVELOPMENT = /^(postinstall|dev|test.*|types|lint|format|docs.*|db:types)$/;
/** The command line `kissi` has its own tests. */
const OTHER_PROGRAMS = ['sign', 'privacy:export', 'privacy:erase'];

/** The file that a script of package.json runs at the end, and its arguments. */
async function commands(): Promise<[name: string, program: string[]][]> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return Object.entries(scripts)
    .filter(([name]) => !DEVELOPMENT.test(name) && !OTHER_PROGRAMS.includes(name))
    .map(([name, script]) => {
      const words = script.split(' ');
      return [name, words.slice(words.findLastIndex((word) => word.endsWith('.ts')))];
    });
}

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
  /** What it left in the current directory and in the directory for temporary files. */
  left: string[];
}

async function run([file = '', ...args]: readonly string[], option: string): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), 'kissi-command-'));
  try {
    const { promise, resolve } = Promise.withResolvers<Omit<Outcome, 'left'>>();
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, TMPDIR: directory };
    execFile(process.execPath, [join(root, file), ...args, option], { cwd: directory, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    return { ...(await promise), left: await readdir(directory) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

for (const [name, program] of await commands()) {
  const command = name === 'start' ? 'npm start' : `npm run ${name}`;

  test(`${command} -- --help prints the usage and does nothing`, async () => {
    const { stdout, ...rest } = await run(program, '--help');
    assert.ok(stdout.startsWith(`usage: ${command}`), stdout);
    assert.deepEqual(rest, { code: 0, stderr: '', left: [] });
  });
}

const REFUSING = [
  ['src/main.ts', 1],
  ['scripts/db-migrate.ts', 1],
  ['scripts/ledger-verify.ts', 2],
  ['bench/run.ts', 1],
] as const;

for (const [file, failureCode] of REFUSING) {
  test(`${file} refuses an unknown option and does nothing`, async () => {
    const { stderr, ...rest } = await run([file], '--no-such-option');
    assert.match(stderr, /there is no option --no-such-option\nusage: npm /);
    assert.deepEqual(rest, { code: failureCode, stdout: '', left: [] });
  });
}

test('-h is short for --help', async () => {
  const { code, stdout } = await run(['scripts/db-migrate.ts'], '-h');
  assert.match(stdout, /^usage: npm run db:migrate/);
  assert.equal(code, 0);
});
