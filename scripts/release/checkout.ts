// The commit that a release is made of.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Checkout {
  root: string;
  version: string;
  commit: string;
  /** In ISO 8601. */
  committedAt: string;
  git(...args: string[]): Promise<Buffer>;
  /** A file of the commit. */
  read(path: string): Promise<string>;
}

/** A release has no uncommitted changes: nobody could look them up. */
export async function openCheckout(directory: string): Promise<Checkout> {
  const git = async (...args: string[]) => {
    const { stdout } = await run('git', args, { cwd: directory, encoding: 'buffer', maxBuffer: 2 ** 30 });
    return stdout;
  };
  const line = async (...args: string[]) => (await git(...args)).toString().trim();
  const root = await line('rev-parse', '--show-toplevel');
  const changes = await line('status', '--porcelain', '--untracked-files=no');
  if (changes !== '') throw new Error(`there are uncommitted changes:\n${changes}`);
  const read = async (path: string) => (await git('show', `HEAD:${path}`)).toString();
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  const commit = await line('rev-parse', 'HEAD');
  const committedAt = new Date(await line('show', '--no-patch', '--format=%cI', 'HEAD')).toISOString();
  return { root, version, commit, committedAt, git, read };
}
