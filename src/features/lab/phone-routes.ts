// Endpoints of the lab's phone on the screen. Without the lab, and so in production, they answer 404.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { phoneNumber, textOrNull, timestamp } from '../../http/fields.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { LabPhone } from './phone.ts';

const stepBody = Type.Object({
  phone_number: phoneNumber(),
  session_id: Type.String({
    pattern: '^[A-Za-z0-9-]{1,64}$',
    description: 'Chosen for each session.',
    [ERROR_MESSAGE]: 'must be 1 to 64 letters, digits and hyphens',
  }),
  sequence: Type.Integer({ minimum: 0, maximum: 1_000, description: 'The number of the step; 0 for the dialling.' }),
  input: Type.Optional(
    Type.String({ maxLength: 200, description: 'What was typed; at step 0, what was dialled after the service code.' }),
  ),
});

const stepReply = Type.Object(
  {
    text: Type.String({ description: 'What the phone shows, in lines.' }),
    ends: Type.Boolean({ description: 'The session has ended.' }),
    asks_pin: Type.Boolean({ description: 'The answer to this page is a PIN.' }),
  },
  { title: 'LabPhonePage' },
);

const message = Type.Object(
  {
    id: Type.String(),
    channel: Type.Enum(['sms', 'chat'], { description: 'How it would have been sent.' }),
    kind: Type.String({ description: 'For example payment, login_code or new_device.' }),
    text: Type.String({ description: 'The message as the phone shows it.' }),
    created_at: timestamp(),
  },
  { title: 'LabPhoneMessage' },
);

const stateReply = Type.Object(
  {
    phone_number: Type.String({ description: 'E.164.' }),
    service_code: textOrNull('USSD_SERVICE_CODE; null: any code reaches the menus.'),
    messages: Type.Array(message, { description: 'Newest first, at most 50; without those to staff.' }),
  },
  { title: 'LabPhone' },
);

/** `phone` is undefined unless the service runs with LAB=on. */
export function labPhoneRoutes(phone: LabPhone | undefined): Endpoint[] {
  return [
    endpoint({
      id: 'getLabPhone',
      clientMethod: 'lab.phone',
      method: 'GET',
      path: '/admin/lab/phone',
      permission: 'lab',
      summary: 'Get what the phone of a number received: SMS and chat messages; not available in production',
      description: 'Messages that a provider takes are not kept, and so not shown.',
      query: Type.Object({ phone_number: phoneNumber() }),
      csv: false,
      replies: { 200: stateReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        if (!phone) return off();
        const state = await phone.state(call, call.query.phone_number);
        if (state instanceof Refusal) return state;
        const messages = state.messages.map(({ id, channel = 'chat', kind, text, createdAt }) => ({
          ...{ id, channel, kind, text },
          created_at: iso(createdAt),
        }));
        return ok({ phone_number: state.phoneNumber, service_code: state.serviceCode, messages });
      },
    }),
    endpoint({
      id: 'playLabUssd',
      clientMethod: 'lab.ussd',
      method: 'POST',
      path: '/admin/lab/ussd',
      permission: 'lab',
      summary: 'Dial the USSD menus as a number, or answer a page; not available in production',
      description:
        "A PIN counts only as the answer to a page with `asks_pin`, and is neither stored nor logged. The session is this user's.",
      action: 'lab.dial',
      body: stepBody,
      replies: { 200: stepReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        if (!phone) return off();
        const page = await phone.step(call, call.body);
        if (page instanceof Refusal) return page;
        return ok({ text: page.text, ends: page.ends, asks_pin: page.awaitsPin ?? false });
      },
    }),
  ];
}

function off(): Refusal {
  return refuse('NOT_FOUND', 'The lab is off (LAB).');
}
