// A merchant with terminals, a login and webhook endpoints, for the tests of this folder.
import assert from 'node:assert/strict';
import { assertStatus, type CallReply, type Json, type TestGateway } from '../../support/gateway.ts';
import type { Bank } from '../../support/money.ts';
import { directPayments, type Merchant, merchantToken } from '../../support/processors.ts';
import { type Terminal, terminalOf } from '../../support/terminal.ts';
import { deliver, type Received, type Receiver } from '../../webhooks/receiver.ts';

export interface Endpoint {
  id: string;
  secret: string;
}

export interface Shop {
  merchant: Merchant;
  terminal: Terminal;
  token: string;
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<CallReply>;
  endpoint(url: string, events: string[]): Promise<Endpoint>;
}

/** With a balance, a bank account, and a terminal whose key belongs to the merchant. */
export async function newShop(kissi: TestGateway, bank: Bank): Promise<Shop> {
  const merchant = await directPayments(kissi, bank).fundedMerchant(100_000);
  const terminal = await terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
  const token = await merchantToken(kissi, merchant);
  const call: Shop['call'] = (method, path, body) =>
    kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
  return {
    merchant,
    terminal,
    token,
    call,
    async endpoint(url, events) {
      const { json } = assertStatus(await call('POST', '/webhook-endpoints', { url, events }), 201);
      return { id: json.webhook_endpoint.id, secret: json.secret };
    },
  };
}

/** What arrived since the last call, after all due deliveries were attempted. */
export async function arrived(kissi: TestGateway, at: Receiver): Promise<Received[]> {
  await deliver(kissi);
  return at.received.splice(0);
}

/** The only event that arrived; its envelope is checked. */
export async function onlyEvent(kissi: TestGateway, at: Receiver, type: string): Promise<Json> {
  const [received, ...more] = await arrived(kissi, at);
  assert.ok(received, `no ${type} arrived`);
  assert.deepEqual(more, []);
  const { id, headers, json } = received;
  assert.equal(headers['x-hook-event'], type);
  assert.deepEqual(Object.keys(json), ['id', 'type', 'created_at', 'data']);
  assert.deepEqual([json.id, json.type, Object.keys(json.data)], [id, type, ['object']]);
  return json.data.object;
}
