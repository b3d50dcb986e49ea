// Chooses the operating-system user to run PostgreSQL as. PostgreSQL refuses to run as root.
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { type OsUser, runCommand } from './command.ts';
import { EmbeddedServerError } from './errors.ts';

const SYSTEM_USERS = ['kissi', 'postgres', '_postgres'];

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** An existing cluster keeps the user that owns it, even if a preferred system user is added to the machine later. */
export async function chooseOsUser(clusterOwnerUid: number | undefined): Promise<OsUser> {
  if (!isRoot()) return currentUser();
  if (clusterOwnerUid !== undefined) return userByUid(clusterOwnerUid);
  for (const name of SYSTEM_USERS) {
    const user = await findUser(name);
    if (user) return user;
  }
  const user = (await createSystemUser()) ?? (await findUser('nobody'));
  if (user) return user;
  throw new EmbeddedServerError(
    'PostgreSQL refuses to run as root and no other user could be found or created: create a system user "kissi".',
  );
}

function currentUser(): OsUser {
  try {
    const { username, uid, gid } = userInfo();
    return { name: username, uid, gid, dropPrivileges: false };
  } catch {
    // Happens in containers started with an arbitrary uid. initdb fails when it cannot look up its user.
    throw new EmbeddedServerError(
      `The user id ${process.geteuid?.()} has no entry in /etc/passwd, which PostgreSQL requires: run as a user that has one.`,
    );
  }
}

async function userByUid(uid: number): Promise<OsUser> {
  const user = await findUser(String(uid));
  if (user) return user;
  throw new EmbeddedServerError(
    `The database directory belongs to user id ${uid}, which does not exist on this machine: change its owner to an existing user (chown -R).`,
  );
}

async function createSystemUser(): Promise<OsUser | undefined> {
  const home = '/var/lib/kissi';
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--home-dir', home, '--shell', '/bin/false', 'kissi']],
    ['adduser', ['--system', '--group', '--no-create-home', '--home', home, '--shell', '/bin/false', 'kissi']],
    ['adduser', ['-S', '-D', '-H', '-h', home, '-s', '/bin/false', 'kissi']],
  ];
  for (const [file, args] of attempts) {
    await runCommand(undefined, file, args, { cwd: '/', timeoutMs: 30_000 });
    // Ignore the exit code: if two first starts race, the command fails for one of them although the user exists.
    const user = await findUser('kissi');
    if (user) return user;
  }
  return undefined;
}

/** Looks in /etc/passwd, then asks getent: users from a directory service such as LDAP are not in the file. */
async function findUser(nameOrUid: string): Promise<OsUser | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const local = findPasswdEntry(passwd, nameOrUid);
  if (local) return local;
  const getent = await runCommand(undefined, 'getent', ['passwd', nameOrUid], { cwd: '/', timeoutMs: 10_000 });
  return getent.exitCode === 0 ? findPasswdEntry(getent.output, nameOrUid) : undefined;
}

function findPasswdEntry(passwd: string, nameOrUid: string): OsUser | undefined {
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (!name || uid === undefined || gid === undefined || Number(uid) === 0) continue;
    if (name !== nameOrUid && uid !== nameOrUid) continue;
    return { name, uid: Number(uid), gid: Number(gid), dropPrivileges: true };
  }
  return undefined;
}
