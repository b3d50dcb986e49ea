// Phones that dial the USSD menus, through each gateway's format.
import assert from 'node:assert/strict';
import type { CallOptions, CallReply, TestGateway } from './gateway.ts';

export const USSD_SECRET = 'tJ4x9Qm2Vb7Lz0Ks5Wd8Rf3Hy6Np1Gc_';
export const NEXT_SECRET = 'uK5y0Rn3Wc8Ma1Lt6Xe9Sg4Iz7Oq2Hd-';
export const USSD = { USSD_SECRET: `${USSD_SECRET},${NEXT_SECRET}`, SUPPORT_NUMBER: '+232 76 000 000' };
export const SERVICE_CODE = '*715#';

export interface Page {
  text: string;
  ends: boolean;
}

export interface Callback {
  sessionId: string;
  phone: string;
  serviceCode?: string;
  /** All inputs so far. */
  inputs: readonly string[];
  secret?: string;
}

export type GatewayFormat = 'africastalking' | 'json';
export const FORMATS: readonly GatewayFormat[] = ['africastalking', 'json'];

/** One callback as the gateway sends it. */
export function call(kissi: TestGateway, format: GatewayFormat, callback: Callback): Promise<CallReply> {
  const { secret = USSD_SECRET } = callback;
  return kissi.call('POST', `/ussd/${format}/${secret}`, bodyOf(format, callback));
}

function bodyOf(
  format: GatewayFormat,
  { sessionId, phone, serviceCode = SERVICE_CODE, inputs }: Callback,
): CallOptions {
  if (format === 'json') {
    const at = inputs.length;
    const input = at === 0 ? {} : { input: inputs.at(-1) };
    return {
      body: { session_id: sessionId, phone_number: phone, service_code: serviceCode, sequence: at, ...input },
    };
  }
  const text = inputs.join('*');
  const form = new URLSearchParams({ sessionId, phoneNumber: phone, serviceCode, networkCode: '61901', text });
  return { raw: form.toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } };
}

export function pageOf(format: GatewayFormat, { status, text, json }: CallReply): Page {
  assert.equal(status, 200, text);
  if (format === 'json') return json;
  const [, prefix, page] = /^(CON|END) ([\s\S]*)$/.exec(text) ?? [];
  assert.ok(prefix !== undefined && page !== undefined, text);
  return { text: page, ends: prefix === 'END' };
}

let sessions = 0;
export const newSessionId = () => `ATUid_${String(++sessions).padStart(6, '0')}`;

export interface Phone {
  sessionId: string;
  inputs: string[];
  /** Dials, or types the next inputs, and returns the last page. */
  type(...inputs: string[]): Promise<Page>;
  /** The last callback again, on this gateway or another one. */
  again(on?: TestGateway): Promise<Page>;
}

/** Dials the code. */
export function dial(kissi: TestGateway, phone: string, format: GatewayFormat = 'africastalking'): Phone {
  const sessionId = newSessionId();
  const inputs: string[] = [];
  const send = async (on: TestGateway) => pageOf(format, await call(on, format, { sessionId, phone, inputs }));
  return {
    sessionId,
    inputs,
    async type(...typed) {
      let page = inputs.length === 0 ? await send(kissi) : null;
      for (const input of typed) {
        inputs.push(input);
        page = await send(kissi);
      }
      assert.ok(page);
      return page;
    },
    again: (on = kissi) => send(on),
  };
}

/** The whole walk: dials, types the inputs and returns the last page's text, which must end the session. */
export async function walk(kissi: TestGateway, phone: string, ...inputs: string[]): Promise<string> {
  const { text, ends } = await dial(kissi, phone).type(...inputs);
  assert.ok(ends, text);
  return text;
}
