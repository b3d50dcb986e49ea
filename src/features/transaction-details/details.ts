// One transaction as the API shows it: the record with its postings, parties, fees, related movements and seal.
import { withMember } from '../../kernel/json-text.ts';
import type { Contact } from '../../parties/contacts.ts';
import type { PartyView } from '../../parties/names.ts';
import type { TransactionRecord } from '../transactions/service.ts';
import type { AlertView, AuditView, DeliveryView } from './views.ts';

/** A side of the transaction, as the caller may see it. */
export interface PartyDetails extends PartyView, Contact {}

export interface PostingView {
  account_id: string;
  party: Side;
  amount: number;
  fee: number;
  /** Null: the caller may not see it. */
  balance_after: number | null;
}

export interface FeeView {
  party: Exclude<Side, 'operator'>;
  /** Null: a person that the caller may not see. */
  account_id: string | null;
  charged: number;
  earned: number;
}

export interface RelatedView {
  relation: 'original' | 'refund' | 'reversal' | 'resolution';
  transaction_id: string;
  type: string;
  amount: number;
  created_at: string;
}

export interface SealView {
  batch: number;
  chain: number;
  number: number;
  format: number;
  mac: string;
  sealed_at: string;
}

export type Side = 'payer' | 'payee' | 'operator';

/** Without an id: a person that the caller may not see. */
export type VisibleParty = Omit<PartyDetails, 'id'> & { id: string | null };

export interface TransactionDetails extends TransactionRecord {
  authorization_code: string | null;
  card: string | null;
  terminal_id: string | null;
  receipt_url: string | null;
  payer: VisibleParty;
  payee: VisibleParty;
  postings: PostingView[];
  fees: FeeView[];
  related: RelatedView[];
  seal: SealView | null;
  alerts?: AlertView[];
  webhook_deliveries?: DeliveryView[];
  audit_entries?: AuditView[];
  actor_name?: string | null;
}

/** Metadata is inserted as the stored text, without parsing. */
export function detailsJson({ metadata, ...rest }: TransactionDetails): string {
  return withMember(JSON.stringify(rest), 'metadata', metadata ?? 'null');
}
