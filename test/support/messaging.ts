// The messaging platform and the agent service for tests: two HTTP servers that do as they are told, and what the platform posts.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallReply, Json, TestGateway } from './gateway.ts';

export const APP_SECRET = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
export const WEBHOOK = '/webhooks/messaging';

export interface Heard {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  json: Json;
}

export type Behaviour = (response: ServerResponse, heard: Heard) => void;

export interface FakeServer {
  url: string;
  heard: Heard[];
  /** What it does from now on. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export const answering =
  (status: number, body: unknown = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
export const hang: Behaviour = () => undefined;
/** What the platform says to a message that it takes. */
export const taken = answering(200, { messaging_product: 'whatsapp', messages: [{ id: 'wamid.out' }] });

export async function fakeServer(path: string, behaviour: Behaviour): Promise<FakeServer> {
  let current = behaviour;
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, json: JSON.parse(Buffer.concat(chunks).toString() || 'null') };
    heard.push(one);
    current(response, one);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    heard,
    behave(next) {
      current = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let ids = 0;
export const newMessageId = () => `wamid.HBgL${++ids}==`;

export interface Written {
  id?: string;
  /** E.164. */
  phone: string;
  text?: string;
  /** Instead of a text. */
  other?: Record<string, unknown>;
}

/** One message as the platform describes it. */
export function messageOf({ id = newMessageId(), phone, text = 'Hello', other }: Written): Record<string, unknown> {
  const content = other ?? { type: 'text', text: { body: text } };
  return { from: phone.slice(1), id, timestamp: '1772366400', ...content };
}

/** The whole of what the platform posts, of these values of changes of messages. */
export function payloadOf(...values: Record<string, unknown>[]): Record<string, unknown> {
  const metadata = { display_phone_number: '23288000000', phone_number_id: '106540352242922' };
  const changes = values.map((value) => ({
    field: 'messages',
    value: { messaging_product: 'whatsapp', metadata, ...value },
  }));
  return { object: 'whatsapp_business_account', entry: [{ id: '102290129340398', changes }] };
}

export function hubHeaders(raw: string, secret = APP_SECRET): Record<string, string> {
  return { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}` };
}

/** Posted as the platform does, signed. */
export function post(kissi: TestGateway, payload: unknown, path = WEBHOOK): Promise<CallReply> {
  const raw = JSON.stringify(payload);
  return kissi.call('POST', path, { raw, headers: hubHeaders(raw) });
}

export const write = (kissi: TestGateway, ...messages: Written[]) =>
  post(kissi, payloadOf({ messages: messages.map(messageOf) }));

/** Everything that waits is answered, and every answer that is due is sent. */
export async function settle(kissi: TestGateway): Promise<void> {
  const { conversations, messaging } = kissi.gateway.services;
  await conversations.deliver();
  await conversations.settled();
  await messaging.deliver();
  await messaging.settled();
}
