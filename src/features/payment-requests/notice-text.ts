// The text of a notice: who asks, by the registered name, and how much. Never the payee's own words.
import { ussdString } from '../../kernel/config/payment-codes.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { PaymentRequest } from './store.ts';

export function noticeText(
  { amount, code }: Pick<PaymentRequest, 'amount' | 'code'>,
  name: string,
  serviceCode: string,
) {
  const ussd = ussdString(serviceCode, code);
  return [
    `You will PAY ${amount === null ? 'an amount that you choose' : spokenMoney(amount)} to ${name} if you confirm.`,
    `Code ${code}${ussd === null ? '' : `: dial ${ussd}`}.`,
    'If you did not expect this, do nothing. Never send your PIN in a message.',
  ].join(' ');
}

/** `SLE 1,250.00`, for people. */
export function spokenMoney(amount: number): string {
  const [figures, currency] = formatMoney(amount).split(' ');
  return `${currency} ${figures}`;
}
