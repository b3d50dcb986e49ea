// A webhook receiver with configurable behaviour, and helpers that commit and deliver events.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { signOutboundWebhook } from '@kissi/signatures/node';
import type { Clock } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Order } from '../../src/ledger/posting/ledger.ts';
import { type CreditCompleted, type CreditEvent, type DeliveryRow, webhookRows } from '../../src/webhooks/event.ts';
import { assertStatus, type Json, type TestGateway } from '../support/gateway.ts';
import { TEST_ACTOR } from '../support/ledger.ts';

export interface Received {
  id: string;
  headers: IncomingMessage['headers'];
  raw: Buffer;
  json: Json;
}

export type Behaviour = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

export interface Receiver {
  url: string;
  received: Received[];
  /** Replaces the behaviour for later requests. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export const acknowledge: Behaviour = (response) => void response.writeHead(200).end('{"ok":true}');
export const answering =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end();
export const hang: Behaviour = () => undefined;

export async function receiver(behaviour: Behaviour = acknowledge): Promise<Receiver> {
  let current = behaviour;
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    const id = String(request.headers['x-hook-event-id']);
    const hook = { id, headers: request.headers, raw, json: JSON.parse(raw.toString()) };
    received.push(hook);
    current(response, hook, request);
  });
  // unref(): the server must not keep a failed test's process alive.
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?tenant=7`,
    received,
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

/** A TCP server for replies that are not valid HTTP or arrive byte by byte. */
export async function rawReceiver(
  onConnection: (socket: Socket) => void,
): Promise<{ url: string; connections(): number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface TestPartner {
  id: string;
  webhook_url: string | null;
  secret: string;
}

/** Creates a partner through the API. */
export async function partnerAt(kissi: TestGateway, webhook_url: string | null): Promise<TestPartner> {
  const body = { name: 'Hooked Bank', webhook_url };
  const reply = await kissi.asAdmin.post('/admin/partners', body);
  assert.equal(reply.status, 201, reply.text);
  return { id: reply.json.partner.id, webhook_url, secret: reply.json.webhook_secret };
}

export async function changePartner(kissi: TestGateway, { id }: TestPartner, body: object): Promise<void> {
  assertStatus(await kissi.asAdmin.put(`/admin/partners/${id}`, body), 200);
}

let references = 0;

export function completed(partner: TestPartner, extra: Partial<CreditCompleted> = {}): CreditCompleted {
  return {
    event: 'credit.completed',
    partner,
    reference: `REF-${++references}`,
    inboundId: newId('inb'),
    amount: 12_500,
    fee: 0,
    currency: 'SLE',
    subscriberId: newId('sub'),
    transactionId: newId('txn'),
    occurredAt: Date.parse('2026-03-01T11:59:59.123Z'),
    ...extra,
  };
}

/** Commits an event as an inbound credit does; returns its id, or an empty string if there is none. */
export async function commitEvent(kissi: TestGateway, event: CreditEvent): Promise<string> {
  const { queries } = kissi.db.database;
  for (const { row } of webhookRows(event, kissi.clock)) {
    await queries
      .insertInto('webhook_deliveries')
      .values(row as DeliveryRow)
      .execute();
  }
  const rows = queries
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('reference', '=', event.reference)
    .where('event', '=', event.event);
  return (await rows.orderBy('id', 'desc').executeTakeFirst())?.id ?? '';
}

/** A ledger order for a credit, with its event. */
export function creditOrder(event: CreditCompleted, clock: Clock): Order {
  const { partner, reference, amount, transactionId: id, subscriberId } = event;
  const walletId = subscriberId ?? '';
  const legs = [
    { accountId: partner.id, amount: -amount },
    { accountId: walletId, amount },
  ];
  return {
    movement: {
      ...{ id, type: 'inbound_credit', fromAccount: partner.id, toAccount: walletId, amount, fee: 0, legs },
      request: { scope: partner.id, id: reference, hash: '00'.repeat(32) },
      ...{
        reference,
        narration: null,
        metadata: null,
        relatedId: null,
        details: {},
        actor: TEST_ACTOR,
      },
    },
    onPosted: () => ({ reply: '{}', rows: webhookRows(event, clock) }),
  };
}

/** Attempts all due deliveries and waits until they end. */
export async function deliver(kissi: TestGateway): Promise<void> {
  await kissi.gateway.services.webhooks.deliver();
  await kissi.gateway.services.webhooks.settled();
}

export async function deliveryOf(kissi: TestGateway, id: string): Promise<Json> {
  const { queries } = kissi.db.database;
  const row = await queries.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const made = queries.selectFrom('webhook_attempts').selectAll().where('delivery_id', '=', id).orderBy('number');
  return { ...row, made: await made.execute() };
}

export function assertSigned({ headers, raw }: Received, secret: string): void {
  const timestamp = String(headers['x-hook-timestamp']);
  assert.equal(headers['x-hook-signature'], signOutboundWebhook(secret, timestamp, raw));
}
