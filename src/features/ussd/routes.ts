// Endpoints that USSD gateways call. The secret in the path and the address authenticate them; what was typed is never logged.
import { type Call, type Endpoint, endpoint, type Reply } from '../../http/endpoint.ts';
import { africasTalking, type Codec, plainJson } from './codecs.ts';
import * as schemas from './schemas.ts';
import type { UssdService } from './service.ts';

const PLAIN_TEXT = { 'content-type': 'text/plain; charset=utf-8' };

export function africasTalkingRoutes(ussd: UssdService): Endpoint[] {
  return [
    endpoint({
      id: 'answerAfricasTalking',
      clientMethod: 'ussd.answerAfricasTalking',
      method: 'POST',
      path: '/ussd/africastalking/:secret',
      permission: 'anyone',
      summary: "Answer a callback of Africa's Talking with a page of the USSD menus",
      description:
        'Sent as `application/x-www-form-urlencoded`, when the code is dialled and after each input. Repeated and late callbacks of a step get the same page.',
      params: schemas.gatewayParams,
      body: schemas.africasTalkingBody,
      takesForm: true,
      ignoresQuery: true,
      lane: 'conversations',
      replies: { 200: schemas.africasTalkingReply },
      handle: (call) => answered(ussd, africasTalking, call),
    }),
    endpoint({
      id: 'endAfricasTalkingSession',
      clientMethod: 'ussd.endAfricasTalkingSession',
      method: 'POST',
      path: '/ussd/africastalking/:secret/ended',
      permission: 'anyone',
      summary: "Note that a USSD session has ended, as Africa's Talking says",
      description: 'Only the session id is read. The inputs that it lists are neither stored nor logged.',
      params: schemas.gatewayParams,
      body: schemas.endedBody,
      takesForm: true,
      ignoresQuery: true,
      lane: 'conversations',
      replies: { 200: schemas.endedReply },
      async handle({ body }) {
        await ussd.end(body.sessionId);
        return { status: 200, body: '', headers: PLAIN_TEXT };
      },
    }),
  ];
}

/** For the lab's phone. In production they answer 404. */
export function jsonUssdRoutes(ussd: UssdService): Endpoint[] {
  return [
    endpoint({
      id: 'answerUssdStep',
      clientMethod: 'ussd.answer',
      method: 'POST',
      path: '/ussd/json/:secret',
      permission: 'anyone',
      summary: 'Answer a step of a USSD session as plain JSON, for the lab; not available in production',
      params: schemas.gatewayParams,
      body: schemas.jsonBody,
      lane: 'conversations',
      replies: { 200: schemas.jsonReply },
      handle: (call) => answered(ussd, plainJson, call),
    }),
  ];
}

async function answered<Body>(ussd: UssdService, codec: Codec<Body>, call: Call<Body>): Promise<Reply> {
  const { body, ip, requestId } = call;
  return codec.reply(await ussd.answer(codec.read(body), { ip, requestId }));
}
