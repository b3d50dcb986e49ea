// Open a wallet for the number that dials: a name and a PIN. Dialling proves the number.
import type { Item, Screen, View } from '../engine/screen.ts';
import { fullName, known, nameScreen, shownName } from './parts.ts';

function invitedItems({ say, state }: View): Item[] {
  const { invitation } = state.person;
  if (!invitation) return [{ label: say('welcome.open'), step: { go: 'register.first' } }];
  const { firstName, lastName } = invitation;
  return [
    { label: say('welcome.accept'), step: { go: 'register.pin', set: { firstName, lastName } } },
    { label: say('welcome.otherName'), step: { go: 'register.first' } },
  ];
}

export const registerScreens: Record<string, Screen> = {
  welcome: {
    text({ say, state, settings }) {
      const { invitation } = state.person;
      const operator = shownName(settings.operator);
      if (!invitation) return say('welcome.title', { operator });
      const agent = shownName(invitation.agentName);
      return say('welcome.invited', { agent, operator, name: fullName(invitation) });
    },
    items(view) {
      const { say, state } = view;
      const language = state.language === 'en' ? 'kri' : 'en';
      return [...invitedItems(view), { label: say('welcome.otherLanguage'), step: { go: 'welcome', language } }];
    },
  },
  'register.first': nameScreen('register.first', 'firstName', 'register.last'),
  'register.last': nameScreen('register.last', 'lastName', 'register.pin'),
  'register.pin': {
    secret: true,
    text: ({ say }) => say('register.pin'),
    entry: ({ settings }, pin) => ({ go: 'register.again', set: { pinMark: settings.markPin(pin) } }),
  },
  'register.again': {
    secret: true,
    text: ({ say }) => say('pin.again'),
    entry({ say, settings, values }, pin) {
      if (settings.markPin(pin) !== values.pinMark) return { go: 'register.pin', reason: say('reason.pinsDiffer') };
      const { firstName, lastName } = values;
      return { ask: { kind: 'register', firstName: known(firstName), lastName: known(lastName), pin } };
    },
    answered({ say, values }, answer) {
      if (answer.kind === 'register')
        return { end: say('register.done', { name: shownName(known(values.firstName)) }) };
      const isPinRefused = answer.kind === 'refused' && answer.code === 'INVALID_PIN';
      return isPinRefused ? { go: 'register.pin', reason: say('reason.pinCommon') } : null;
    },
  },
};
