// Unpacks the sources of an earlier commit into a folder inside the repository, so that their service can be started.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
/** Ignored by git. Inside the repository, so that the release finds the packages that npm installed there. */
const FOLDER = join(REPOSITORY, '.release');

export interface ReleaseCheckout {
  root: string;
  remove(): Promise<void>;
}

/** Null if the clone does not have the commit, for example because it is shallow. */
export async function checkOut(commit: string, folder = FOLDER): Promise<ReleaseCheckout | null> {
  if (!(await hasCommit(commit))) return null;
  const remove = () => rm(folder, { recursive: true, force: true });
  // An interrupted run leaves it.
  await remove();
  await mkdir(folder);
  const archive = join(folder, 'release.tar');
  await run('git', ['archive', `--output=${archive}`, commit]);
  await run('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
  await linkPackages(folder);
  return { root: folder, remove };
}

async function hasCommit(commit: string): Promise<boolean> {
  return run('git', ['cat-file', '-e', `${commit}^{commit}`]).then(
    () => true,
    () => false,
  );
}

/** As npm links workspaces. Without the links, the release would import this checkout's packages. */
async function linkPackages(root: string): Promise<void> {
  for (const each of await readdir(join(root, 'packages'))) {
    const path = join(root, 'packages', each);
    const { name } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as { name: string };
    const link = join(root, 'node_modules', name);
    await mkdir(join(link, '..'), { recursive: true });
    await symlink(path, link);
  }
}

function run(program: string, args: readonly string[]): Promise<unknown> {
  return promisify(execFile)(program, args, { cwd: REPOSITORY });
}
