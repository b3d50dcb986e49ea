// Endpoints for a user's own second factors, and the reset by an administrator.
import { isStaff, type UserCaller, type UserRestriction } from '../../../auth/caller.ts';
import { type Call, created, type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { iso } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../../approvals/service.ts';
import * as schemas from './schemas.ts';
import type { SecondFactors } from './service.ts';

const ENROLMENT: readonly UserRestriction[] = ['SECOND_FACTOR_ENROLMENT_REQUIRED'];
/** The password may be wrong, and wrong ones are limited. */
const PROOF_REFUSALS = ['INVALID_SECOND_FACTOR', 'TOO_MANY_ATTEMPTS'] as const;

const ownAccount = { permission: 'own-account', openDuring: ENROLMENT } as const;

export function secondFactorRoutes(
  factors: SecondFactors,
  gate: Gate,
  { required }: { required: boolean },
): Endpoint[] {
  return [
    endpoint({
      ...ownAccount,
      id: 'getSecondFactors',
      clientMethod: 'secondFactor.get',
      method: 'GET',
      path: '/admin/second-factor',
      summary: "Get the current user's second factors",
      replies: { 200: schemas.statusReply },
      csv: false,
      handle: async (call) => {
        const { totpSince, passkeys, recoveryCodesLeft } = await factors.status(userOf(call).id);
        return ok({
          enrolled: totpSince !== null || passkeys.length > 0,
          required: required && isStaff(call.caller),
          totp_since: totpSince && iso(totpSince),
          passkeys: passkeys.map(passkeyView),
          recovery_codes_remaining: recoveryCodesLeft,
        });
      },
    }),
    ...totpRoutes(factors),
    ...passkeyRoutes(factors),
    endpoint({
      ...ownAccount,
      id: 'replaceRecoveryCodes',
      clientMethod: 'secondFactor.replaceRecoveryCodes',
      method: 'POST',
      path: '/admin/second-factor/recovery-codes',
      summary: 'Replace the recovery codes; the new ones are shown once',
      description: 'Each code works once, instead of the app.',
      action: 'second_factor.recovery_codes',
      body: schemas.proofBody,
      replies: { 200: schemas.recoveryCodesReply },
      refusals: [...PROOF_REFUSALS, 'SECOND_FACTOR_NOT_ENROLLED'],
      handle: async (call) => {
        const codes = await factors.newRecoveryCodes(call, userOf(call), call.body);
        if (codes instanceof Refusal) return codes;
        return ok({ success: true, message: 'The old recovery codes are void.', recovery_codes: codes });
      },
    }),
    endpoint({
      id: 'resetSecondFactor',
      clientMethod: 'users.resetSecondFactor',
      method: 'POST',
      path: '/admin/users/:id/reset-second-factor',
      permission: 'users',
      summary: "Remove a user's second factors after a loss; ends every session of the user",
      description: 'Only another system_admin can do this. The user can then log in with the password and enrol again.',
      action: 'user.reset_second_factor',
      params: idParams,
      replies: { 200: schemas.doneReply, 202: pendingReply },
      refusals: ['NOT_FOUND', 'SECOND_FACTOR_NOT_ENROLLED'],
      handle: (call) => gate.change(call, factors.reset),
    }),
  ];
}

function totpRoutes(factors: SecondFactors): Endpoint[] {
  return [
    endpoint({
      ...ownAccount,
      id: 'beginTotpEnrolment',
      clientMethod: 'secondFactor.beginTotp',
      method: 'POST',
      path: '/admin/second-factor/totp',
      summary: 'Begin the enrolment of an authenticator app; it takes effect when confirmed with a code',
      description: 'Show the secret as a QR code. Nothing changes until it is confirmed.',
      action: 'second_factor.totp_enrol',
      body: schemas.proofBody,
      replies: { 200: schemas.totpReply },
      refusals: [...PROOF_REFUSALS, 'SECOND_FACTOR_EXISTS'],
      handle: async (call) => {
        const begun = await factors.beginTotp(call, userOf(call), call.body);
        if (begun instanceof Refusal) return begun;
        const { secret, uri, qrCode, expiresAt } = begun;
        const message = 'Add the secret to an authenticator app and confirm it with a code.';
        const about = { secret, otpauth_uri: uri, qr_code: qrCode, expires_at: iso(expiresAt) };
        return ok({ success: true, message, ...about });
      },
    }),
    endpoint({
      ...ownAccount,
      id: 'confirmTotp',
      clientMethod: 'secondFactor.confirmTotp',
      method: 'POST',
      path: '/admin/second-factor/totp/confirm',
      summary: 'Confirm the authenticator app with a code; the first factor ends every session and access token',
      action: 'second_factor.totp_confirm',
      body: schemas.confirmBody,
      replies: { 200: schemas.confirmReply },
      refusals: ['INVALID_SECOND_FACTOR', 'SECOND_FACTOR_EXISTS', 'SECOND_FACTOR_NOT_ENROLLED'],
      handle: async (call) => {
        const confirmed = await factors.confirmTotp(call, userOf(call), call.body.code);
        if (confirmed instanceof Refusal) return confirmed;
        return ok({ success: true, ...enrolled(confirmed.recoveryCodes) });
      },
    }),
    endpoint({
      ...ownAccount,
      id: 'removeTotp',
      clientMethod: 'secondFactor.removeTotp',
      method: 'POST',
      path: '/admin/second-factor/totp/remove',
      summary: 'Remove the authenticator app',
      action: 'second_factor.totp_remove',
      body: schemas.proofBody,
      replies: { 200: schemas.doneReply },
      refusals: [...PROOF_REFUSALS, 'SECOND_FACTOR_NOT_ENROLLED'],
      handle: async (call) => {
        const refusal = await factors.removeTotp(call, userOf(call), call.body);
        return refusal ?? ok({ success: true, message: 'The authenticator app was removed.' });
      },
    }),
  ];
}

function passkeyRoutes(factors: SecondFactors): Endpoint[] {
  return [
    endpoint({
      ...ownAccount,
      id: 'getPasskeyOptions',
      clientMethod: 'secondFactor.passkeyOptions',
      method: 'POST',
      path: '/admin/second-factor/passkeys/options',
      summary: 'Get the options to create a passkey in the browser; they are valid once, for 5 minutes',
      action: 'second_factor.passkey_options',
      body: schemas.proofBody,
      replies: { 200: schemas.passkeyOptionsReply },
      refusals: [...PROOF_REFUSALS, 'SECOND_FACTOR_EXISTS', 'PASSKEYS_NOT_CONFIGURED'],
      handle: async (call) => {
        const options = await factors.passkeyOptions(call, userOf(call), call.body);
        if (options instanceof Refusal) return options;
        return ok({ success: true, message: 'Create the passkey with these options.', options });
      },
    }),
    endpoint({
      ...ownAccount,
      id: 'registerPasskey',
      clientMethod: 'secondFactor.registerPasskey',
      method: 'POST',
      path: '/admin/second-factor/passkeys',
      summary: 'Register a passkey; the first factor ends every session and access token',
      action: 'second_factor.passkey_add',
      body: schemas.passkeyBody,
      replies: { 201: schemas.passkeyReply },
      refusals: ['INVALID_SECOND_FACTOR', 'SECOND_FACTOR_EXISTS', 'PASSKEYS_NOT_CONFIGURED'],
      handle: async (call) => {
        const added = await factors.addPasskey(call, userOf(call), call.body);
        if (added instanceof Refusal) return added;
        return created({ success: true, passkey: passkeyView(added.passkey), ...enrolled(added.recoveryCodes) });
      },
    }),
    endpoint({
      ...ownAccount,
      id: 'removePasskey',
      clientMethod: 'secondFactor.removePasskey',
      method: 'POST',
      path: '/admin/second-factor/passkeys/:id/remove',
      summary: 'Remove a passkey',
      action: 'second_factor.passkey_remove',
      params: idParams,
      body: schemas.proofBody,
      replies: { 200: schemas.doneReply },
      refusals: [...PROOF_REFUSALS, 'NOT_FOUND'],
      handle: async (call) => {
        const refusal = await factors.removePasskey(call, userOf(call), call.params.id, call.body);
        return refusal ?? ok({ success: true, message: 'The passkey was removed.' });
      },
    }),
  ];
}

/** Recovery codes are null for additional factors, which leave the sessions open. */
function enrolled(recoveryCodes: string[] | null): { message: string; recovery_codes?: string[] } {
  if (recoveryCodes === null) return { message: 'The second factor is active.' };
  const message = 'The second factor is active. Store the recovery codes safely and log in again.';
  return { message, recovery_codes: recoveryCodes };
}

function passkeyView(passkey: { id: string; name: string; created_at: Date; last_used_at: Date | null }) {
  const { id, name, created_at, last_used_at } = passkey;
  return { id, name, created_at: iso(created_at), last_used_at: last_used_at && iso(last_used_at) };
}

/** The permissions admit users only. */
function userOf({ caller }: Pick<Call, 'caller'>): UserCaller {
  if (caller.kind !== 'user') throw new Error(`a ${caller.kind} has no second factor`);
  return caller;
}
