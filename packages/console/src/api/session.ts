// The session of the user. The access token stays in memory; the refresh token is in a cookie that scripts cannot read.
import { type GetCurrentUserResponse, Kissi, type KissiError } from '@kissi/client';
import { setTimeZone } from '../format/time.ts';
import { createStore } from './store.ts';

export type CurrentUser = GetCurrentUserResponse;

export type SessionState =
  | { kind: 'starting' }
  /** `ended`: the service ended the session, or another tab logged out. */
  | { kind: 'out'; ended: boolean }
  | { kind: 'in'; user: CurrentUser; restriction?: Restriction }
  /** The page stays as it is behind the lock, so that nothing typed is lost. */
  | { kind: 'locked'; user: CurrentUser };

const RESTRICTIONS = ['PASSWORD_CHANGE_REQUIRED', 'SECOND_FACTOR_ENROLMENT_REQUIRED'] as const;
/** What the user has to do before the service admits anything else. */
export type Restriction = (typeof RESTRICTIONS)[number];

export type SecondFactorAnswer = { code: string } | { assertion: unknown };

const RENEW_BEFORE_MS = 30_000;
const baseUrl = globalThis.location?.origin ?? 'http://localhost';

let token: { value: string; expiresAt: number } | null = null;
let renewal: Promise<boolean> | null = null;

const anonymous = new Kissi({ baseUrl, maxRetries: 1 });
export const session = createStore<SessionState>({ kind: 'starting' });
/** The tabs of a browser share one cookie, so they tell each other who logged in, locked or logged out. */
const tabs = new BroadcastChannel('kissi-session');
type TabMessage = { kind: 'in'; userId: string } | { kind: 'locked' } | { kind: 'out' };
const tellTabs = (message: TabMessage) => tabs.postMessage(message);

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
  if (resumed) await enter().catch(() => session.set({ kind: 'out', ended: false }));
  else session.set({ kind: 'out', ended: false });
}

/** Throws the refusal of the service; SECOND_FACTOR_REQUIRED has the challenge in its fields. */
export async function logIn(email: string, password: string): Promise<void> {
  keep(await anonymous.consoleSession.start({ email, password }));
  await enterNew();
}

export async function finishLogin(challenge: string, answer: SecondFactorAnswer): Promise<void> {
  keep(await anonymous.consoleSession.finishLogin({ challenge, ...answer } as never));
  await enterNew();
}

async function enterNew(): Promise<void> {
  await enter();
  const state = session.get();
  if (state.kind === 'in') tellTabs({ kind: 'in', userId: state.user.id });
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
  forget();
  tellTabs({ kind: 'out' });
  session.set({ kind: 'out', ended: false });
}

/** After a change that ended all sessions of the user, such as the first second factor. */
export function leaveEndedSession(): void {
  forget();
  session.set({ kind: 'out', ended: true });
}

function forget(): void {
  token = null;
  localStorage.removeItem(KNOWN_AS);
}

/** The service refuses everything but the own account until the user has changed the password or enrolled a factor. */
export function noteRestriction(error: unknown): void {
  const restriction = RESTRICTIONS.find((code) => code === (error as KissiError | null)?.code);
  const state = session.get();
  if (restriction && state.kind === 'in' && state.restriction !== restriction) session.set({ ...state, restriction });
}

/** Ends the session at the service too, so that loading the page again does not open it. */
export async function lock(): Promise<void> {
  if (!showLock()) return;
  tellTabs({ kind: 'locked' });
  await anonymous.consoleSession.end({}).catch(() => undefined);
}

function showLock(): boolean {
  const state = session.get();
  if (state.kind !== 'in') return false;
  forget();
  session.set({ kind: 'locked', user: state.user });
  return true;
}

tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
  const state = session.get();
  if (data.kind === 'locked') showLock();
  else if (data.kind === 'out') leaveInThisTab();
  else if (state.kind === 'locked' && state.user.id === data.userId) session.set({ kind: 'in', user: state.user });
  // The cookie now belongs to another user, and this tab must not act in that name.
  else if ((state.kind === 'in' || state.kind === 'locked') && state.user.id !== data.userId) leaveInThisTab();
};

function leaveInThisTab(): void {
  token = null;
  if (session.get().kind !== 'starting') session.set({ kind: 'out', ended: true });
}
