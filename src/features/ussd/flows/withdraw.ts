// A code with which an agent pays out cash.
import { readAmount, type Screen } from '../engine/screen.ts';
import { confirmText, known, quoteTexts } from './parts.ts';

export const withdrawScreens: Record<string, Screen> = {
  'withdraw.amount': {
    text: ({ say }) => say('amount.ask'),
    entry({ say }, input) {
      const amount = readAmount(input);
      return amount === null
        ? { repeat: say('reason.amount') }
        : { ask: { kind: 'cashOutQuote', amount }, set: { amount } };
    },
    answered: (_view, answer) =>
      answer.kind === 'cashOutQuote' ? { go: 'withdraw.pin', set: { quote: answer.quote } } : null,
  },
  'withdraw.pin': {
    secret: true,
    text: (view) => confirmText(view, 'withdraw.confirm'),
    entry({ values }, pin) {
      const { amount, total } = known(values.quote);
      return { ask: { kind: 'cashOutCode', amount, total, pin } };
    },
    answered({ say, values }, answer) {
      if (answer.kind !== 'cashOutCode') return null;
      const { code, minutes } = answer;
      return { end: say('withdraw.done', { ...quoteTexts(known(values.quote)), code, minutes }) };
    },
  },
};
