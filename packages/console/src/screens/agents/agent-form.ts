// What is typed about an agent, and the requests that it makes.
import type { GetAgentResponse } from '@kissi/client';
import { filledOnly, isFilled, trimmed } from '../../components/form-values.ts';

export interface AgentForm {
  business_name: string;
  first_name: string;
  last_name: string;
  phone_number: string;
  email: string;
  location: string;
  commission_tier: 'standard' | 'premium' | 'custom';
  /** As it is typed; for the tier custom only. */
  commission_percent: string;
  settlement_mode: 'instant' | 'daily' | 'weekly';
}

export const EMPTY_FORM: AgentForm = {
  business_name: '',
  first_name: '',
  last_name: '',
  phone_number: '',
  email: '',
  location: '',
  commission_tier: 'standard',
  commission_percent: '',
  settlement_mode: 'instant',
};

export function formOf({ agent }: GetAgentResponse): AgentForm {
  const { commission_percent, location, ...rest } = agent;
  return { ...rest, location: location ?? '', commission_percent: String(commission_percent ?? '') };
}

export function isComplete(form: AgentForm): boolean {
  const { business_name, first_name, last_name, phone_number, commission_percent } = form;
  const isShareRight = commission_percent === '' || isPercent(commission_percent);
  return isFilled(business_name, first_name, last_name, phone_number) && isShareRight;
}

export const isPercent = (text: string) => /^\d{1,3}(\.\d{1,4})?$/.test(text) && Number(text) <= 500;

/** What the agent earns, and when it is paid. */
function terms({ commission_tier, commission_percent, settlement_mode }: AgentForm) {
  const isOwnShare = commission_tier === 'custom' && commission_percent !== '';
  return {
    commission_tier,
    settlement_mode,
    ...(isOwnShare ? { commission_percent: Number(commission_percent) } : {}),
  };
}

/** The location can be emptied, the email not changed. */
export function changeRequest(form: AgentForm) {
  const { business_name, first_name, last_name, phone_number, location } = trimmed(form);
  return { business_name, first_name, last_name, phone_number, location, ...terms(form) };
}

export function registerRequest(form: AgentForm) {
  const { location, ...others } = changeRequest(form);
  return { ...others, email: form.email.trim(), ...filledOnly({ location }) };
}
