// Endpoints for authorized staff to request a one-time code and to open access to PEP accounts with it.
import type { UserCaller } from '../../../auth/caller.ts';
import { type Call, type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { iso } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { lastFour } from '../../../kernel/text.ts';
import { accessReply, codeBody, codeSentReply } from './schemas.ts';
import type { PepCodes } from './service.ts';

export function pepRoutes(pep: PepCodes): Endpoint[] {
  return [
    endpoint({
      id: 'sendPepCode',
      clientMethod: 'session.sendPepCode',
      method: 'POST',
      path: '/admin/pep/otp',
      permission: 'pep_access_authorized',
      summary: "Send a one-time code for PEP accounts to the user's own phone",
      description: 'The code has six digits and is valid for 5 minutes and three attempts.',
      action: 'pep.otp',
      replies: { 200: codeSentReply },
      refusals: ['NO_PHONE_NUMBER'],
      handle: async (call) => {
        const sent = await pep.sendCode(call, staffOf(call).id);
        if (sent instanceof Refusal) return sent;
        const { phoneNumber, expiresAt } = sent;
        const message = 'The code was sent.';
        return ok({ success: true, message, phone_number: lastFour(phoneNumber), expires_at: iso(expiresAt) });
      },
    }),
    endpoint({
      id: 'verifyPepCode',
      clientMethod: 'session.verifyPepCode',
      method: 'POST',
      path: '/admin/pep/verify',
      permission: 'pep_access_authorized',
      summary: 'Open access to PEP accounts for 15 minutes with the code',
      action: 'pep.verify',
      body: codeBody,
      replies: { 200: accessReply },
      refusals: ['INVALID_OTP'],
      handle: async (call) => {
        const until = await pep.verifyCode(call, staffOf(call).id, call.body.code);
        if (until instanceof Refusal) return until;
        return ok({ success: true, message: 'Access to PEP accounts is open.', access_until: iso(until) });
      },
    }),
  ];
}

/** The permission admits users only. */
function staffOf({ caller }: Pick<Call, 'caller'>): UserCaller {
  if (caller.kind !== 'user') throw new Error(`a ${caller.kind} has no PEP access`);
  return caller;
}
