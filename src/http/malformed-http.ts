// What is not HTTP, or never becomes a whole request, has no request to answer to: a bare reply, and the connection ends.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuse } from '../kernel/refusal.ts';
import { legacyEnvelope } from './envelope.ts';

/** How it is answered, by what Node says of it. */
const ANSWERS: Record<string, { status: string; sentence: string }> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', sentence: 'The headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', sentence: 'The request did not arrive in time.' },
};
const LAST_WORDS_MS = 5_000;
const OTHERWISE = { status: '400 Bad Request', sentence: 'The request is not valid HTTP.' };

/** Whoever stopped in the middle of a body is told, and not waited for. */
export function endLate({ socket }: IncomingMessage): void {
  answerBrokenHttp(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  socket.destroySoon();
}

export function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // The client would take this for the answer to the request before, which may be a payment that is being made.
  const before = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  if (before?.req.complete) return void before.once('finish', () => socket.destroySoon());
  const { status, sentence } = ANSWERS[error.code ?? ''] ?? OTHERWISE;
  const body = JSON.stringify(legacyEnvelope.refusal(refuse('INVALID_REQUEST', sentence)));
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close`;
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  // Not at once, since what is still being sent would make the answer unreadable; and not never, whatever the other side does.
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
}
