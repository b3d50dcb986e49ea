// Starts a tool in its own process group and folder, and finds the processes that it left behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { glob, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { killGroup, processesIn, removeFolder } from '@kissi/testkit/leftovers';
import { temporaryFolder } from '@kissi/testkit/service';
import { waitFor } from '../support/wait.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Tool {
  child: ChildProcess;
  /** Its folder for temporary files. */
  folder: string;
  output(): string;
  /** Resolves with the exit code, or the signal that killed it. */
  ended: Promise<number | string | null>;
  /** Resolves when the tool has started a PostgreSQL server. */
  hasServer(): Promise<void>;
  /** Running processes that the tool started, and files in its folder. */
  leftovers(): Promise<string[]>;
}

export async function startTool(context: TestContext, args: readonly string[], env = {}): Promise<Tool> {
  const { path: folder } = await temporaryFolder();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  context.after(async () => {
    killGroup(child.pid);
    await removeFolder(folder);
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return {
    child,
    folder,
    output: () => output,
    ended: new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal))),
    hasServer: async () => {
      const pidFiles = () => Array.fromAsync(glob(join(folder, '**/postmaster.pid')));
      await waitFor('PostgreSQL runs', async () => child.exitCode !== null || (await pidFiles()).length > 0);
    },
    leftovers: async () => [...(await descendants(child.pid ?? 0, folder)), ...(await readdir(folder))],
  };
}

/** The processes of the group, those with the folder as TMPDIR, whatever their group, and those that work in the folder. */
async function descendants(group: number, folder: string): Promise<string[]> {
  const inFolder = await processesIn(folder);
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
    const stat = await read('stat');
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === undefined || state === '' || 'ZX'.includes(state)) continue;
    const variables = (await read('environ')).split('\0');
    const isOurs =
      Number(itsGroup) === group || variables.includes(`TMPDIR=${folder}`) || inFolder.includes(Number(pid));
    if (isOurs) found.push(`${pid} ${(await read('cmdline')).replaceAll('\0', ' ')}`);
  }
  return found;
}
