// Why a payment was refused, in the reader's language; in the service's words for rare reasons.
import type { RefusedPayment } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { label } from '../../components/values.tsx';
import { money } from '../../format/money.ts';

export function useRefusalReason(): (refusal: Pick<RefusedPayment, 'reason' | 'excess'> & { code: string }) => string {
  const { t } = useLingui();
  const reasons: Record<string, string> = {
    INVALID_PIN: t`Wrong PIN`,
    ACCOUNT_LOCKED: t`Locked after too many wrong PINs`,
    INSUFFICIENT_BALANCE: t`Balance too low`,
    INSUFFICIENT_FLOAT: t`Float too low`,
    DAILY_LIMIT_EXCEEDED: t`Would exceed the daily limit`,
    MAX_BALANCE_EXCEEDED: t`Would exceed the maximum balance`,
    NEW_DEVICE: t`Would exceed what a new phone may pay`,
    COMPLIANCE_BLOCKED: t`Blocked by a compliance rule`,
    SUBSCRIBER_BLOCKED: t`Customer blocked or not active yet`,
    TRANSACTION_TYPE_DISABLED: t`This type is switched off for the customer`,
    CARD_BLOCKED: t`Card blocked`,
    CARD_NOT_ASSIGNED: t`Card not linked to a customer`,
    CARD_NOT_FOUND: t`Unknown card`,
    PROCESSOR_SUSPENDED: t`Merchant suspended`,
    AGENT_SUSPENDED: t`Agent suspended`,
    SUBSCRIBER_NOT_FOUND: t`Unknown customer`,
    INVALID_CODE: t`Wrong cash-out code`,
    SAME_ACCOUNT: t`Sender and recipient are the same`,
  };
  return ({ code, reason, excess }) => {
    const words = reasons[code] ?? sentence(reason) ?? label(code);
    if (excess === null) return words;
    const amount = money(excess);
    return t`${words} by ${amount}`;
  };
}

/** The service writes the excess after the words. */
function sentence(reason: string | null): string | null {
  if (reason === null) return null;
  const words = reason.replace(/ by SLE [\d,.]+$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
