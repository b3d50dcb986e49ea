// Send money to a phone or account number.
import { readAmount, type Screen } from '../engine/screen.ts';
import type { TextKey } from '../menus/index.ts';
import { balanceText, confirmText, known, quoteTexts } from './parts.ts';

const ACCOUNT_NUMBER = /^[1-9]\d{9}$/;

const ABOUT_NUMBER: Record<string, TextKey> = {
  SUBSCRIBER_NOT_FOUND: 'reason.noWallet',
  SAME_ACCOUNT: 'reason.same',
  INVALID_REQUEST: 'reason.who',
};

export const sendScreens: Record<string, Screen> = {
  'send.who': {
    text: ({ say }) => say('who.ask'),
    entry({ say, settings }, input) {
      const to = ACCOUNT_NUMBER.test(input) ? input : settings.readPhone(input);
      return to === null ? { repeat: say('reason.who') } : { go: 'send.amount', set: { to } };
    },
  },
  'send.amount': {
    text: ({ say }) => say('amount.ask'),
    back: 'send.who',
    entry({ say, values }, input) {
      const amount = readAmount(input);
      if (amount === null) return { repeat: say('reason.amount') };
      return { ask: { kind: 'quote', type: 'transfer', to: known(values.to), amount }, set: { amount } };
    },
    answered({ say }, answer) {
      if (answer.kind === 'quote') return { go: 'send.pin', set: { quote: answer.quote } };
      if (answer.kind !== 'refused') return null;
      const reason = ABOUT_NUMBER[answer.code];
      return reason ? { go: 'send.who', reason: say(reason) } : null;
    },
  },
  'send.pin': {
    secret: true,
    text: (view) => confirmText(view, 'send.confirm', { to: known(view.values.to) }),
    entry: ({ values }, pin) => {
      const { id } = known(values.quote);
      return { ask: { kind: 'pay', type: 'transfer', quoteId: known(id ?? undefined), pin } };
    },
    answered(view, answer) {
      if (answer.kind !== 'pay') return null;
      const { transactionId: id, balance } = answer.receipt;
      const texts = { ...quoteTexts(known(view.values.quote)), balance: balanceText(view, balance), id };
      return { end: view.say('send.done', texts) };
    },
  },
};
