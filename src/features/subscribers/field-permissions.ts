// Who may change which fields of a subscriber's record.
import type { Caller } from '../../auth/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';

/** Judgements on a person, which are for compliance to make. */
const FOR_COMPLIANCE = ['kyc_level', 'is_pep'];

/**
 * What decides where money for a subscriber goes, and how much of it others may spend: by them a stranger's transfers and
 * funding could be led into another wallet, so those who work in the field ask the house.
 */
const NOT_FOR_AGENTS = ['phone_number', 'partner_wallet_id', 'max_child_cards'];

export function authorityRefusal(caller: Caller, named: readonly string[]): Refusal | null {
  const role = caller.kind === 'user' ? caller.role : null;
  const judgement = FOR_COMPLIANCE.find((candidate) => named.includes(candidate));
  if (judgement !== undefined && role !== 'compliance_user' && role !== 'system_admin') {
    return refuse('FORBIDDEN', `${judgement} is changed by a compliance_user or a system_admin.`);
  }
  if (role === 'compliance_user' && named.some((other) => !FOR_COMPLIANCE.includes(other))) {
    return refuse('FORBIDDEN', 'The role compliance_user may change kyc_level and is_pep and nothing else.');
  }
  const field = NOT_FOR_AGENTS.find((candidate) => named.includes(candidate));
  if (field === undefined || (role !== 'super_agent' && role !== 'sub_agent')) return null;
  return refuse('FORBIDDEN', `${field} of a subscriber is not changed by agents: support does it.`);
}
