// Test doubles of the messaging platform and the agent service: HTTP servers with replaceable handlers, and webhook payloads.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as signing from '@kissi/testkit/signing';
import type { CallReply, Json, TestGateway } from './gateway.ts';

export const APP_SECRET = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
export const WEBHOOK = '/webhooks/messaging';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  json: Json;
}

export type Handler = (response: ServerResponse, request: ReceivedRequest) => void;

export interface FakeServer {
  url: string;
  requests: ReceivedRequest[];
  setHandler(handler: Handler): void;
  close(): Promise<void>;
}

export const respond =
  (status: number, body: unknown = {}): Handler =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
export const neverRespond: Handler = () => undefined;
/** The platform's reply to a message that it accepts. */
export const acceptMessage = respond(200, { messaging_product: 'whatsapp', messages: [{ id: 'wamid.out' }] });

export async function fakeServer(path: string, initialHandler: Handler): Promise<FakeServer> {
  let handler = initialHandler;
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const received = { method, path: url, headers, json: JSON.parse(Buffer.concat(chunks).toString() || 'null') };
    requests.push(received);
    handler(response, received);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    requests,
    setHandler(next) {
      handler = next;
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

export interface TestMessage {
  id?: string;
  /** In E.164 format. */
  phone: string;
  text?: string;
  /** Content fields that replace the text. */
  content?: Record<string, unknown>;
}

/** A message in the platform's format. */
export function messageObject({
  id = newMessageId(),
  phone,
  text = 'Hello',
  content,
}: TestMessage): Record<string, unknown> {
  const fields = content ?? { type: 'text', text: { body: text } };
  return { from: phone.slice(1), id, timestamp: '1772366400', ...fields };
}

/** A webhook payload of the platform with one change of field `messages` per value. */
export function webhookPayload(...values: Record<string, unknown>[]): Record<string, unknown> {
  const metadata = { display_phone_number: '23288000000', phone_number_id: '106540352242922' };
  const changes = values.map((value) => ({
    field: 'messages',
    value: { messaging_product: 'whatsapp', metadata, ...value },
  }));
  return { object: 'whatsapp_business_account', entry: [{ id: '102290129340398', changes }] };
}

export function hubHeaders(raw: string, secret = APP_SECRET): Record<string, string> {
  return signing.hubHeaders(secret, raw);
}

/** Posts a payload with the platform's signature. */
export function postWebhook(kissi: TestGateway, payload: unknown, path = WEBHOOK): Promise<CallReply> {
  const raw = JSON.stringify(payload);
  return kissi.call('POST', path, { raw, headers: hubHeaders(raw) });
}

export const receiveMessages = (kissi: TestGateway, ...messages: TestMessage[]) =>
  postWebhook(kissi, webhookPayload({ messages: messages.map(messageObject) }));

/** Answers all pending messages and sends all answers that are due. */
export async function processQueues(kissi: TestGateway): Promise<void> {
  const { conversations, messaging } = kissi.gateway.services;
  await conversations.deliver();
  await conversations.settled();
  await messaging.deliver();
  await messaging.settled();
}
