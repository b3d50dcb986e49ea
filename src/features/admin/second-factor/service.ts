// Second factors of users: enrolment, removal, recovery codes, the administrator's reset, and the check at login.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { UserCaller } from '../../../auth/caller.ts';
import type { Database, Queries } from '../../../db/database.ts';
import { ok } from '../../../http/endpoint.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { ChangeOperation } from '../../approvals/service.ts';
import { type EndAccess, lockUser, type UserRow, updateUser } from '../users/service.ts';
import { createChallenges } from './challenges.ts';
import { createPasskeys } from './passkeys.ts';
import { createProofs, type PasswordAttempts, type Proof } from './proof.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { alreadyEnrolled, notEnrolled } from './refusals.ts';
import * as store from './store.ts';
import { matchingStep, newTotpSecret, otpauthUri, qrCode } from './totp.ts';
import { createVerification, openSecret, secretContext, type VerificationContext } from './verification.ts';

export type { Proof } from './proof.ts';
export { assertion, secondFactorCode } from './schemas.ts';
export { deleteChallengesOf } from './store.ts';
export type { Answer, LoginChallenge, Method } from './verification.ts';

export interface SecondFactorDependencies extends VerificationContext {
  database: Database;
  audit: AuditLog;
  /** Ends all sessions and tokens of a user that the transaction has locked. */
  endAccess: EndAccess;
  /** The same for an administrator's reset, which also forgets the user's browsers. */
  revokeAccess: EndAccess;
  attempts: PasswordAttempts;
}

const CONFIRM_MS = 15 * MINUTE_MS;

export type SecondFactors = ReturnType<typeof createSecondFactors>;

