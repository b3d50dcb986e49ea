// What must be on file for each KYC level, and who may change the level.
import type { Caller } from '../../auth/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { SubscriberRow } from './record.ts';

type FiledField = 'id_number' | 'id_type' | 'id_document_url' | 'address';

const REQUIRED: Record<number, readonly FiledField[]> = {
  1: [],
  2: ['id_number', 'id_type', 'id_document_url'],
  3: ['id_number', 'id_type', 'id_document_url', 'address'],
};

/** Looks at the subscriber as it would be after the change, and only at what the change touches. */
export function kycRefusal(after: SubscriberRow, changed: readonly string[]): Refusal | null {
  const missing = (REQUIRED[after.kyc_level] ?? []).filter((field) => after[field] === null);
  const touched = changed.includes('kyc_level') || missing.some((field) => changed.includes(field));
  if (missing.length === 0 || !touched) return null;
  return refuse('KYC_REQUIREMENT_MISSING', `KYC level ${after.kyc_level} requires ${missing.join(', ')} on file.`, {
    details: { missing },
  });
}

/** The level is for compliance to decide, and nothing else of the record is. */
export function authorityRefusal(caller: Caller, named: readonly string[]): Refusal | null {
  const role = caller.kind === 'user' ? caller.role : null;
  const changesLevel = named.includes('kyc_level');
  if (changesLevel && role !== 'compliance_user' && role !== 'system_admin') {
    return refuse('FORBIDDEN', 'kyc_level is changed by a compliance_user or a system_admin.');
  }
  if (role === 'compliance_user' && named.some((field) => field !== 'kyc_level')) {
    return refuse('FORBIDDEN', 'The role compliance_user may change kyc_level and nothing else.');
  }
  return null;
}
