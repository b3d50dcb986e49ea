// Profiles: where the service is and how to authenticate, one file each that only the user can read.
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { withFileLock } from './file-lock.ts';

/** As the client keeps them. */
export interface StoredTokens {
  token: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface Profile {
  url?: string;
  /** The user of `tokens`. */
  email?: string;
  tokens?: StoredTokens;
  /** Bearer value of an API key. */
  apiKey?: string;
  keyId?: string;
  secret?: string;
  partnerId?: string;
  webhookSecret?: string;
}

type Environment = Record<string, string | undefined>;

export function configFolder(env: Environment = process.env): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'kissi');
}

const NAME = /^[\w.-]{1,64}$/;

export class ProfileFile {
  readonly name: string;
  readonly path: string;

  constructor(name: string, folder = configFolder()) {
    if (!NAME.test(name) || name.startsWith('.')) {
      throw new UsageError(`"${name}" cannot be a profile name: use letters, digits, dots and dashes.`);
    }
    this.name = name;
    this.path = join(folder, `${name}.json`);
  }

  /** Empty if the profile does not exist. */
  read(): Profile {
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as Profile;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      // The message of a SyntaxError quotes the text around the fault, which may be a secret.
      const reason = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message;
      throw new UsageError(`${this.path} cannot be read: ${reason}`);
    }
  }

  /** Replaces the file as a whole, so that a reader never sees half of it. */
  async write(profile: Profile): Promise<void> {
    const folder = join(this.path, '..');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = `${this.path}.${process.pid}.tmp`;
    // Never written into a file that exists: it may be readable for others, or a link.
    await rm(temporary, { force: true });
    await writeFile(temporary, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  /** Changes the profile while no other process does. */
  async update(change: (current: Profile) => Promise<Profile>): Promise<Profile> {
    await mkdir(join(this.path, '..'), { recursive: true, mode: 0o700 });
    return withFileLock(`${this.path}.lock`, async () => {
      const current = this.read();
      const changed = await change(current);
      // An unchanged profile is not written again.
      if (changed !== current) await this.write(changed);
      return changed;
    });
  }
}
