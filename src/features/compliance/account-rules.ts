// The limits and requirements of each KYC level, as the API returns them.
import { type Static, Type } from 'typebox';
import type { Page } from '../../http/paging.ts';
import { KYC_LIMITS, kycLimits } from '../../kernel/kyc.ts';
import { CURRENCY, formatMoney } from '../../kernel/money.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';

export const accountRuleRecord = Type.Object(
  {
    kyc_level: Type.Integer(),
    max_balance: Type.Integer({ description: 'The maximum balance of a wallet, in minor units.' }),
    max_balance_formatted: Type.String(),
    daily_limit: Type.Integer({
      description: 'The maximum that may leave the wallet per UTC day, fees excluded, in minor units.',
    }),
    daily_limit_formatted: Type.String(),
    currency: Type.String(),
    requirement: Type.String({ description: 'What the level requires of a subscriber.' }),
  },
  { title: 'AccountRule' },
);
export type AccountRule = Static<typeof accountRuleRecord>;

const REQUIREMENTS: Record<number, string> = {
  1: 'Phone and PIN',
  2: 'Phone and PIN, plus ID document',
  3: 'Phone and PIN, plus ID document, plus address proof',
};

const LEVELS = Object.keys(KYC_LIMITS).map(Number);

export function listAccountRules({ limit, offset, after }: Page): { rules: AccountRule[]; total: number } {
  const listed = LEVELS.filter((level) => level > Number(after ?? 0));
  return { rules: listed.slice(offset, offset + limit).map(accountRule), total: LEVELS.length };
}

/** Finds the rule of the level in the path; an unknown level is 404. */
export function findAccountRule(text: string): AccountRule | Refusal {
  const level = LEVELS.find((candidate) => String(candidate) === text);
  if (level !== undefined) return accountRule(level);
  return refuse('NOT_FOUND', `There is no such KYC level: kyc_level is one of ${LEVELS.join(', ')}.`);
}

function accountRule(level: number): AccountRule {
  const { maxBalance, dailyLimit } = kycLimits(level);
  return {
    kyc_level: level,
    max_balance: maxBalance,
    max_balance_formatted: formatMoney(maxBalance),
    daily_limit: dailyLimit,
    daily_limit_formatted: formatMoney(dailyLimit),
    currency: CURRENCY,
    requirement: REQUIREMENTS[level] ?? '',
  };
}
