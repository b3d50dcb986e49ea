// The book that is kept beside the service's: what was asked for, what it would do, and what the client was told.

/** What a movement does if it takes place, from the interface's words and not from the service's code. */
export interface Effect {
  type: string;
  amount: number;
  fee: number;
  /** What changes on each account. The house's striped accounts are one here: fees, treasury. */
  legs: Record<string, number>;
}

/** A balance that a reply told, and whose it is; what a partner owes is told with the other sign. */
export interface ToldBalance {
  account: string;
  balance: number;
}

export type EntryState =
  /** Sent, and no answer that says what became of it. */
  | 'open'
  | 'acknowledged'
  /** Nothing moved. */
  | 'refused';

export interface Entry {
  /** The request id or reference, under which every attempt was sent. */
  id: string;
  route: string;
  effect: Effect;
  /** Without a request id, and so sent once, whatever came of it; its id is then in the description. */
  once: boolean;
  state: EntryState;
  attempts: number;
  transactionId: string | null;
  /** The bytes of the first answer that settled it. */
  reply: string | null;
  code: string | null;
  told: ToldBalance | null;
  /** Of an inbound credit: the partner, and whether it is told by webhook. A reversal has that of its credit. */
  inbound: { partnerId: string; reference: string; event: string } | null;
}

/** The rules of compliance that hold while things break, beside those that ship: what is above is flagged, or blocked. */
export const WATCHED = { types: ['transfer_p2p', 'inbound_credit'], flagAbove: 100_000, blockAbove: 300_000 } as const;

/** A webhook as its receiver got it, signature and all. */
export interface ReceivedEvent {
  id: string;
  body: string;
  isGenuine: boolean;
}

export interface Book {
  entries: Entry[];
  received: ReceivedEvent[];
  /** What clients saw that must not be: another answer to the same request, an answer outside of the interface. */
  surprises: string[];
}

export const newBook = (): Book => ({ entries: [], received: [], surprises: [] });

/** Ten-thousandths of the amount, rounded half up. */
export function share(amount: number, tenThousandths: number): number {
  return Math.floor((amount * tenThousandths * 2 + 10_000) / 20_000);
}