export function createSecondFactors(deps: SecondFactorDependencies) {
  const { database, audit, vault, hasher, clock, endAccess, revokeAccess } = deps;
  const { queries } = database;
  const challenges = createChallenges(deps);
  const verification = createVerification(deps, challenges);
  const withProof = createProofs(deps, verification.verifyCode);

  async function record(trx: Queries, actor: Actor, userId: string, action: string, details = {}): Promise<void> {
    await audit.record(trx, actor, { action, resourceType: 'user', resourceId: userId, details });
  }

  async function newCodes(trx: Queries, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    const hashed = codes.map((code) => hashRecoveryCode(hasher, userId, code));
    await store.replaceRecoveryCodes(trx, userId, hashed);
    return codes;
  }

  /**
   * The first factor ends all sessions, which were opened with the password alone, and creates recovery codes. Null for a
   * further factor.
   */
  async function activate(trx: Queries, user: UserRow): Promise<string[] | null> {
    if (user.second_factor_at !== null) return null;
    const now = new Date(clock.now());
    await updateUser(trx, user.id, { second_factor_at: now, updated_at: now });
    await endAccess(trx, user, clock);
    return newCodes(trx, user.id);
  }

  /** Recovery codes replace a factor; without one they have no use. */
  async function deactivateIfLast(trx: Queries, userId: string): Promise<void> {
    const totp = await store.findTotp(trx, userId);
    if (totp?.confirmed_at || (await store.listPasskeys(trx, userId)).length > 0) return;
    await store.deleteAllFactors(trx, userId);
    await updateUser(trx, userId, { second_factor_at: null, updated_at: new Date(clock.now()) });
  }

  const passkeys = createPasskeys(deps, { challenges, withProof, activate, deactivateIfLast, record });

  async function beginTotp(trx: Queries, actor: Actor, user: UserRow) {
    if ((await store.findTotp(trx, user.id))?.confirmed_at) return alreadyEnrolled();
    const secret = newTotpSecret();
    const now = clock.now();
    const sealed_secret = vault.seal(secret, secretContext(user.id));
    await store.saveTotp(trx, { user_id: user.id, sealed_secret, created_at: new Date(now) });
    await record(trx, actor, user.id, 'second_factor.totp_enrol');
    const uri = otpauthUri(secret, user.email);
    return { secret, uri, qrCode: qrCode(uri), expiresAt: new Date(now + CONFIRM_MS) };
  }

  async function confirm(trx: Queries, actor: Actor, userId: string, code: string) {
    const user = await lockUser(trx, userId);
    const enrolment = await store.findTotp(trx, userId);
    if (user?.status !== 'active' || !enrolment) return notEnrolled();
    if (enrolment.confirmed_at) return alreadyEnrolled();
    const now = clock.now();
    if (enrolment.created_at.getTime() + CONFIRM_MS <= now) return notEnrolled();
    const step = matchingStep(openSecret(vault, enrolment), code, now);
    if (step === null) return refuse('INVALID_SECOND_FACTOR', "The code is wrong. Check the device's clock.");
    await store.confirmTotp(trx, userId, step, new Date(now));
    const recoveryCodes = await activate(trx, user);
    await record(trx, actor, userId, 'second_factor.totp_confirm');
    return { recoveryCodes };
  }

  async function removeTotp(trx: Queries, actor: Actor, user: UserRow): Promise<null | Refusal> {
    if (!(await store.findTotp(trx, user.id))) return notEnrolled();
    await store.deleteTotp(trx, user.id);
    await deactivateIfLast(trx, user.id);
    await record(trx, actor, user.id, 'second_factor.totp_remove');
    return null;
  }

  async function reset(trx: Queries, actor: Actor, id: string): Promise<null | Refusal> {
    const user = await lockUser(trx, id);
    if (!user) return refuse('NOT_FOUND', 'There is no such user.');
    if (user.second_factor_at === null) return notEnrolled();
    const keys = await store.listPasskeys(trx, id);
    const details = { totp: (await store.findTotp(trx, id)) !== undefined, passkeys: keys.length };
    await store.deleteAllFactors(trx, id);
    await updateUser(trx, id, { second_factor_at: null, updated_at: new Date(clock.now()) });
    await revokeAccess(trx, user, clock);
    await record(trx, actor, id, 'user.reset_second_factor', details);
    return null;
  }

  const resetOperation: ChangeOperation<{ id: string }, unknown, null> = {
    kind: 'change',
    name: 'users.reset_second_factor',
    action: 'users.change',
    describe: ({ params }) => `Remove the second factors of user ${params.id}.`,
    before: async () => null,
    after: () => null,
    plan(actor, { params: { id } }) {
      if (actor.caller.id === id) return refuse('FORBIDDEN', 'Another system_admin must reset your second factor.');
      return (trx) => reset(trx, actor, id);
    },
    reply: () => ok({ success: true, message: 'The user can log in with the password and enrol again.' }),
  };

  return {
    ...passkeys,
    challenge: verification.challenge,
    hasPasskeys: verification.hasPasskeys,
    challengePasskey: verification.challengePasskey,
    openChallenge: verification.openChallenge,
    answer: verification.answer,

    async status(userId: string) {
      const [totp, keys, codes] = await Promise.all([
        store.findTotp(queries, userId),
        store.listPasskeys(queries, userId),
        store.findRecoveryCodes(queries, userId),
      ]);
      return { totpSince: totp?.confirmed_at ?? null, passkeys: keys, recoveryCodesLeft: codes.length };
    },

    /** A second call replaces an enrolment that was not confirmed. */
    beginTotp: (actor: Actor, caller: UserCaller, proof: Proof) =>
      withProof({ caller, ip: actor.ip }, proof, (trx, user) => beginTotp(trx, actor, user)),

    /** No limit of attempts: the caller has the secret. */
    confirmTotp: (actor: Actor, caller: UserCaller, code: string) =>
      database.transact((trx) => confirm(trx, actor, caller.id, code)),

    removeTotp: (actor: Actor, caller: UserCaller, proof: Proof) =>
      withProof({ caller, ip: actor.ip }, proof, (trx, user) => removeTotp(trx, actor, user)),

    newRecoveryCodes: (actor: Actor, caller: UserCaller, proof: Proof): Promise<string[] | Refusal> =>
      withProof({ caller, ip: actor.ip }, proof, async (trx, user) => {
        if (user.second_factor_at === null) return notEnrolled();
        await record(trx, actor, user.id, 'second_factor.recovery_codes');
        return newCodes(trx, user.id);
      }),

    /** For a lost device: another administrator removes all factors and ends all the user's sessions. */
    reset: resetOperation,

    prune: () => store.deleteChallengesBefore(queries, new Date(clock.now())),
  };
}
