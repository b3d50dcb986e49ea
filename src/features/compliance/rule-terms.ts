// Validates a monitoring rule as a whole, because the allowed values of one field depend on others.
import { parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { NewRule, RuleFields } from './rule-schemas.ts';
import type { RuleRow, RuleTerms } from './rule-store.ts';

/** All fields of a rule; only the kind amount has no window. */
type WholeRule = Required<Omit<RuleFields, 'window_seconds'>> & { window_seconds: number | null };

const FIELDS = [
  'name',
  'kind',
  'side',
  'transaction_types',
  'threshold',
  'window_seconds',
  'outcome',
  'severity',
  'enabled',
] as const satisfies (keyof RuleFields)[];

export function newTerms(input: NewRule): RuleTerms | Refusal {
  const {
    outcome,
    severity = outcome === 'block' ? 'CRITICAL' : 'MEDIUM',
    enabled = true,
    window_seconds = null,
    side = 'payer',
  } = input;
  return readTerms({ ...input, severity, enabled, window_seconds, side });
}

/** The rule after the change; fields that were not sent keep their values. */
export function changedTerms(before: RuleRow, input: RuleFields): RuleTerms | Refusal {
  const { threshold, window_seconds, ...rest } = before;
  // A rule that changes to the kind amount loses its window.
  const window = input.kind === 'amount' ? null : window_seconds;
  return readTerms({ ...rest, threshold: String(threshold), window_seconds: window, ...input } as WholeRule);
}

function readTerms(input: WholeRule): RuleTerms | Refusal {
  const { name, kind, side, transaction_types, window_seconds, outcome, severity, enabled } = input;
  const threshold = readThreshold(input);
  if (threshold instanceof Refusal) return threshold;
  return (
    windowRefusal(input) ?? {
      ...{ name: name.trim(), kind, side, threshold, window_seconds, outcome, severity, enabled },
      transaction_types: [...transaction_types],
    }
  );
}

function readThreshold({ kind, threshold }: WholeRule): number | Refusal {
  const read = parseAmount(threshold);
  if (read !== null) return read;
  if (kind === 'velocity_count') {
    return refuse('INVALID_REQUEST', 'threshold must be a positive whole number of payments below 2^53.');
  }
  return refuse('INVALID_AMOUNT', 'threshold must be a positive whole number of minor units below 2^53.');
}

function windowRefusal({ kind, window_seconds }: WholeRule): Refusal | null {
  if (kind === 'amount') {
    if (window_seconds === null) return null;
    return refuse(
      'INVALID_REQUEST',
      'window_seconds is not allowed for the kind amount, which checks a single payment.',
    );
  }
  return window_seconds === null ? refuse('INVALID_REQUEST', `window_seconds is required for the kind ${kind}.`) : null;
}

/** The changed fields with their old and new values, for the audit log. */
export function differences(before: RuleRow, after: RuleTerms): Record<string, { from: unknown; to: unknown }> {
  const pairs = FIELDS.map((field) => [field, { from: before[field], to: after[field] }] as const);
  return Object.fromEntries(pairs.filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)));
}
