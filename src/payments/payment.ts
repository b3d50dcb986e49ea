// A payment as it is asked for, its sides and terms, and what is told of it once it is done.
import type { Refusal } from '../kernel/refusal.ts';
import type { SideRow } from '../ledger/posting/ledger.ts';
import type { RefusalReason, Shortfall } from '../ledger/types.ts';
import type { Party } from './fees.ts';

/** One side of a payment: whose account, as which party of the fee settings. */
export interface Side {
  accountId: string;
  party: Party;
  /** What refusals about this account are called: the wallet's words unless told. */
  refusals?: Partial<Record<AccountReason, (shortfall: Shortfall) => Refusal>>;
  /** The card by which it takes part, as the service writes its serial: one that is blocked stops the payment. */
  card?: string | undefined;
  /** Of what it earned by the payment that this one undoes: goes back to fee income, as a fee that this side bears. */
  givesBack?: number;
  /** Bounds that do not stop this side: what undoes a payment may pass where a new one may not. */
  mayPass?: { frozen?: true; ceiling?: true; floor?: true };
  /** That it is frozen is not kept where other refusals are: the request may be sent again. */
  forgetsFrozen?: true;
}

/** What an account can be the reason of. */
export type AccountReason = Exclude<RefusalReason, 'allowance' | 'compliance'>;

/** A running total that the amount is counted against, decided under lock like a balance. */
export interface Allowance {
  id: string;
  /** What all payments together may take of it. */
  limit: number;
  refusal(shortfall: Shortfall): Refusal;
}

export interface Payment {
  type: string;
  payer: Side;
  payee: Side;
  amount: number;
  /** Whether it counts against the payer's limit of a day. */
  countsDaily: boolean;
  request: PaymentRequest | null;
  narration?: string | null;
  reference?: string | null;
  /** JSON text. */
  metadata?: string | null;
  details?: Record<string, unknown>;
  /** The movement it refunds or reverses. */
  relatedId?: string | null;
  allowances?: readonly Allowance[];
  /** The reply to the caller; kept, and given again to the same request. */
  reply(done: Done): object;
  /** Rows for other tables in the same commit. */
  beside?(done: Done): SideRow[];
  /** Given where a refusal is kept and given again too: its reply, and rows for other tables. */
  refused?(refusal: Refusal, at: number, payerBalance: number): { reply: object; beside: SideRow[] };
}

export interface PaymentRequest {
  /** The id of the credential: request ids are its own. */
  scope: string;
  id: string;
  /** What makes two requests the same, in a fixed order. */
  same: readonly unknown[];
  /** Of the type and of `same`, once it has been made. */
  hash?: string;
}

export interface Done {
  transactionId: string;
  at: number;
  amount: number;
  /** What the payer paid beyond the amount, and the payee was paid short of it. */
  payerFee: number;
  payeeFee: number;
  /** What left the payer and what reached the payee, fees and earnings included. */
  debited: number;
  credited: number;
  payerBalance: number;
  payeeBalance: number;
  /** What is taken of each allowance, this payment included. */
  allowances: readonly number[];
}

export interface Executed {
  /** The bytes of the reply. */
  json: string;
  replayed: boolean;
  /** The reply is a refusal that is kept. */
  refused?: Refusal;
}
