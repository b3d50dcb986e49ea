// The user's session. The access token stays in memory; the refresh token is in a cookie that scripts cannot read.
import { type GetCurrentUserResponse, Kissi, KissiConnectionError, KissiError } from '@kissi/client';
import { setTimeZone } from '../format/time.ts';
import { continueEnding, type EndRequest, endSession, isEnding, sendEnd, withCookie } from './session-end.ts';
import { createStore } from './store.ts';

export type CurrentUser = GetCurrentUserResponse;

export type SessionState =
  | { kind: 'starting'; isUnreachable?: true }
  /** `ended`: not by the user in this tab. */
  | { kind: 'out'; ended: boolean }
  | { kind: 'in'; user: CurrentUser; restriction?: Restriction }
  /**
   * The page stays as it is behind the lock, so that nothing typed is lost.
   * `ended`: by the service, not after idle minutes.
   */
  | { kind: 'locked'; user: CurrentUser; restriction?: Restriction; ended: boolean };

const RESTRICTIONS = ['PASSWORD_CHANGE_REQUIRED', 'SECOND_FACTOR_ENROLMENT_REQUIRED'] as const;
/** What the user has to do before the service admits anything else. */
export type Restriction = (typeof RESTRICTIONS)[number];

export type SecondFactorAnswer = { code: string } | { assertion: unknown };

const RENEW_BEFORE_MS = 30_000;
const baseUrl = globalThis.location?.origin ?? 'http://localhost';

let token: { value: string; expiresAt: number } | null = null;
let renewal: Promise<boolean> | null = null;
let lastUserId: string | null = null;

const anonymous = new Kissi({ baseUrl, maxRetries: 1 });
/** Before a login. */
export const recovery = anonymous.session;
/** Sent even if the page is closed before the reply. */
const closing = new Kissi({
  baseUrl,
  maxRetries: 0,
  fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
});
const end: EndRequest = (body) => closing.consoleSession.end(body);
export const session = createStore<SessionState>({ kind: 'starting' });
/** The tabs of a browser share one cookie, so they tell each other who logged in, locked or logged out. */
const tabs = new BroadcastChannel('kissi-session');
type TabMessage = { kind: 'in'; userId: string } | { kind: 'locked' } | { kind: 'out' };
const tellTabs = (message: TabMessage) => tabs.postMessage(message);

/** The client of all screens. */
export const kissi = new Kissi({ baseUrl, maxRetries: 2, tokenSource: { accessToken, renew } });

/** For payments: the form itself decides about each attempt. */
export const payingClient = new Kissi({ baseUrl, maxRetries: 0, tokenSource: { accessToken, renew } });

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
  if (!isActive()) return false;
  const reply = await withCookie(async () => (isEnding() ? null : anonymous.consoleSession.refresh().catch(noSession)));
  if (reply && isActive()) return isOwn(reply.token) ? keep(reply) : startOver();
  showLock({ ended: true });
  return false;
}

/** A tab that is locked or logged out must not use the cookie, which another tab may have received since. */
const isActive = () => !['locked', 'out'].includes(session.get().kind);

/** Inside `withCookie`, before another tab can log in. */
function noSession(error: unknown): null {
  if ((error as KissiError).code !== 'UNAUTHORIZED') throw error;
  forget();
  return null;
}

/** False if another user has logged in in another tab, in whose name this one must not act. */
function isOwn(accessToken: string): boolean {
  const state = session.get();
  return state.kind !== 'in' || subjectOf(accessToken) === state.user.id;
}

function subjectOf(jwt: string): unknown {
  const [, payload = ''] = String(jwt).split('.');
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).sub;
}

function keep({ token: value, expires_in }: { token: string; expires_in: number }): true {
  // A page of a proxy can have status 200.
  if (typeof value !== 'string') throw new Error('This is not a reply from the service.');
  token = { value, expiresAt: Date.now() + expires_in * 1000 };
  localStorage.setItem(KNOWN_AS, '1');
  return true;
}

/** Not a secret: spares a visitor without a session the refused request, which browsers show as an error. */
const KNOWN_AS = 'kissi-session';

const TRY_AGAIN_MS = 5_000;

/** An installed console opens without a network. A login page would suggest that the session has ended. */
async function resumed(): Promise<CurrentUser | null> {
  for (;;) {
    try {
      return (await renew()) ? await kissi.session.currentUser() : null;
    } catch (error) {
      if (!isPassing(error)) return null;
      if (session.get().kind === 'starting') session.set({ kind: 'starting', isUnreachable: true });
      await new Promise((resume) => {
        addEventListener('online', resume, { once: true });
        setTimeout(resume, TRY_AGAIN_MS);
      });
    }
  }
}

