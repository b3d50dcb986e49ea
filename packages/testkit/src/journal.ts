// The clients' journal: what they requested, what each request must do, and how the service answered.

/** The effect of a movement if it is posted, derived from the API reference and not from the service's code. */
export interface Effect {
  type: string;
  amount: number;
  fee: number;
  /** The change of each account. Stripes of a system account are one account here: fees, treasury. */
  legs: Record<string, number>;
}

/** A balance in a reply, and its account. `partner_outstanding` is recorded with the opposite sign. */
export interface ReportedBalance {
  account: string;
  balance: number;
}

export type EntryState =
  /** Sent, without an answer that states the outcome. */
  | 'open'
  | 'acknowledged'
  /** Nothing moved. */
  | 'refused';

export interface Entry {
  /** The request id or reference of every attempt. */
  id: string;
  route: string;
  effect: Effect;
  /** Sent without a request id and therefore never retried; the description contains the id instead. */
  once: boolean;
  state: EntryState;
  attempts: number;
  transactionId: string | null;
  /** By the monotonic clock; only of clients under load. */
  acknowledgedAt?: number;
  /** The body of the first final answer. */
  reply: string | null;
  code: string | null;
  reportedBalance: ReportedBalance | null;
  /** For an inbound credit: the partner, the reference and the webhook event. A reversal has its credit's. */
  inbound: { partnerId: string; reference: string; event: string } | null;
}

/** A webhook event as its receiver got it. */
export interface ReceivedEvent {
  id: string;
  body: string;
  isGenuine: boolean;
}

export interface Journal {
  entries: Entry[];
  received: ReceivedEvent[];
  /** Answers that must not occur: a second answer that differs, or one outside the API. */
  violations: string[];
}

export const newJournal = (): Journal => ({ entries: [], received: [], violations: [] });

/** Returns the given number of ten-thousandths of the amount, rounded half up. */
export function share(amount: number, tenThousandths: number): number {
  return Math.floor((amount * tenThousandths * 2 + 10_000) / 20_000);
}
