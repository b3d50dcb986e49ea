// Pay a merchant by its number, or a payment request by its code.
import { readAmount, type Screen, type Step, type View } from '../engine/screen.ts';
import type { Answer, WaitingRequest } from '../engine/state.ts';
import { balanceText, confirmText, known, quoteTexts } from './parts.ts';

const MERCHANT_NUMBER = /^\d{7}$/;
const REQUEST_CODE = /^0\d{9}$/;

/** Its price, or first the amount if the payer chooses it. */
export function requestStep(request: WaitingRequest): Step {
  const { id, amount } = request;
  if (amount === null) return { go: 'pay.requestAmount', set: { request } };
  return { ask: { kind: 'quote', type: 'payment_request', requestId: id }, set: { request } };
}

/** The page with the PIN, once the price is known. */
export function quotedStep(answer: Answer, next: 'pay.merchantPin' | 'pay.requestPin'): Step | null {
  return answer.kind === 'quote' ? { go: next, set: { quote: answer.quote } } : null;
}

function paid(view: View, answer: Answer): Step | null {
  if (answer.kind !== 'pay') return null;
  const { transactionId: id, balance } = answer.receipt;
  const texts = { ...quoteTexts(known(view.values.quote)), balance: balanceText(view, balance), id };
  return { end: view.say('pay.done', texts) };
}

export const payScreens: Record<string, Screen> = {
  'pay.code': {
    text: ({ say }) => say('pay.ask'),
    entry({ say }, input) {
      const code = input.replaceAll(' ', '');
      if (REQUEST_CODE.test(code)) return { ask: { kind: 'findRequest', code } };
      if (MERCHANT_NUMBER.test(code)) return { go: 'pay.merchantAmount', set: { merchantNumber: code } };
      return { repeat: say('reason.code') };
    },
    answered: (_view, answer) =>
      answer.kind === 'findRequest' ? requestStep(answer.request) : quotedStep(answer, 'pay.requestPin'),
  },
  'pay.merchantAmount': {
    text: ({ say }) => say('amount.ask'),
    back: 'pay.code',
    entry({ say, values }, input) {
      const amount = readAmount(input);
      if (amount === null) return { repeat: say('reason.amount') };
      const merchantNumber = known(values.merchantNumber);
      return { ask: { kind: 'quote', type: 'merchant', merchantNumber, amount }, set: { amount } };
    },
    answered({ say }, answer) {
      const isUnknown = answer.kind === 'refused' && ['NOT_FOUND', 'INVALID_REQUEST'].includes(answer.code);
      if (isUnknown) return { go: 'pay.code', reason: say('reason.notFound') };
      return quotedStep(answer, 'pay.merchantPin');
    },
  },
  'pay.requestAmount': {
    text: ({ say }) => say('amount.ask'),
    entry({ say, values }, input) {
      const amount = readAmount(input);
      if (amount === null) return { repeat: say('reason.amount') };
      const { id: requestId } = known(values.request);
      return { ask: { kind: 'quote', type: 'payment_request', requestId, amount }, set: { amount } };
    },
    answered: (_view, answer) => quotedStep(answer, 'pay.requestPin'),
  },
  'pay.merchantPin': {
    secret: true,
    text: (view) => confirmText(view, 'pay.confirm'),
    entry({ values }, pin) {
      const { id } = known(values.quote);
      return { ask: { kind: 'pay', type: 'merchant', quoteId: known(id ?? undefined), pin } };
    },
    answered: paid,
  },
  'pay.requestPin': {
    secret: true,
    text: (view) => confirmText(view, 'pay.confirm'),
    entry({ values }, pin) {
      const { id } = known(values.quote);
      const { id: requestId } = known(values.request);
      return { ask: { kind: 'pay', type: 'payment_request', requestId, quoteId: known(id ?? undefined), pin } };
    },
    answered: paid,
  },
};
