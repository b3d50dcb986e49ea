// Which roles may change which fields of a subscriber.
import type { Caller } from '../../auth/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';

/** Assessments of a person, reserved for compliance. */
const FOR_COMPLIANCE = ['kyc_level', 'is_pep'];

/**
 * Fields that determine which wallet receives a subscriber's money and how many cards can spend it. An agent could
 * use them to redirect payments, so only staff may change them.
 */
const NOT_FOR_AGENTS = ['phone_number', 'partner_wallet_id', 'max_child_cards'];

export function fieldRefusal(caller: Caller, fields: readonly string[]): Refusal | null {
  const role = caller.kind === 'user' ? caller.role : null;
  const restricted = FOR_COMPLIANCE.find((candidate) => fields.includes(candidate));
  if (restricted !== undefined && role !== 'compliance_user' && role !== 'system_admin') {
    return refuse('FORBIDDEN', `Only a compliance_user or a system_admin can change ${restricted}.`);
  }
  if (role === 'compliance_user' && fields.some((other) => !FOR_COMPLIANCE.includes(other))) {
    return refuse('FORBIDDEN', 'The role compliance_user can change only kyc_level and is_pep.');
  }
  const field = NOT_FOR_AGENTS.find((candidate) => fields.includes(candidate));
  if (field === undefined || (role !== 'super_agent' && role !== 'sub_agent')) return null;
  return refuse('FORBIDDEN', `Agents cannot change ${field} of a subscriber: contact support.`);
}
