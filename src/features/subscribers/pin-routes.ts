// Endpoints with which a subscriber's PIN is verified and changed.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { SubscriberService } from './service.ts';

const PIN_REFUSALS: NonNullable<Endpoint['refusals']> = [
  'NOT_FOUND',
  'PEP_ACCESS_REQUIRED',
  'SUBSCRIBER_BLOCKED',
  { code: 'INVALID_PIN', status: 400 },
  'INVALID_PIN',
  'ACCOUNT_LOCKED',
  'TOO_MANY_ATTEMPTS',
];

export function pinRoutes(subscribers: SubscriberService): Endpoint[] {
  return [
    endpoint({
      id: 'verifySubscriberPin',
      clientMethod: 'subscribers.verifyPin',
      method: 'POST',
      path: '/subscribers/:id/verify-pin',
      permission: 'subscribers:write',
      summary: 'Verify a PIN',
      description:
        'Three wrong PINs, counted across all routes, lock the account for 30 minutes; a correct PIN resets the count.',
      action: 'subscriber.verify_pin',
      params: idParams,
      body: schemas.pinBody,
      replies: { 200: schemas.verifiedReply },
      refusals: PIN_REFUSALS,
      handle: async (call) => {
        const verified = await subscribers.verifyPin(call, call.params.id, call.body.pin);
        return verified instanceof Refusal ? verified : ok({ success: true, verified: true });
      },
    }),
    endpoint({
      id: 'changeSubscriberPin',
      clientMethod: 'subscribers.changePin',
      method: 'POST',
      path: '/subscribers/:id/change-pin',
      permission: 'subscribers:write',
      summary: 'Change a PIN',
      description: 'Needs the current PIN. In production very common PINs are refused.',
      action: 'subscriber.change_pin',
      params: idParams,
      body: schemas.changePinBody,
      replies: { 200: schemas.messageReply },
      refusals: PIN_REFUSALS,
      handle: async (call) => {
        const done = await subscribers.changePin(call, call.params.id, call.body);
        return done instanceof Refusal ? done : ok({ success: true, message: 'The PIN was changed.' });
      },
    }),
  ];
}
