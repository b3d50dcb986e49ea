// Who pays a bulk payment, and which callers may see and change it.
import { type Caller, isStaff } from '../../auth/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { isPartnerId } from '../../webhooks/owner.ts';
import { type BulkPayment, type Payer, TREASURY } from './types.ts';

export interface NamedPayer {
  processor_id?: string;
  partner_id?: string;
  treasury?: boolean;
}

/** The only payer that this caller acts for. Null: staff, who act for partners and the treasury. */
export function ownPayer(caller: Caller): Payer | null {
  if (caller.kind === 'key') {
    if (caller.partnerId !== null) return { kind: 'partner', id: caller.partnerId };
    return { kind: 'processor', id: caller.processorId ?? 'none' };
  }
  if (isStaff(caller)) return null;
  return { kind: 'processor', id: (caller.kind === 'user' && caller.processorId) || 'none' };
}

/** The payer of a new bulk payment. Callers with an owner may leave it out. */
export function payerOf(caller: Caller, { processor_id, partner_id, treasury }: NamedPayer): Payer | Refusal {
  const own = ownPayer(caller);
  const named: Payer[] = [
    ...(processor_id === undefined ? [] : [{ kind: 'processor' as const, id: processor_id }]),
    ...(partner_id === undefined ? [] : [{ kind: 'partner' as const, id: partner_id }]),
    ...(treasury ? [{ kind: 'treasury' as const, id: TREASURY }] : []),
  ];
  const [payer = own, second] = named;
  if (payer === null || second) {
    return refuse(
      'INVALID_REQUEST',
      'Exactly one of processor_id, partner_id and treasury=true is required: who pays.',
    );
  }
  if (own !== null) return own.kind === payer.kind && own.id === payer.id ? payer : anotherPays();
  return payer.kind === 'processor' ? onlyTheMerchant() : payer;
}

/** Another payer's is answered as one that does not exist. */
export function isVisible(caller: Caller, { payer_id }: Pick<BulkPayment, 'payer_id'>): boolean {
  const own = ownPayer(caller);
  return own === null || own.id === payer_id;
}

/** Staff see merchants' bulk payments; only the merchant changes them. */
export function changeRefusal(caller: Caller, payment: BulkPayment): Refusal | null {
  if (!isVisible(caller, payment)) return noSuchBulkPayment();
  return ownPayer(caller) === null && payment.payer_kind === 'processor' ? onlyTheMerchant() : null;
}

export function payerFilter(caller: Caller, { processor_id, partner_id, treasury }: NamedPayer): string[] | null {
  const own = ownPayer(caller);
  const named = [processor_id, partner_id, treasury ? TREASURY : undefined].filter((id) => id !== undefined);
  const all = own === null ? named : [own.id, ...named];
  return all.length === 0 ? null : all;
}

export function noSuchBulkPayment(): Refusal {
  return refuse('NOT_FOUND', 'There is no such bulk payment.');
}

/** Of webhooks; the treasury has none. */
export function hasEndpoints({ payer_kind, payer_id }: BulkPayment): boolean {
  return payer_kind === 'partner' ? isPartnerId(payer_id) : payer_kind === 'processor';
}

function anotherPays(): Refusal {
  return refuse('FORBIDDEN', 'Another payer would pay.');
}

function onlyTheMerchant(): Refusal {
  return refuse('FORBIDDEN', "Only a merchant's own logins and keys make its bulk payments.");
}
