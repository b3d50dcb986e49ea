// The agents' menu: take in cash, pay out a code, register a customer, see the float. The PIN is always the agent's.
import { shownMoney } from '../../../http/pages/language.ts';
import { readAmount, type Screen, type View } from '../engine/screen.ts';
import { fullName, known, nameScreen, quoteTexts, shownName } from './parts.ts';

/** Asks for the number of a customer. */
function customerScreen(next: string): Screen {
  return {
    text: ({ say }) => say('customer.ask'),
    back: 'agent',
    entry({ say, settings }, input) {
      const to = settings.readPhone(input);
      return to === null ? { repeat: say('reason.phone') } : { go: next, set: { to } };
    },
  };
}

function withAgentPin({ say }: View, text: string): string {
  return `${text}\n${say('agent.pin')}`;
}

export const agentScreens: Record<string, Screen> = {
  agent: {
    text: ({ say }) => say('agent.title'),
    items: ({ say, state }) => [
      { label: say('agent.cashIn'), step: { go: 'cashIn.who' } },
      { label: say('agent.redeem'), step: { go: 'redeem.who' } },
      { label: say('agent.invite'), step: { go: 'invite.who' } },
      { label: say('agent.float'), step: { go: 'agent.float' } },
      ...(state.person.customer ? [] : [{ label: say('agent.wallet'), step: { go: 'welcome' } }]),
    ],
  },
  'agent.float': {
    secret: true,
    text: ({ say }) => say('agent.pin'),
    entry: (_view, pin) => ({ ask: { kind: 'float', pin } }),
    answered: ({ say }, answer) =>
      answer.kind === 'float' ? { end: say('float.shown', { amount: shownMoney(answer.float) }) } : null,
  },
  'cashIn.who': customerScreen('cashIn.amount'),
  'cashIn.amount': {
    text: ({ say }) => say('amount.ask'),
    back: 'cashIn.who',
    entry({ say, values }, input) {
      const amount = readAmount(input);
      if (amount === null) return { repeat: say('reason.amount') };
      return { ask: { kind: 'cashInQuote', phone: known(values.to), amount }, set: { amount } };
    },
    answered({ say }, answer) {
      if (answer.kind === 'cashInQuote') return { go: 'cashIn.pin', set: { quote: answer.quote } };
      const isUnknown = answer.kind === 'refused' && answer.code === 'SUBSCRIBER_NOT_FOUND';
      return isUnknown ? { go: 'cashIn.who', reason: say('reason.noWallet') } : null;
    },
  },
  'cashIn.pin': {
    secret: true,
    text(view) {
      const { say, values } = view;
      const texts = { ...quoteTexts(known(values.quote)), to: known(values.to) };
      return withAgentPin(view, say('cashIn.confirm', texts));
    },
    entry: ({ values }, pin) => ({
      ask: { kind: 'cashIn', phone: known(values.to), amount: known(values.amount), pin },
    }),
    answered({ say, values }, answer) {
      if (answer.kind !== 'cashIn') return null;
      return { end: say('cashIn.done', { ...quoteTexts(known(values.quote)), id: answer.receipt.transactionId }) };
    },
  },
  'redeem.who': customerScreen('redeem.code'),
  'redeem.code': {
    text: ({ say }) => say('customer.code'),
    back: 'redeem.who',
    entry({ say }, input) {
      const code = input.replaceAll(' ', '');
      return /^\d{8}$/.test(code) ? { go: 'redeem.pin', set: { code } } : { repeat: say('reason.code') };
    },
  },
  'redeem.pin': {
    secret: true,
    text(view) {
      const { say, values } = view;
      return withAgentPin(view, say('redeem.confirm', { code: known(values.code), to: known(values.to) }));
    },
    entry: ({ values }, pin) => ({ ask: { kind: 'redeem', phone: known(values.to), code: known(values.code), pin } }),
    answered({ say }, answer) {
      if (answer.kind === 'redeem') {
        const { name, amount, transactionId: id } = answer;
        return { end: say('redeem.done', { name: shownName(name), amount: shownMoney(amount), id }) };
      }
      const isWrongCode = answer.kind === 'refused' && ['INVALID_CODE', 'NOT_FOUND'].includes(answer.code);
      return isWrongCode ? { go: 'redeem.code', reason: say('reason.code') } : null;
    },
  },
  'invite.who': customerScreen('invite.first'),
  'invite.first': nameScreen('customer.first', 'firstName', 'invite.last'),
  'invite.last': nameScreen('customer.last', 'lastName', 'invite.pin'),
  'invite.pin': {
    secret: true,
    text(view) {
      const { say, values } = view;
      return withAgentPin(view, say('invite.confirm', { name: fullName(values), to: known(values.to) }));
    },
    entry({ values }, pin) {
      const { to, firstName, lastName } = values;
      return {
        ask: {
          kind: 'invite',
          ...{ phone: known(to), firstName: known(firstName), lastName: known(lastName), pin },
        },
      };
    },
    answered({ say, values }, answer) {
      if (answer.kind === 'refused' && answer.code === 'REQUEST_CONFLICT') return { end: say('invite.taken') };
      if (answer.kind !== 'invite') return null;
      return { end: say('invite.done', { name: fullName(values), to: known(values.to) }) };
    },
  },
};
