// Chooses the operating-system user that PostgreSQL runs as: it refuses to run as root.
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { EmbeddedServerError } from './errors.ts';
import { type Account, runTool } from './tool.ts';

const SYSTEM_USERS = ['kissi', 'postgres', '_postgres'];

export function runsAsRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** An existing cluster keeps its user, whatever other users appear on the machine later. */
export async function chooseAccount(clusterOwner: number | undefined): Promise<Account> {
  if (!runsAsRoot()) return ownAccount();
  if (clusterOwner !== undefined) return accountOfOwner(clusterOwner);
  for (const name of SYSTEM_USERS) {
    const account = await lookUp(name);
    if (account) return account;
  }
  const account = (await createSystemUser()) ?? (await lookUp('nobody'));
  if (account) return account;
  throw new EmbeddedServerError(
    'PostgreSQL refuses to run as root and no other user could be found or created: create a system user "kissi".',
  );
}

function ownAccount(): Account {
  try {
    const { username, uid, gid } = userInfo();
    return { name: username, uid, gid, stepDown: false };
  } catch {
    // Containers started with an arbitrary number as user: initdb looks its user up and gives up.
    throw new EmbeddedServerError(
      `The user number ${process.geteuid?.()} has no entry in /etc/passwd, which PostgreSQL needs: run as a user that has one.`,
    );
  }
}

async function accountOfOwner(uid: number): Promise<Account> {
  const account = await lookUp(String(uid));
  if (account) return account;
  throw new EmbeddedServerError(
    `The database folder belongs to the user number ${uid}, who does not exist here: give the folder to a user that does (chown -R).`,
  );
}

async function createSystemUser(): Promise<Account | undefined> {
  const home = '/var/lib/kissi';
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--home-dir', home, '--shell', '/bin/false', 'kissi']],
    ['adduser', ['--system', '--group', '--no-create-home', '--home', home, '--shell', '/bin/false', 'kissi']],
    ['adduser', ['-S', '-D', '-H', '-h', home, '-s', '/bin/false', 'kissi']],
  ];
  for (const [file, args] of attempts) {
    await runTool(undefined, file, args, { cwd: '/', timeoutMs: 30_000 });
    // Two first starts at once: the loser's command fails, yet the user is there.
    const account = await lookUp('kissi');
    if (account) return account;
  }
  return undefined;
}

/** By name or by number; users of a directory service are not in the file, so getent is asked too. */
async function lookUp(nameOrUid: string): Promise<Account | undefined> {
  const local = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const inFile = findEntry(local, nameOrUid);
  if (inFile) return inFile;
  const asked = await runTool(undefined, 'getent', ['passwd', nameOrUid], { cwd: '/', timeoutMs: 10_000 });
  return asked.code === 0 ? findEntry(asked.output, nameOrUid) : undefined;
}

function findEntry(passwd: string, nameOrUid: string): Account | undefined {
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (!name || uid === undefined || gid === undefined || Number(uid) === 0) continue;
    if (name !== nameOrUid && uid !== nameOrUid) continue;
    return { name, uid: Number(uid), gid: Number(gid), stepDown: true };
  }
  return undefined;
}
