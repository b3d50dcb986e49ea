// What USSD gateways send and expect: a small port with a codec for each.
import type { Reply } from '../../http/endpoint.ts';
import type { Page } from './engine/page.ts';
import type { AfricasTalkingBody, JsonBody } from './schemas.ts';

export type GatewayName = 'africastalking' | 'json' | 'lab';

/** One callback of a gateway, in no gateway's format. */
export interface GatewayCall {
  gateway: GatewayName;
  sessionId: string;
  /** As sent. */
  phoneNumber: string;
  serviceCode: string;
  /** Grows with every step: tells a late or repeated callback from the next one. */
  position: number;
  /** What was typed after the step at an earlier position. */
  typedAfter(position: number): string;
  /** If this is the first callback: what was dialled after the service code. */
  dialled: readonly string[];
}

export interface Codec<Body> {
  read(body: Body): GatewayCall;
  reply(page: Page): Reply;
}

/**
 * Africa's Talking, and the gateways that copy it: `text` holds all inputs so far, joined by asterisks. It is not split: an
 * input may contain an asterisk, and what is new is what follows the text of the step before.
 */
export const africasTalking: Codec<AfricasTalkingBody> = {
  read: ({ sessionId, phoneNumber, serviceCode, text = '' }) => ({
    gateway: 'africastalking',
    ...{ sessionId, phoneNumber, serviceCode },
    position: text.length,
    typedAfter: (position) => text.slice(position === 0 ? 0 : position + 1),
    dialled: inputsOf(text),
  }),
  reply: ({ text, ends }) => ({
    status: 200,
    body: `${ends ? 'END' : 'CON'} ${text}`,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  }),
};

/** For the lab's phone: the input of this step only, and its number, which is 0 for the dialling. */
export const plainJson: Codec<JsonBody> = {
  read: ({ session_id: sessionId, phone_number: phoneNumber, service_code: serviceCode, sequence, input = '' }) => ({
    gateway: 'json',
    ...{ sessionId, phoneNumber, serviceCode },
    position: sequence,
    typedAfter: () => input,
    dialled: inputsOf(input),
  }),
  reply: ({ text, ends }) => ({ status: 200, body: { text, ends } }),
};

const MAX_DIALLED = 10;

function inputsOf(text: string): string[] {
  return text
    .split('*')
    .filter((input) => input !== '')
    .slice(0, MAX_DIALLED);
}
