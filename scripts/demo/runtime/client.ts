// HTTP client of the demo: bearer requests, signed requests of terminals and banks, and sessions of staff.
import { Agent, request } from 'node:http';
import { bearer, type Headers, type Key, type Sign } from '@kissi/testkit/signing';
import { type Clock, MINUTE_MS } from '../../../src/kernel/clock.ts';

/** Parsed JSON whose fields the demo reads without type checks. */
export type Json = ReturnType<typeof JSON.parse>;

export interface DemoReply {
  status: number;
  json: Json;
}

export type SigningKey = Key;

export interface Client {
  /** The path is relative to /api/v1. */
  call(method: string, path: string, options?: { token?: string; body?: unknown }): Promise<DemoReply>;
  upload(path: string, token: string, file: UploadedFile): Promise<DemoReply>;
  /** As terminals, apps and partner banks do. The path has its prefix. */
  postSigned(sign: Sign, path: string, body: unknown): Promise<DemoReply>;
  close(): void;
}

export interface UploadedFile {
  mediaType: string;
  text: string;
}

const PREFIX = '/api/v1';
const CONNECTIONS = 64;

export function createClient(address: string, clock: Clock): Client {
  const { hostname, port } = new URL(address);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  function send(method: string, path: string, text: string, headers: Headers): Promise<DemoReply> {
    const content =
      text === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const options = { host: hostname, port, agent, method, path, headers: { ...content, ...headers } };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const received = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, json: received === '' ? null : JSON.parse(received) });
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }

  return {
    call(method, path, { token, body } = {}) {
      const text = body === undefined ? '' : JSON.stringify(body);
      return send(method, PREFIX + path, text, token ? bearer(token)() : {});
    },
    upload: (path, token, { mediaType, text }) =>
      send('POST', PREFIX + path, text, { ...bearer(token)(), 'content-type': mediaType }),
    postSigned(sign, path, body) {
      const text = JSON.stringify(body);
      return send('POST', path, text, sign(path, text, clock.now()));
    },
    close: () => agent.destroy(),
  };
}

/** A request that the demo expects to succeed. */
export async function must(reply: Promise<DemoReply>, what: string): Promise<Json> {
  const { status, json } = await reply;
  if (status < 200 || status >= 300) throw new Error(`${what}: ${status} ${JSON.stringify(json)}`);
  return json;
}

export interface Login {
  email: string;
  password: string;
}

export interface Session {
  call(method: string, path: string, body?: unknown): Promise<DemoReply>;
  upload(path: string, file: UploadedFile): Promise<DemoReply>;
}

/** Access tokens are valid for 15 minutes, refresh tokens for 7 days. */
const TOKEN_MS = 14 * MINUTE_MS;

/** Logs in at the first call. Later it refreshes its tokens, which takes no password hash, and logs in after a long break. */
export function createSession(client: Client, clock: Clock, login: Login): Session {
  let tokens: { token: string; refreshToken: string; at: number } | null = null;
  let opening: Promise<string> | null = null;

  async function open(): Promise<string> {
    const refreshed =
      tokens && (await client.call('POST', '/admin/refresh', { body: refreshBody(tokens.refreshToken) }));
    const json = refreshed?.status === 200 ? refreshed.json : await logIn();
    tokens = { token: json.token, refreshToken: json.refresh_token, at: clock.now() };
    return tokens.token;
  }

  const logIn = () => must(client.call('POST', '/admin/login', { body: login }), `login of ${login.email}`);

  async function token(): Promise<string> {
    if (tokens && clock.now() - tokens.at < TOKEN_MS) return tokens.token;
    opening ??= open().finally(() => {
      opening = null;
    });
    return opening;
  }

  return {
    async call(method, path, body) {
      return client.call(method, path, { token: await token(), ...(body === undefined ? {} : { body }) });
    },
    async upload(path, file) {
      return client.upload(path, await token(), file);
    },
  };
}

const refreshBody = (refreshToken: string) => ({ refresh_token: refreshToken });
