// Requests for payments whose outcome is not known yet. They outlive the form, the page and the window that sent them.
// Stored in the browser without amount, payee or anything else that could be stolen: only the ids that the look-up needs.

export interface OpenPayment {
  requestId: string;
  /** The form that sent it, such as `agent-fund`. */
  kind: string;
  userId: string;
  /** Whose request id it is; null: that of the user's own agent or merchant. */
  partyId: string | null;
  /** Milliseconds since 1970. */
  lastAttemptAt: number;
}

/** One entry per request, so that windows never overwrite the requests of others. */
const PREFIX = 'kissi-payment:';

/** Called before each attempt. Throws if the browser cannot store it, and then nothing may be sent. */
export function noteAttempt({ requestId, ...rest }: Omit<OpenPayment, 'lastAttemptAt'>): void {
  localStorage.setItem(PREFIX + requestId, JSON.stringify({ ...rest, lastAttemptAt: Date.now() }));
}

/** The outcome is known. */
export function forgetPayment(requestId: string): void {
  localStorage.removeItem(PREFIX + requestId);
}

export const isOpen = (requestId: string) => localStorage.getItem(PREFIX + requestId) !== null;

/** The oldest open payment of this user and form, except the form's own. */
export function findOpenPayment(userId: string, kind: string, ownId: string): OpenPayment | null {
  const mine = Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => read(key.slice(PREFIX.length)))
    .filter((found) => found?.userId === userId && found.kind === kind && found.requestId !== ownId);
  mine.sort((one, other) => (one?.lastAttemptAt ?? 0) - (other?.lastAttemptAt ?? 0));
  return mine[0] ?? null;
}

/** Null for anything that this file did not write. */
function read(requestId: string): OpenPayment | null {
  try {
    const { kind, userId, partyId = null, lastAttemptAt } = JSON.parse(localStorage.getItem(PREFIX + requestId) ?? '');
    if (typeof kind !== 'string' || typeof userId !== 'string' || !Number.isFinite(lastAttemptAt)) return null;
    // A clock that was set back must not keep the payment open for longer.
    if (lastAttemptAt > Date.now()) noteAttempt({ requestId, kind, userId, partyId });
    return { requestId, kind, userId, partyId, lastAttemptAt: Math.min(lastAttemptAt, Date.now()) };
  } catch {
    return null;
  }
}
