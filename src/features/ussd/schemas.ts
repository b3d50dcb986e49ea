// Request and response schemas of the USSD gateways.
import { type Static, Type } from 'typebox';
import { ERROR_MESSAGE } from '../../http/validation.ts';

export const gatewayParams = Type.Object({
  secret: Type.String({ maxLength: 200, description: 'One of USSD_SECRET.' }),
});

const sessionId = () =>
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,100}$',
    description: "The gateway's id of the session.",
    [ERROR_MESSAGE]: 'must be 1 to 100 visible ASCII characters',
  });
const phoneNumber = () => Type.String({ maxLength: 32, description: 'The number that dials.' });
const serviceCode = () =>
  Type.String({
    pattern: '^[\\x20-\\x7e]{1,64}$',
    description: 'For example *715#.',
    [ERROR_MESSAGE]: 'must be 1 to 64 ASCII characters',
  });

export const africasTalkingBody = Type.Object(
  {
    sessionId: sessionId(),
    phoneNumber: phoneNumber(),
    serviceCode: serviceCode(),
    networkCode: Type.Optional(Type.String({ maxLength: 32, description: "The gateway's code of the phone network." })),
    text: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'All inputs so far, joined by *; empty when the code is dialled.' }),
    ),
  },
  { title: 'UssdCallback' },
);
export type AfricasTalkingBody = Static<typeof africasTalkingBody>;

/** Plain text. */
export const africasTalkingReply = Type.Unsafe<string>({
  description: '`CON ` and a page that is answered, or `END ` and the last page.',
  content: { 'text/plain': { schema: Type.String() } },
});

export const endedBody = Type.Object(
  {
    sessionId: sessionId(),
    status: Type.Optional(Type.String({ maxLength: 64, description: 'Success, Incomplete or Failed.' })),
  },
  { title: 'UssdSessionEnd' },
);

export const endedReply = Type.Unsafe<string>({
  description: 'Nothing.',
  content: { 'text/plain': { schema: Type.String() } },
});

export const jsonBody = Type.Object(
  {
    session_id: sessionId(),
    phone_number: phoneNumber(),
    service_code: serviceCode(),
    sequence: Type.Integer({ minimum: 0, maximum: 1_000, description: 'The number of the step; 0 for the dialling.' }),
    input: Type.Optional(
      Type.String({ maxLength: 200, description: 'What was typed; at step 0, what was dialled after the code.' }),
    ),
  },
  { title: 'UssdStep' },
);
export type JsonBody = Static<typeof jsonBody>;

export const jsonReply = Type.Object(
  {
    text: Type.String({ description: 'The page, with line breaks.' }),
    ends: Type.Boolean({ description: 'The session has ended.' }),
  },
  { title: 'UssdPage' },
);
