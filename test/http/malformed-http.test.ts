// Invalid HTTP after a valid request: the request is executed and the client reads its reply.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { bankForFile, PIN } from '../support/money.ts';

const { kissi, bank } = await bankForFile();

async function exchange(text: string): Promise<string> {
  const { hostname, port } = new URL(kissi.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('a payment followed by garbage is posted and answered, and the connection is closed', async () => {
  const [from, to] = [await bank.wallet(10_000), await bank.wallet()];
  const body = JSON.stringify({
    sender_id: from.id,
    recipient_id: to.id,
    amount: 700,
    pin: PIN,
    request_id: 'garbage-1',
  });
  const head = [
    'POST /api/v1/wallet/transfer HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${bank.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ].join('\r\n');
  const answer = await exchange(`${head}\r\n\r\n${body}garbage here\r\n\r\n`);
  assert.match(answer, /^HTTP\/1.1 200 OK\r\n/);
  assert.equal(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').request_id, 'garbage-1');
  assert.equal(await bank.balance(to.id), 700);
});

test('garbage alone is answered with 400, and the connection is closed', async () => {
  const answer = await exchange('garbage here\r\n\r\n');
  assert.match(answer, /^HTTP\/1.1 400 Bad Request\r\n/);
  assert.equal(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').code, 'INVALID_REQUEST');
});
