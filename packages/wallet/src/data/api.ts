// Calls the service: JSON with the access token, a time limit, and two ways to fail.

/** The service answered, and says no. */
export class Refused extends Error {
  readonly code: string;
  readonly status: number;
  /** What the refusal says besides its code and message. */
  readonly fields: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(String(body.error ?? body.message ?? status));
    this.code = String(body.code ?? '');
    this.status = status;
    this.fields = body;
  }
}

/** No reply, or none of the service: whether it did anything is not known. */
export class Lost extends Error {}

const API = '/api/v1';
/** A small request over 2G that has to wait for the radio takes up to ten seconds. */
const TIMEOUT_MS = 30_000;
/** Renewed a little early, so that a slow request does not arrive too late. */
const EARLY_MS = 20_000;

export interface Tokens {
  token: string;
  refresh_token: string;
  expires_in: number;
}

/** In memory only: a closed page has logged out. */
let session: { access: string; refresh: string; endsAt: number } | null = null;
let renewal: Promise<void> | null = null;
let onEnd: () => void = () => undefined;

export function openSession({ token, refresh_token, expires_in }: Tokens): void {
  session = { access: token, refresh: refresh_token, endsAt: Date.now() + expires_in * 1_000 - EARLY_MS };
}

/** Returns the refresh token, with which the service ends the session too. */
export function closeSession(): string | null {
  const refresh = session?.refresh ?? null;
  session = null;
  return refresh;
}

/** `listener` runs when the service has ended the session. */
export function whenSessionEnds(listener: () => void): void {
  onEnd = listener;
}

/** How far the phone's clock is behind the service's. */
let behindMs = 0;

export const serviceTime = () => Date.now() + behindMs;

async function send(method: string, path: string, body?: object): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body) headers['content-type'] = 'application/json';
  if (session) headers.authorization = `Bearer ${session.access}`;
  const request = { method, headers, body: body ? JSON.stringify(body) : null, cache: 'no-store' as const };
  try {
    const reply = await fetch(API + path, { ...request, credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
    behindMs = (Date.parse(reply.headers.get('date') ?? '') || Date.now()) - Date.now();
    return reply;
  } catch {
    throw new Lost();
  }
}

async function checked(reply: Response): Promise<Response> {
  if (reply.ok) return reply;
  // A gateway that fails, or a proxy that lost it, does not say what became of the request.
  const body = await reply.json().catch(() => null);
  if (!body || reply.status >= 500) throw new Lost();
  throw new Refused(reply.status, body);
}

/** One at a time, because each refresh token works once. */
function renew(): Promise<void> {
  renewal ??= (async () => {
    const body = { refresh_token: session?.refresh };
    openSession(await (await checked(await send('POST', '/me/refresh', body))).json());
  })().finally(() => {
    renewal = null;
  });
  return renewal;
}

/** A request with the session. If its token was refused, nothing was done, and it is sent again with the next one. */
async function withSession(method: string, path: string, body?: object): Promise<Response> {
  if (session && Date.now() >= session.endsAt) await renew();
  const first = await send(method, path, body);
  if (!session || first.status !== 401) return checked(first);
  const refused = await checked(first.clone()).catch((error: unknown) => error);
  if (!(refused instanceof Refused) || refused.code !== 'UNAUTHORIZED') throw refused;
  await renew();
  return checked(await send(method, path, body));
}

async function call(method: string, path: string, body?: object): Promise<Response> {
  try {
    return await withSession(method, path, body);
  } catch (error) {
    if (session && error instanceof Refused && error.code === 'UNAUTHORIZED') {
      session = null;
      onEnd();
    }
    throw error;
  }
}

async function json<Reply>(method: string, path: string, body?: object): Promise<Reply> {
  const reply = await call(method, path, body);
  if (reply.status === 204) return undefined as Reply;
  return reply.json().catch(() => {
    throw new Lost();
  });
}

export const get = <Reply>(path: string) => json<Reply>('GET', path);
export const post = <Reply = unknown>(path: string, body: object = {}) => json<Reply>('POST', path, body);
export const put = <Reply = unknown>(path: string, body: object) => json<Reply>('PUT', path, body);
export const remove = (path: string) => json<void>('DELETE', path);
export const file = async (path: string) => (await call('GET', path)).blob();
