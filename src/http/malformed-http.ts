// Replies to malformed or incomplete HTTP: written to the socket, which is then closed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuse } from '../kernel/refusal.ts';
import { legacyEnvelope } from './envelope.ts';

/** By Node's error code. */
const REPLIES: Record<string, { status: string; sentence: string }> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', sentence: 'The headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', sentence: 'The request did not arrive in time.' },
};
const CLOSE_AFTER_MS = 5_000;
const BAD_REQUEST = { status: '400 Bad Request', sentence: 'The request is not valid HTTP.' };

/** Replies 408 to a body that stopped arriving, and closes the connection. */
export function rejectLateBody({ socket }: IncomingMessage): void {
  replyToMalformedHttp(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  socket.destroySoon();
}

export function replyToMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // While an earlier request of this connection is being served, the client would take this for its reply.
  const before = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  if (before?.req.complete) return void before.once('finish', () => socket.destroySoon());
  const { status, sentence } = REPLIES[error.code ?? ''] ?? BAD_REQUEST;
  const body = JSON.stringify(legacyEnvelope.refusal(refuse('INVALID_REQUEST', sentence)));
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close`;
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  // Closing at once would reset the connection before the client reads the reply; never closing would let it stay open.
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}
