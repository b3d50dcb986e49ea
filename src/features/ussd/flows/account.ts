// The customer's account. What it holds is shown after the PIN: phones are lent and lost.

import { LANGUAGES, shownMoney } from '../../../http/pages/language.ts';
import type { Screen, Step, View } from '../engine/screen.ts';
import type { Answer } from '../engine/state.ts';
import { known, shownName } from './parts.ts';

export const accountScreens: Record<string, Screen> = {
  account: {
    text: ({ say }) => say('account.title'),
    items: ({ say }) => [
      { label: say('account.balance'), step: { go: 'account.unlock', set: { shows: 'balance' } } },
      { label: say('account.history'), step: { go: 'account.unlock', set: { shows: 'history' } } },
      { label: say('account.limits'), step: { go: 'account.unlock', set: { shows: 'limits' } } },
      { label: say('account.pin'), step: { go: 'pin.current' } },
      { label: say('account.language'), step: { go: 'account.language' } },
      { label: say('account.code'), step: { ask: { kind: 'loginCode' } } },
    ],
    answered({ say }, answer) {
      if (answer.kind !== 'loginCode') return null;
      const { code, minutes } = answer;
      return { end: say('code.shown', { code, minutes }) };
    },
  },
  'account.unlock': {
    secret: true,
    text: ({ say }) => say('pin.cancel'),
    entry: ({ values }, pin) => ({ ask: { kind: known(values.shows), pin } }),
    answered: shown,
  },
  'account.history': {
    text: ({ say }) => say('history.title'),
    items: ({ values }) =>
      known(values.history).map(({ at, amount, name }) => {
        const sign = amount < 0 ? '-' : '+';
        return { label: `${at} ${sign}${shownMoney(Math.abs(amount))} ${shownName(name)}` };
      }),
  },
  'account.language': {
    text: ({ say }) => say('language.title'),
    items: ({ say }) =>
      LANGUAGES.map((language) => ({
        label: say(`language.${language}`),
        step: { ask: { kind: 'setLanguage', language } },
      })),
    back: 'account',
    answered: (_view, answer) =>
      answer.kind === 'setLanguage' ? { go: 'home', language: answer.language, forget: true } : null,
  },
};

function shown({ say }: View, answer: Answer): Step | null {
  switch (answer.kind) {
    case 'balance': {
      const { available, held } = answer;
      const key = held === 0 ? 'balance.shown' : 'balance.held';
      return { end: say(key, { available: shownMoney(available), held: shownMoney(held) }) };
    }
    case 'limits': {
      const { leftToday, daily, maxBalance } = answer;
      const texts = { left: shownMoney(leftToday), daily: shownMoney(daily), max: shownMoney(maxBalance) };
      return { end: say('limits.shown', texts) };
    }
    case 'history': {
      const { history } = answer;
      return history.length === 0 ? { end: say('history.none') } : { go: 'account.history', set: { history } };
    }
    default:
      return null;
  }
}
