// A server that speaks Africa's Talking's messaging API, and can be slow, dead, or accept a text only in part.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from '../../src/kernel/config/config.ts';

export interface Sms {
  to: string;
  message: string;
  from: string | undefined;
}

/** What the server does with a text. A number is the status code of its recipient. */
export type SmsReaction = number | ((response: ServerResponse, sms: Sms) => void);

export interface SmsServer {
  url: string;
  /** Every text that arrived, accepted or not. */
  received: Sms[];
  /** Those that were accepted. */
  accepted: Sms[];
  to(phone: string): string[];
  react(reaction: SmsReaction): void;
  close(): Promise<void>;
}

export const AT_KEY = 'the-api-key-of-africas-talking';
export const SENT = 101;

export async function smsServer(): Promise<SmsServer> {
  let reaction: SmsReaction = SENT;
  const [received, accepted]: [Sms[], Sms[]] = [[], []];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    if (request.headers.apikey !== AT_KEY || form.get('username') !== 'kissi') {
      return void response.writeHead(401).end('The supplied authentication is invalid');
    }
    assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded');
    const sms = { to: form.get('to') ?? '', message: form.get('message') ?? '', from: form.get('from') ?? undefined };
    received.push(sms);
    const now = reaction;
    if (typeof now === 'function') return now(response, sms);
    if (now <= 102) accepted.push(sms);
    reply(response, sms, now);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/version1/messaging`,
    received,
    accepted,
    to: (phone) => accepted.filter(({ to }) => to === phone).map(({ message }) => message),
    react(next) {
      reaction = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** As Africa's Talking answers: the request is accepted, and each number has a code of its own. */
export function reply(response: ServerResponse, { to }: Sms, code: number): void {
  const isSent = code <= 102;
  const recipient = { statusCode: code, number: to, status: isSent ? 'Success' : 'Failed', cost: 'SLE 0.3000' };
  const recipients = [{ ...recipient, messageId: isSent ? 'ATXid_1' : 'None' }];
  const data = { Message: `Sent to ${isSent ? 1 : 0}/1 Total Cost: SLE 0.3000`, Recipients: recipients };
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ SMSMessageData: data }));
}

export function smsSettings({ url }: SmsServer, settings: Environment = {}): Environment {
  return {
    NOTICES: 'all',
    SMS_PROVIDER: 'africastalking',
    SMS_URL: url,
    SMS_USERNAME: 'kissi',
    SMS_SECRET: AT_KEY,
    ...settings,
  };
}