const isPassing = (error: unknown) =>
  error instanceof KissiConnectionError ||
  (error instanceof KissiError && [429, 502, 503, 504].includes(error.status ?? 0));

/** After the page was loaded: continues the session of the cookie, if there is one. */
export async function resumeSession(): Promise<void> {
  if (isEnding()) continueEnding(end);
  const wasKnown = localStorage.getItem(KNOWN_AS) !== null;
  const user = wasKnown ? await resumed() : null;
  // Another tab may have logged out, and a user may have logged in here since.
  if (session.get().kind !== 'starting') return;
  if (user) show(user);
  else session.set({ kind: 'out', ended: wasKnown && localStorage.getItem(KNOWN_AS) === null });
}

/** Throws the service's refusal; SECOND_FACTOR_REQUIRED has the challenge in its fields. */
export async function logIn(email: string, password: string): Promise<void> {
  const start = async () => {
    await sendEnd(end);
    return anonymous.consoleSession.start({ email, password });
  };
  keep(await withCookie(start));
  await enterNew();
}

export async function finishLogin(challenge: string, answer: SecondFactorAnswer): Promise<void> {
  keep(await withCookie(async () => anonymous.consoleSession.finishLogin({ challenge, ...answer } as never)));
  await enterNew();
}

async function enterNew(): Promise<void> {
  const user = await kissi.session.currentUser();
  tellTabs({ kind: 'in', userId: user.id });
  // Another user starts over: nothing of the previous one stays in memory or in the address.
  if (lastUserId !== null && lastUserId !== user.id) location.replace('/console/');
  else show(user);
}

function show(user: CurrentUser): void {
  setTimeZone(user.service.time_zone);
  lastUserId = user.id;
  session.set({ kind: 'in', user });
}

/** The console forgets the session at once; the service is told until it has confirmed the end. */
export function logOut({ everywhere = false } = {}): void {
  forget();
  endSession(end, { everywhere });
  tellTabs({ kind: 'out' });
  session.set({ kind: 'out', ended: false });
}

/** From the lock to the login of any user. What was typed is lost. */
export function leaveLock(): void {
  session.set({ kind: 'out', ended: false });
}

/** After a change that ended all the user's sessions, such as the first second factor. Not if the user has logged in since. */
export async function leaveEndedSession(): Promise<void> {
  if (!(await renew().catch(() => false))) leaveTab();
}

function forget(): void {
  token = null;
  localStorage.removeItem(KNOWN_AS);
}

/** The service refuses everything except the user's own account until the user has changed the password or enrolled a factor. */
export function noteRestriction(error: unknown): void {
  const restriction = RESTRICTIONS.find((code) => code === (error as KissiError | null)?.code);
  const state = session.get();
  if (restriction && state.kind === 'in' && state.restriction !== restriction) session.set({ ...state, restriction });
}

/** Ends the session at the service too, so that loading the page again does not open it. */
export function lock(): void {
  const state = session.get();
  // What is shown without a session, such as recovery codes, is hidden too.
  if (state.kind === 'locked' && state.ended) session.set({ ...state, ended: false });
  if (!showLock({ ended: false })) return;
  forget();
  endSession(end, { everywhere: false });
  tellTabs({ kind: 'locked' });
}

function showLock({ ended }: { ended: boolean }): boolean {
  const state = session.get();
  if (state.kind !== 'in') return false;
  token = null;
  session.set({ ...state, kind: 'locked', ended });
  return true;
}

/** The same user has logged in in another tab. */
function unlock({ user, restriction }: Extract<SessionState, { kind: 'locked' }>): void {
  session.set({ kind: 'in', user, ...(restriction ? { restriction } : {}) });
}

/** The cookie belongs to another user now. */
function startOver(): false {
  if (session.get().kind !== 'starting') leaveTab();
  return false;
}

/** Nothing of the user stays in this tab, because another tab logged out or another user logged in there. */
function leaveTab(): void {
  token = null;
  session.set({ kind: 'out', ended: true });
}

tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
  const state = session.get();
  if (state.kind === 'out') return;
  const isOver = data.kind === 'out' || (data.kind === 'locked' && state.kind === 'starting');
  if (isOver) leaveTab();
  else if (data.kind === 'locked') showLock({ ended: false });
  else if (data.kind !== 'in' || state.kind === 'starting') return;
  else if (state.user.id !== data.userId) startOver();
  else if (state.kind === 'locked') unlock(state);
};

// A page that the browser kept in memory does not know what other tabs have done since, such as a logout.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

addEventListener('online', () => {
  if (isEnding()) continueEnding(end);
});
