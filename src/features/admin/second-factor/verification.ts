// Verifies second factors: TOTP codes, recovery codes and passkey assertions. Each is accepted once.
import { createHash, randomBytes } from 'node:crypto';
import type { PinHasher } from '../../../auth/pins/hasher.ts';
import type { Vault } from '../../../auth/vault.ts';
import type { Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { WebAuthnConfig } from '../../../kernel/config/second-factor.ts';
import { CHALLENGE_MS, type Challenges, hashChallenge, type OpenChallenge } from './challenges.ts';
import { isRecoveryCode } from './recovery-codes.ts';
import * as store from './store.ts';
import { matchingStep } from './totp.ts';
import { type Assertion, type RequestOptions, requestOptions, verifyAssertion } from './webauthn.ts';

const MAX_WRONG_TRIES = 5;
const CHALLENGE_BYTES = 32;

export type Method = 'totp' | 'recovery_code' | 'passkey';

/** One of the two is set. */
export interface Answer {
  code?: string;
  assertion?: Assertion;
}

export interface LoginChallenge {
  challenge: string;
  methods: Method[];
  /** Options for navigator.credentials.get, if the user has passkeys. */
  webauthn?: RequestOptions;
}

export interface VerificationContext {
  vault: Vault;
  hasher: PinHasher;
  clock: Clock;
  /** Null: passkeys are not configured. */
  webauthn: WebAuthnConfig | null;
}

/** All functions run in a transaction that holds the lock of the user's row, which serializes them per user. */
export function createVerification({ vault, hasher, clock, webauthn }: VerificationContext, challenges: Challenges) {
  async function totpMatches(trx: Queries, userId: string, code: string): Promise<boolean> {
    const enrolment = await store.findTotp(trx, userId);
    if (!enrolment?.confirmed_at) return false;
    const step = matchingStep(openSecret(vault, enrolment), code, clock.now());
    return step !== null && (await store.advanceStep(trx, userId, step));
  }

  async function useRecoveryCode(trx: Queries, userId: string, code: string): Promise<boolean> {
    const codes = await store.findRecoveryCodes(trx, userId);
    const match = codes.find((stored) => isRecoveryCode(hasher, userId, code, stored));
    return match !== undefined && (await store.deleteRecoveryCode(trx, userId, match));
  }

  /** Six digits are a TOTP code, anything else a recovery code. */
  async function verifyCode(trx: Queries, userId: string, code: string): Promise<Method | null> {
    if (/^\d{6}$/.test(code)) return (await totpMatches(trx, userId, code)) ? 'totp' : null;
    return (await useRecoveryCode(trx, userId, code)) ? 'recovery_code' : null;
  }

  async function verifyPasskey(trx: Queries, userId: string, assertion: Assertion, challenge: string) {
    // Only the user's own credentials are compared.
    const passkey = (await store.listPasskeys(trx, userId)).find(({ credential_id }) => credential_id === assertion.id);
    if (!webauthn || !passkey) return null;
    const expected = webauthnChallenge(challenge).toString('base64url');
    const counter = await verifyAssertion(webauthn, assertion, expected, passkey);
    if (counter === null) return null;
    await store.usePasskey(trx, passkey.id, counter, new Date(clock.now()));
    return 'passkey';
  }

  async function newChallenge(trx: Queries, userId: string, whileLocked = {}): Promise<string> {
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
    await challenges.issue(trx, { challenge, userId, purpose: 'login', ...whileLocked });
    return challenge;
  }

  function passkeyOptions(
    site: WebAuthnConfig,
    passkeys: store.PasskeyRow[],
    challenge: string,
  ): Promise<RequestOptions> {
    const asked = { bytes: new Uint8Array(webauthnChallenge(challenge)), timeoutMs: CHALLENGE_MS };
    return requestOptions(site, passkeys, asked);
  }

  return {
    verifyCode,

    /** Issues a challenge for a login whose password was right. */
    async challenge(trx: Queries, userId: string): Promise<LoginChallenge> {
      const challenge = await newChallenge(trx, userId);
      const passkeys = webauthn ? await store.listPasskeys(trx, userId) : [];
      const methods: Method[] = [];
      if ((await store.findTotp(trx, userId))?.confirmed_at) methods.push('totp');
      if (passkeys.length > 0) methods.push('passkey');
      if ((await store.findRecoveryCodes(trx, userId)).length > 0) methods.push('recovery_code');
      if (!webauthn || passkeys.length === 0) return { challenge, methods };
      return { challenge, methods, webauthn: await passkeyOptions(webauthn, passkeys, challenge) };
    },

    hasPasskeys: async (queries: Queries, userId: string): Promise<boolean> =>
      webauthn !== null && (await store.listPasskeys(queries, userId)).length > 0,

    /**
     * Issues a challenge while the name is locked, whether or not the password was right: only a passkey answers it, and the
     * answer tells. Null if the user has no passkey.
     */
    async challengePasskey(trx: Queries, userId: string, passwordRight: boolean): Promise<LoginChallenge | null> {
      const passkeys = await store.listPasskeys(trx, userId);
      if (!webauthn || passkeys.length === 0) return null;
      const whileLocked = { passkeyOnly: true, passwordRight };
      const challenge = await newChallenge(trx, userId, whileLocked);
      return { challenge, methods: ['passkey'], webauthn: await passkeyOptions(webauthn, passkeys, challenge) };
    },

    /** Null if the challenge is unknown, expired or used up. */
    openChallenge: (queries: Queries, challenge: string): Promise<OpenChallenge | null> =>
      challenges.open(queries, challenge, 'login'),

    /**
     * Verifies the answer. A right one consumes the challenge. A wrong one returns the number of tries left; after
     * the fifth the challenge is consumed too.
     */
    async answer(
      trx: Queries,
      userId: string,
      challenge: string,
      { code, assertion }: Answer,
    ): Promise<Method | { triesLeft: number }> {
      const consume = () => challenges.consume(trx, userId, challenge, 'login');
      const method = assertion
        ? await verifyPasskey(trx, userId, assertion, challenge)
        : await verifyCode(trx, userId, code ?? '');
      if (method) {
        await consume();
        return method;
      }
      const triesLeft = MAX_WRONG_TRIES - (await store.countWrongTry(trx, hashChallenge(challenge)));
      if (triesLeft <= 0) await consume();
      return { triesLeft: Math.max(0, triesLeft) };
    },
  };
}

export function openSecret(
  vault: Vault,
  { user_id, sealed_secret }: Pick<store.TotpRow, 'user_id' | 'sealed_secret'>,
): string {
  return vault.open(sealed_secret, secretContext(user_id));
}

/** Binds the encrypted secret to its owner. */
export function secretContext(userId: string): string {
  return `totp:${userId}`;
}

/** Derived from the challenge of the login, so that it need not be stored. */
function webauthnChallenge(challenge: string): Buffer {
  return createHash('sha256').update(`webauthn:${challenge}`).digest();
}
