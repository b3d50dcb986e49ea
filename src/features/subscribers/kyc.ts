// The fields that each KYC level requires.
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { SubscriberRow } from './record.ts';

type FiledField = 'id_number' | 'id_type' | 'id_document_url' | 'address';

const REQUIRED: Record<number, readonly FiledField[]> = {
  1: [],
  2: ['id_number', 'id_type', 'id_document_url'],
  3: ['id_number', 'id_type', 'id_document_url', 'address'],
};

/** Checks the record after the change, and only if the change affects the level or a required field. */
export function kycRefusal(after: SubscriberRow, changed: readonly string[]): Refusal | null {
  const missing = (REQUIRED[after.kyc_level] ?? []).filter((field) => after[field] === null);
  const touched = changed.includes('kyc_level') || missing.some((field) => changed.includes(field));
  if (missing.length === 0 || !touched) return null;
  return refuse('KYC_REQUIREMENT_MISSING', `KYC level ${after.kyc_level} requires ${missing.join(', ')} on file.`, {
    details: { missing },
  });
}
