// What a page says about a refusal, and whether the customer can put it right on the same page.
import type { TextKey } from '../menus/index.ts';
import type { Screen, Step, View } from './screen.ts';
import type { RefusedAnswer } from './state.ts';

/** What another entry can put right. */
const CORRECTABLE: Record<string, TextKey> = {
  INVALID_AMOUNT: 'reason.amount',
  AMOUNT_MISMATCH: 'reason.amount',
  INVALID_REQUEST: 'reason.code',
  SUBSCRIBER_NOT_FOUND: 'reason.noWallet',
  NOT_FOUND: 'reason.notFound',
  INVALID_CODE: 'reason.code',
  SAME_ACCOUNT: 'reason.same',
  INSUFFICIENT_BALANCE: 'reason.balance',
  DAILY_LIMIT_EXCEEDED: 'reason.limit',
  MAX_BALANCE_EXCEEDED: 'reason.otherFull',
  INSUFFICIENT_FLOAT: 'reason.float',
};

const FINAL: Record<string, TextKey> = {
  SUBSCRIBER_BLOCKED: 'refused.blocked',
  TRANSACTION_TYPE_DISABLED: 'refused.blocked',
  AGENT_SUSPENDED: 'refused.agent',
  AGENT_TERMINATED: 'refused.agent',
  PROCESSOR_SUSPENDED: 'refused.payee',
  ALREADY_PAID: 'refused.paid',
  DECLINED: 'refused.ended',
  EXPIRED: 'refused.ended',
  RECALL_ENDED: 'refused.ended',
  CASE_CLOSED: 'refused.case',
  CASE_EXISTS: 'refused.case',
  NO_RECALL: 'refused.recall',
  CANCELLED: 'refused.ended',
  COMPLIANCE_BLOCKED: 'refused.compliance',
  RATE_LIMITED: 'refused.often',
  TOO_MANY_LOOKUPS: 'refused.often',
  TOO_MANY_ATTEMPTS: 'refused.often',
  DUPLICATE_PHONE: 'refused.taken',
  SERVICE_UNAVAILABLE: 'session.failed',
  INTERNAL_ERROR: 'session.failed',
  UNAUTHORIZED: 'session.ended',
};

export function refusedStep(view: View, screen: Screen, refused: RefusedAnswer): Step {
  const { say, state } = view;
  const { code, quote } = refused;
  if (quote) return { go: state.screen, set: { quote }, reason: say('reason.newFee') };
  if (code === 'INVALID_PIN' || code === 'ACCOUNT_LOCKED') return wrongPin(view, refused);
  const reason = CORRECTABLE[code];
  if (reason) return screen.secret || !screen.entry ? { end: say(reason) } : { repeat: say(reason) };
  return { end: say(FINAL[code] ?? 'refused.other') };
}

function wrongPin({ say }: View, { code, attemptsLeft, lockedUntil }: RefusedAnswer): Step {
  if (code === 'INVALID_PIN' && attemptsLeft === undefined) return { repeat: say('reason.pinForm') };
  if (attemptsLeft === 1) return { repeat: say('reason.lastTry') };
  if (attemptsLeft) return { repeat: say('reason.wrongPin', { count: attemptsLeft }) };
  // The refusal does not say which lock follows; the next one will.
  if (attemptsLeft === 0) return { end: say('refused.lockedNow') };
  return lockedUntil === undefined
    ? { end: say('refused.lockedForGood') }
    : { end: say('refused.locked', { time: lockedUntil }) };
}
