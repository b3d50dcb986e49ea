// The challenges of logins and of new passkeys. What is stored of one has a MAC: a planted or changed row would stand for a right
// password.
import { createHash } from 'node:crypto';
import type { Vault } from '../../../auth/vault.ts';
import type { Queries } from '../../../db/database.ts';
import { type Clock, MINUTE_MS } from '../../../kernel/clock.ts';
import { type ChallengeRow, findChallenge, insertChallenge, type Purpose, removeChallenge } from './store.ts';

export const CHALLENGE_MS = 5 * MINUTE_MS;

export interface Issued {
  challenge: string;
  userId: string;
  purpose: Purpose;
  /** Issued while the name is locked. */
  passkeyOnly?: boolean;
  passwordRight?: boolean;
}

export type OpenChallenge = Pick<ChallengeRow, 'user_id' | 'passkey_only' | 'password_right'>;

export type Challenges = ReturnType<typeof createChallenges>;

export function createChallenges({ vault, clock }: { vault: Vault; clock: Clock }) {
  function isGenuine({ mac, ...row }: ChallengeRow): boolean {
    if (mac === null) return false;
    try {
      vault.open(mac, contextOf(row));
      return true;
    } catch {
      return false;
    }
  }

  /** Null if it is unknown, expired or used up. */
  async function open(queries: Queries, challenge: string, purpose: Purpose): Promise<OpenChallenge | null> {
    const row = await findChallenge(queries, hashChallenge(challenge));
    if (row?.purpose !== purpose || row.expires_at.getTime() <= clock.now()) return null;
    return isGenuine(row) ? row : null;
  }

  return {
    open,

    async issue(trx: Queries, { challenge, userId, purpose, passkeyOnly = false, passwordRight = true }: Issued) {
      const row = {
        challenge_hash: hashChallenge(challenge),
        user_id: userId,
        purpose,
        expires_at: new Date(clock.now() + CHALLENGE_MS),
        passkey_only: passkeyOnly,
        password_right: passwordRight,
      };
      await insertChallenge(trx, { ...row, mac: vault.seal('', contextOf(row)) });
    },

    /** False if there was no such challenge of the user: it was answered, replaced or ended. */
    async consume(trx: Queries, userId: string, challenge: string, purpose: Purpose): Promise<boolean> {
      const found = await open(trx, challenge, purpose);
      return found?.user_id === userId && (await removeChallenge(trx, hashChallenge(challenge)));
    },
  };
}

export function hashChallenge(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}

/** What the MAC covers. The wrong answers are counted without it. */
function contextOf(row: Omit<ChallengeRow, 'mac' | 'wrong_tries'>): string {
  const { challenge_hash, user_id, purpose, expires_at, passkey_only, password_right } = row;
  const hash = challenge_hash.toString('hex');
  return `challenge:${JSON.stringify([hash, user_id, purpose, expires_at.getTime(), passkey_only, password_right])}`;
}
