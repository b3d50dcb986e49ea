// The rule form's input as typed, and the request built from it.
import type { ComplianceRule, CreateRuleRequest } from '@kissi/client';
import { amount, readAmount } from '../../format/money.ts';
import type { RuleTerms, TransactionType } from './words.ts';

export interface RuleDraft {
  name: string;
  kind: ComplianceRule['kind'];
  side: ComplianceRule['side'];
  types: TransactionType[];
  outcome: ComplianceRule['outcome'];
  severity: ComplianceRule['severity'];
  enabled: boolean;
  /** As typed: an amount, or a number of payments. */
  threshold: string;
  window: string;
  windowUnit: '60' | '3600' | '86400';
}

export const NEW_RULE: RuleDraft = {
  name: '',
  kind: 'amount',
  side: 'payer',
  types: ['transfer_p2p'],
  outcome: 'flag',
  severity: 'MEDIUM',
  enabled: true,
  threshold: '',
  window: '1',
  windowUnit: '86400',
};

export function draftOf(rule: ComplianceRule): RuleDraft {
  const seconds = rule.window_seconds ?? 86_400;
  const windowUnit = (['86400', '3600', '60'] as const).find((unit) => seconds % Number(unit) === 0) ?? '60';
  return {
    name: rule.name,
    kind: rule.kind,
    side: rule.side,
    types: rule.transaction_types,
    outcome: rule.outcome,
    severity: rule.severity,
    enabled: rule.enabled,
    threshold: rule.kind === 'velocity_count' ? String(rule.threshold) : amount(rule.threshold),
    window: String(seconds / Number(windowUnit)),
    windowUnit,
  };
}

/** The terms that payments are checked against; null while a field is missing or invalid. */
export function termsOf(draft: RuleDraft): RuleTerms | null {
  const threshold = draft.kind === 'velocity_count' ? readCount(draft.threshold) : readAmount(draft.threshold);
  const window = draft.kind === 'amount' ? null : readCount(draft.window);
  if (threshold === null || (draft.kind !== 'amount' && window === null) || draft.types.length === 0) return null;
  return {
    kind: draft.kind,
    side: draft.side,
    transaction_types: draft.types,
    outcome: draft.outcome,
    threshold,
    window_seconds: window === null ? null : window * Number(draft.windowUnit),
  };
}

export function requestOf(draft: RuleDraft): CreateRuleRequest | null {
  const terms = termsOf(draft);
  if (!terms || draft.name.trim() === '') return null;
  const { window_seconds, ...others } = terms;
  return {
    ...others,
    name: draft.name.trim(),
    severity: draft.severity,
    enabled: draft.enabled,
    ...(window_seconds === null ? {} : { window_seconds }),
  };
}

/** `1,000` as 1000; null if it is not a positive whole number. */
export function readCount(text: string): number | null {
  const digits = text.trim().replaceAll(',', '');
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : null;
}
