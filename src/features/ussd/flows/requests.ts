// Payment requests that wait: pay or decline them.
import { shownMoney } from '../../../http/pages/language.ts';
import type { Screen } from '../engine/screen.ts';
import { known, shownName } from './parts.ts';
import { quotedStep, requestStep } from './pay.ts';

export const requestScreens: Record<string, Screen> = {
  requests: {
    text: ({ say }) => say('requests.title'),
    items: ({ say, values }) =>
      known(values.requests).map((request) => ({
        label: `${shownName(request.payeeName)} ${request.amount === null ? say('requests.anyAmount') : shownMoney(request.amount)}`,
        step: { go: 'requests.one', set: { request } },
      })),
  },
  'requests.one': {
    text({ say, values }) {
      const { payeeName, amount } = known(values.request);
      const asked = amount === null ? say('requests.anyAmount') : shownMoney(amount);
      return say('requests.open', { name: shownName(payeeName), amount: asked });
    },
    items({ say, values }) {
      const request = known(values.request);
      return [
        { label: say('requests.approve'), step: requestStep(request) },
        { label: say('requests.decline'), step: { ask: { kind: 'decline', requestId: request.id } } },
      ];
    },
    back: 'requests',
    answered({ say, values }, answer) {
      if (answer.kind !== 'decline') return quotedStep(answer, 'pay.requestPin');
      return { end: say('requests.declined', { name: shownName(known(values.request).payeeName) }) };
    },
  },
};
