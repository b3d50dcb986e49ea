// The session of the user. The access token stays in memory; the refresh token is in a cookie that scripts cannot read.
import { type GetCurrentUserResponse, Kissi, type KissiError } from '@kissi/client';
import { setTimeZone } from '../format/time.ts';
import { createStore } from './store.ts';

export type CurrentUser = GetCurrentUserResponse;

export type SessionState =
  | { kind: 'starting' }
  /** `ended`: the service ended the session, or another tab logged out. */
  | { kind: 'out'; ended: boolean }
  | { kind: 'in'; user: CurrentUser }
  /** The page stays as it is behind the lock, so that nothing typed is lost. */
  | { kind: 'locked'; user: CurrentUser };

export type SecondFactorAnswer = { code: string } | { assertion: unknown };

const RENEW_BEFORE_MS = 30_000;
const baseUrl = globalThis.location?.origin ?? 'http://localhost';

let token: { value: string; expiresAt: number } | null = null;
let renewal: Promise<boolean> | null = null;

const anonymous = new Kissi({ baseUrl, maxRetries: 1 });
export const session = createStore<SessionState>({ kind: 'starting' });
/** Tells the other tabs of this browser that the user logged out. */
const tabs = new BroadcastChannel('kissi-session');

/** The client of all screens. */
export const kissi = new Kissi({ baseUrl, maxRetries: 2, tokenSource: { accessToken, renew } });

async function accessToken(): Promise<string> {
  if (!token || Date.now() > token.expiresAt - RENEW_BEFORE_MS) await renew();
  return token?.value ?? '';
}

/** Parallel calls share one renewal. False if the session has ended. */
function renew(): Promise<boolean> {
  renewal ??= requestToken().finally(() => {
    renewal = null;
  });
  return renewal;
}

async function requestToken(): Promise<boolean> {
  if (session.get().kind === 'locked') return false;
  try {
    keep(await anonymous.consoleSession.refresh());
    return true;
  } catch (error) {
    if ((error as KissiError).code !== 'UNAUTHORIZED') throw error;
    token = null;
    if (session.get().kind === 'in') session.set({ kind: 'out', ended: true });
    return false;
  }
}

function keep({ token: value, expires_in }: { token: string; expires_in: number }): void {
  token = { value, expiresAt: Date.now() + expires_in * 1000 };
  localStorage.setItem(KNOWN_AS, '1');
}

/** Not a secret: spares a visitor without a session the refused request, which browsers show as an error. */
const KNOWN_AS = 'kissi-session';

/** After the page was loaded: continues the session of the cookie, if there is one. */
export async function resumeSession(): Promise<void> {
  const resumed = localStorage.getItem(KNOWN_AS) !== null && (await renew().catch(() => false));
  if (resumed) await enter();
  else session.set({ kind: 'out', ended: false });
}

/** Throws the refusal of the service; SECOND_FACTOR_REQUIRED has the challenge in its fields. */
export async function logIn(email: string, password: string): Promise<void> {
  keep(await anonymous.consoleSession.start({ email, password }));
  await enter();
}

export async function finishLogin(challenge: string, answer: SecondFactorAnswer): Promise<void> {
  keep(await anonymous.consoleSession.finishLogin({ challenge, ...answer } as never));
  await enter();
}

async function enter(): Promise<void> {
  const user = await kissi.session.currentUser();
  setTimeZone(user.service.time_zone);
  session.set({ kind: 'in', user });
}

/** After the user changed something about the own account. */
export const reloadUser = enter;

export async function logOut({ everywhere = false } = {}): Promise<void> {
  await anonymous.consoleSession.end({ everywhere }).catch(() => undefined);
  token = null;
  localStorage.removeItem(KNOWN_AS);
  tabs.postMessage('out');
  session.set({ kind: 'out', ended: false });
}

/** Ends the session at the service too, so that loading the page again does not open it. */
export async function lock(): Promise<void> {
  const state = session.get();
  if (state.kind !== 'in') return;
  token = null;
  localStorage.removeItem(KNOWN_AS);
  session.set({ kind: 'locked', user: state.user });
  await anonymous.consoleSession.end({}).catch(() => undefined);
}

tabs.onmessage = () => {
  token = null;
  if (session.get().kind !== 'starting') session.set({ kind: 'out', ended: true });
};
