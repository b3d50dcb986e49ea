// A raw HTTP client that sends arbitrary bytes, including malformed requests, and parses the replies.
import { connect, type Socket } from 'node:net';

export interface WireRequest {
  method: string;
  /** Sent unchanged, one byte per character. */
  target: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** Do not add Host and Content-Length. */
  bare?: true;
}

export interface WireReply {
  status: number;
  /** The status line and the headers as sent. */
  head: string;
  headers: Map<string, string>;
  body: Buffer;
}

/** 'closed': the connection ended without a reply. 'timeout': no reply within REPLY_TIMEOUT_MS. */
export type Outcome = WireReply | 'closed' | 'timeout';

/** Generous: a loaded machine is twenty times slower. */
export const REPLY_TIMEOUT_MS = 120_000;

export function bytesOf({ method, target, headers, body, bare }: WireRequest, host: string): Buffer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const framed = names.has('content-length') || names.has('transfer-encoding');
  const added = bare ? [] : [`host: ${host}`];
  if (!bare && !framed && (body.length > 0 || method === 'POST' || method === 'PUT')) {
    added.push(`content-length: ${body.length}`);
  }
  const head = [`${method} ${target} HTTP/1.1`, ...added, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** One connection, one request at a time; reconnects when the server has closed the connection. */
export class Wire {
  private readonly host: string;
  private readonly port: number;
  private socket: Socket | null = null;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.host = hostname;
    this.port = Number(port);
  }

  async send(request: WireRequest): Promise<Outcome> {
    const socket = await this.open();
    const isHead = request.method === 'HEAD';
    const bytes = bytesOf(request, `${this.host}:${this.port}`);
    const outcome = await new Promise<Outcome>((resolve) => {
      let received: Buffer = Buffer.alloc(0);
      const timer = setTimeout(() => settle('timeout'), REPLY_TIMEOUT_MS);
      const settle = (result: Outcome) => {
        clearTimeout(timer);
        socket.removeAllListeners('data').removeAllListeners('close');
        resolve(result);
      };
      socket.on('close', () => settle(readReply(received, { isHead, ended: true }) ?? 'closed'));
      socket.on('data', (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const reply = readReply(received, { isHead, ended: false });
        if (reply) settle(reply);
      });
      socket.write(bytes);
    });
    if (typeof outcome === 'string' || outcome.headers.get('connection') === 'close') this.close();
    return outcome;
  }

  close(): void {
    this.socket?.destroy();
    this.socket = null;
  }

  private async open(): Promise<Socket> {
    if (this.socket && !this.socket.destroyed && this.socket.writable) return this.socket;
    const socket = connect({ host: this.host, port: this.port, noDelay: true });
    // A write error is followed by 'close', which settles the request.
    socket.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    this.socket = socket;
    return socket;
  }
}

interface ReadOptions {
  isHead: boolean;
  /** The connection has ended. */
  ended: boolean;
}

/** Returns null while the reply is incomplete. */
function readReply(received: Buffer, options: ReadOptions): WireReply | null {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  const rest = received.subarray(end + 4);
  // Skip informational replies such as 100 Continue.
  if (status < 200) return readReply(rest, options);
  const headers = new Map(lines.map((line) => [nameOf(line), line.slice(line.indexOf(':') + 1).trim()]));
  const body =
    options.isHead || status === 204 || status === 304 ? Buffer.alloc(0) : readBody(rest, headers, options.ended);
  return body && { status, head: received.toString('latin1', 0, end), headers, body };
}

const nameOf = (line: string) => line.slice(0, line.indexOf(':')).toLowerCase();

function readBody(rest: Buffer, headers: Map<string, string>, ended: boolean): Buffer | null {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest);
  const length = headers.get('content-length');
  if (length === undefined) return ended ? rest : null;
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : null;
}

function readChunks(rest: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    const begin = lineEnd + 2;
    if (rest.length < begin + size + 2) return null;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(begin, begin + size));
    at = begin + size + 2;
  }
}
