// Registers and removes the passkeys of a user.
import { randomBytes } from 'node:crypto';
import type { Actor } from '../../../audit/log.ts';
import type { UserCaller } from '../../../auth/caller.ts';
import type { Database, Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { WebAuthnConfig } from '../../../kernel/config/second-factor.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { tidy } from '../../../kernel/text.ts';
import { lockUser, type UserRow } from '../users/service.ts';
import { CHALLENGE_MS, type Challenges } from './challenges.ts';
import type { Proof, Prover } from './proof.ts';
import { wrongSecondFactor } from './refusals.ts';
import { deletePasskey, insertPasskey, listPasskeys, type PasskeyRow } from './store.ts';
import {
  type CreationOptions,
  challengeOf,
  creationOptions,
  type Registration,
  verifyRegistration,
} from './webauthn.ts';

const MAX_PASSKEYS = 10;
const CHALLENGE_BYTES = 32;

export interface NewPasskey {
  name?: string;
  credential: Registration;
}

export interface RegisteredPasskey {
  passkey: PasskeyRow;
  /** Null if the user has recovery codes already. */
  recoveryCodes: string[] | null;
}

interface PasskeyDependencies {
  database: Database;
  clock: Clock;
  webauthn: WebAuthnConfig | null;
}

interface FactorChanges {
  challenges: Challenges;
  withProof<T>(
    prover: Prover,
    proof: Proof,
    work: (trx: Queries, user: UserRow) => Promise<T | Refusal>,
  ): Promise<T | Refusal>;
  activate(trx: Queries, user: UserRow): Promise<string[] | null>;
  deactivateIfLast(trx: Queries, userId: string): Promise<void>;
  record(trx: Queries, actor: Actor, userId: string, action: string, details?: object): Promise<void>;
}

export function createPasskeys({ database, clock, webauthn }: PasskeyDependencies, changes: FactorChanges) {
  const { challenges, withProof, activate, deactivateIfLast, record } = changes;

  async function optionsFor(trx: Queries, actor: Actor, user: UserRow, site: WebAuthnConfig) {
    const existing = await listPasskeys(trx, user.id);
    if (existing.length >= MAX_PASSKEYS) return tooMany();
    const bytes = new Uint8Array(randomBytes(CHALLENGE_BYTES));
    const options = await creationOptions(site, user, existing, { bytes, timeoutMs: CHALLENGE_MS });
    await challenges.issue(trx, { challenge: options.challenge, userId: user.id, purpose: 'passkey' });
    await record(trx, actor, user.id, 'second_factor.passkey_options');
    return options;
  }

  /** Null if the credential is not valid. A refusal would roll back the consumption of the challenge. */
  async function register(
    trx: Queries,
    actor: Actor,
    userId: string,
    { name, credential }: NewPasskey,
    site: WebAuthnConfig,
  ): Promise<RegisteredPasskey | Refusal | null> {
    const user = await lockUser(trx, userId);
    const challenge = challengeOf(credential);
    if (user?.status !== 'active' || challenge === null) return null;
    const now = new Date(clock.now());
    if (!(await challenges.consume(trx, userId, challenge, 'passkey'))) return null;
    const verified = await verifyRegistration(site, credential, challenge);
    if (!verified) return null;
    if ((await listPasskeys(trx, userId)).length >= MAX_PASSKEYS) return tooMany();
    const row = { id: newId('pky', clock), user_id: userId, name: name ? tidy(name) : 'Passkey', created_at: now };
    const passkey = await insertPasskey(trx, { ...row, ...verified });
    if (!passkey) return refuse('SECOND_FACTOR_EXISTS', 'This passkey is already registered.');
    const recoveryCodes = await activate(trx, user);
    await record(trx, actor, userId, 'second_factor.passkey_add', { passkey_id: passkey.id, name: passkey.name });
    return { passkey, recoveryCodes };
  }

  return {
    /** Options for navigator.credentials.create. */
    async passkeyOptions(actor: Actor, caller: UserCaller, proof: Proof): Promise<CreationOptions | Refusal> {
      if (!webauthn) return notConfigured();
      return withProof<CreationOptions>({ caller, ip: actor.ip }, proof, (trx, user) =>
        optionsFor(trx, actor, user, webauthn),
      );
    },

    /** The options' challenge, which needed the proof, is used up even if the credential is not valid. */
    async addPasskey(actor: Actor, caller: UserCaller, input: NewPasskey): Promise<RegisteredPasskey | Refusal> {
      if (!webauthn) return notConfigured();
      const registered = await database.transact((trx) => register(trx, actor, caller.id, input, webauthn));
      return registered ?? wrongSecondFactor();
    },

    removePasskey: (actor: Actor, caller: UserCaller, id: string, proof: Proof): Promise<null | Refusal> =>
      withProof<null>({ caller, ip: actor.ip }, proof, async (trx, user) => {
        if (!(await deletePasskey(trx, user.id, id))) return refuse('NOT_FOUND', 'There is no such passkey.');
        await deactivateIfLast(trx, user.id);
        await record(trx, actor, user.id, 'second_factor.passkey_remove', { passkey_id: id });
        return null;
      }),
  };
}

function tooMany(): Refusal {
  return refuse('SECOND_FACTOR_EXISTS', `A user has at most ${MAX_PASSKEYS} passkeys: remove one first.`);
}

function notConfigured(): Refusal {
  return refuse('PASSKEYS_NOT_CONFIGURED', 'Passkeys are not available: the operator has not set PUBLIC_ORIGIN.');
}
