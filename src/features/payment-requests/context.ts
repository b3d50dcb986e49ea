// Dependencies of payment requests, and who may see and change one.
import type { Actor, AuditLog } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { Vault } from '../../auth/vault.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { onlyProcessorOf, type PaidProcessor } from '../../parties/processor.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { Payments } from '../../payments/execute.ts';
import type { QrScheme } from '../../qr/payment-codes.ts';
import type { Notifying } from '../../webhooks/merchant-event.ts';
import type { Notices } from '../notices/service.ts';
import type { PaymentRequest, RequestLookups } from './store.ts';
import type { PayeeKind } from './tables.ts';

export interface RequestContext {
  database: Database;
  lookups: RequestLookups;
  takeCode(): Promise<string>;
  audit: AuditLog;
  vault: Vault;
  payments: Payments;
  notifying: Notifying;
  holders: Holders;
  findProcessor: Load<string, PaidProcessor | null>;
  pins: GuardedPins;
  phone: PhoneReader;
  pep: PepGuard;
  notices: Pick<Notices, 'tell' | 'wake'>;
  clock: Clock;
  /** The service's address for customers, such as `https://pay.example.com`; empty if it has none. */
  publicUrl: string;
  /** In development, pages may return payers to a shop on this machine by http. */
  returnsLocally: boolean;
  /** Empty: there is none. */
  ussdServiceCode: string;
  qr: QrScheme;
}

export interface Payee {
  kind: PayeeKind;
  id: string;
}

export function noSuchRequest(): Refusal {
  return refuse('NOT_FOUND', 'There is no such payment request.');
}

/** A merchant sees its own requests only, and does not learn whether any other exists. */
export function isConcealedFrom(caller: Caller, { payee_id }: Pick<PaymentRequest, 'payee_id'>): boolean {
  const only = onlyProcessorOf(caller);
  return only !== null && only !== payee_id;
}

/** For staff who cannot open access to a politically exposed person, a request of theirs does not exist. */
export async function concealedRefusal(
  pep: PepGuard,
  actor: Actor,
  request: Pick<PaymentRequest, 'payee_id' | 'payer_id' | 'actor_id'> & { paidBy: string | null },
): Promise<Refusal | null> {
  if (onlyProcessorOf(actor.caller) !== null) return null;
  const { payee_id, payer_id, actor_id, paidBy } = request;
  // Who asked knows whom: that their own request does not exist would tell them who that is.
  const asked = actor_id === actor.caller.id ? null : payer_id;
  return pep.concealing(actor, [payee_id, asked, paidBy], 'payment', noSuchRequest());
}
