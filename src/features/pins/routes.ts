// Endpoints for forgotten PINs and locked accounts.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import * as schemas from './schemas.ts';
import type { PinService } from './service.ts';

/** Without a credential: the code proves the phone number. */
export function publicPinRoutes(pins: PinService): Endpoint[] {
  return [
    endpoint({
      id: 'setNewPin',
      clientMethod: 'registration.setNewPin',
      method: 'POST',
      path: '/public/pin-reset',
      permission: 'anyone',
      perIpLimit: 'registration',
      summary: "Set a new PIN with the code that staff sent to the subscriber's or agent's phone number",
      description:
        'Finishes a reset that staff began. The code is valid for 15 minutes and three attempts. For 24 hours afterwards outgoing payments are limited to a tenth of the daily limit.',
      action: 'pin.reset',
      body: schemas.resetBody,
      replies: { 200: schemas.resetReply },
      refusals: ['INVALID_OTP', { code: 'INVALID_PIN', status: 400 }],
      handle: async (call) => {
        const until = await pins.reset(call, call.body);
        if (until instanceof Refusal) return until;
        return ok({ success: true, message: 'The PIN was changed.', reduced_until: iso(until) });
      },
    }),
  ];
}

export function pinRoutes(pins: PinService, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'resetSubscriberPin',
      clientMethod: 'subscribers.resetPin',
      method: 'POST',
      path: '/subscribers/:id/reset-pin',
      permission: 'pins:reset',
      summary: "Send a code to the subscriber's phone for setting a new PIN",
      description:
        'Staff never see the PIN: the subscriber sets it with POST /public/pin-reset and the code, within 15 minutes.',
      action: 'subscriber.request_pin_reset',
      params: idParams,
      body: schemas.requestBody,
      bodyOptional: true,
      replies: { 200: schemas.codeSentReply, 202: pendingReply },
      refusals: ['NOT_FOUND', 'APPROVAL_REQUIRED', 'PEP_ACCESS_REQUIRED', 'SUBSCRIBER_BLOCKED', 'PHONE_NOT_VERIFIED'],
      handle: (call) => gate.change(call, pins.requestSubscriberReset),
    }),
    endpoint({
      id: 'resetAgentPin',
      clientMethod: 'agents.resetPin',
      method: 'POST',
      path: '/agents/:id/reset-pin',
      permission: 'pins:reset',
      summary: "Send a code to the agent's phone for setting a new PIN",
      description:
        'Staff never see the PIN: the agent sets it with POST /public/pin-reset and the code, within 15 minutes.',
      action: 'agent.request_pin_reset',
      params: idParams,
      body: schemas.requestBody,
      bodyOptional: true,
      replies: { 200: schemas.codeSentReply, 202: pendingReply },
      refusals: ['NOT_FOUND', 'APPROVAL_REQUIRED', 'AGENT_SUSPENDED', { code: 'AGENT_TERMINATED', status: 403 }],
      handle: (call) => gate.change(call, pins.requestAgentReset),
    }),
    endpoint({
      id: 'unlockSubscriberPin',
      clientMethod: 'subscribers.unlockPin',
      method: 'POST',
      path: '/subscribers/:id/unlock',
      permission: 'pins:unlock',
      summary: "Unlock a subscriber's account after wrong PINs",
      description: 'The holder can pay again at once. The count of wrong PINs starts at zero.',
      action: 'subscriber.unlock',
      params: idParams,
      body: schemas.requestBody,
      bodyOptional: true,
      replies: { 200: schemas.messageReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'NOT_LOCKED'],
      handle: async (call) => {
        const unlocked = await pins.unlock(call, call.params.id, call.body.reason);
        return unlocked instanceof Refusal ? unlocked : ok({ success: true, message: 'The account was unlocked.' });
      },
    }),
  ];
}
