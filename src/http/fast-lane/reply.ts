// The reply to a request on the fast lane, byte for byte as Fastify and node:http would send it.
import { STATUS_CODES, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND_MS } from '../../kernel/clock.ts';
import { SECURITY_HEADERS } from '../envelope.ts';
import type { ReplyHeaders } from '../served-request.ts';

const SECURITY_TEXT = headersText(SECURITY_HEADERS);

export class LaneReply implements ReplyHeaders {
  status = 200;
  /** The connection is closed instead of sending the reply. */
  cutsConnection = false;
  /** The first headers: those of every reply, until one of them is changed. */
  private first = SECURITY_TEXT;
  private values: Record<string, string | string[]>;

  constructor(requestId: string) {
    this.values = { 'x-request-id': requestId };
  }

  header(name: string, value: string | string[]): void {
    if (typeof value === 'string') validateHeaderValue(name, value);
    else for (const each of value) validateHeaderValue(name, each);
    const lowerCase = name.toLowerCase();
    if (this.first !== '' && Object.hasOwn(SECURITY_HEADERS, lowerCase)) {
      this.first = '';
      this.values = { ...SECURITY_HEADERS, ...this.values };
    }
    this.values[lowerCase] = value;
  }

  headers(values: Record<string, string | string[]>): void {
    for (const name in values) this.header(name, values[name] as string | string[]);
  }

  /** `keepAlive`: the headers of a connection that stays open; null: it is closed after the reply. */
  sendTo(socket: Socket, json: string, keepAlive: string | null): void {
    const bytes = Buffer.byteLength(json);
    // Headers are ASCII. One byte per character is the fastest encoding.
    socket.write(`${this.head(bytes, keepAlive)}${json}`, bytes === json.length ? 'latin1' : 'utf8');
  }

  private head(bytes: number, keepAlive: string | null): string {
    let head = `HTTP/1.1 ${this.status} ${STATUS_CODES[this.status]}\r\n${this.first}${headersText(this.values)}`;
    head += 'content-type: application/json; charset=utf-8\r\n';
    if (keepAlive === null) head += 'connection: close\r\n';
    return `${head}content-length: ${bytes}\r\nDate: ${httpDate()}\r\n${keepAlive ?? ''}\r\n`;
  }
}

function headersText(values: Record<string, string | string[]>): string {
  let text = '';
  for (const name in values) {
    const value = values[name] as string | string[];
    if (typeof value === 'string') text += `${name}: ${value}\r\n`;
    else for (const each of value) text += `${name}: ${each}\r\n`;
  }
  return text;
}

export function keepAliveHeaders(timeoutMs: number): string {
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(timeoutMs / SECOND_MS)}\r\n`;
}

let dateSecond = 0;
let date = '';

function httpDate(): string {
  const now = Date.now();
  const second = Math.floor(now / SECOND_MS);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(now).toUTCString();
  }
  return date;
}
