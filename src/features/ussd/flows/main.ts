// The first menu of a customer.
import type { Screen } from '../engine/screen.ts';
import { shownName } from './parts.ts';

export const mainScreens: Record<string, Screen> = {
  main: {
    text: ({ say, settings }) => say('main.title', { operator: shownName(settings.operator) }),
    items({ say, state }) {
      const { agent } = state.person;
      return [
        { label: say('main.send'), step: { go: 'send.who' } },
        { label: say('main.withdraw'), step: { go: 'withdraw.amount' } },
        { label: say('main.pay'), step: { go: 'pay.code' } },
        { label: say('main.account'), step: { go: 'account' } },
        { label: say('main.requests'), step: { ask: { kind: 'requests' } } },
        { label: say('main.problem'), step: { go: 'problem' } },
        ...(agent ? [{ label: say('main.agent'), step: { go: 'agent' } }] : []),
      ];
    },
    // What a payment request shows to be dialled has 0 before its code.
    hidden: (_view, input) => (input === '0' ? { go: 'pay.code' } : null),
    answered({ say }, answer) {
      if (answer.kind !== 'requests') return null;
      const { requests } = answer;
      return requests.length === 0 ? { end: say('requests.none') } : { go: 'requests', set: { requests } };
    },
    back: null,
  },
};
