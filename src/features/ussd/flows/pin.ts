// Change the PIN: the old one, then the new one twice.
import type { Screen } from '../engine/screen.ts';
import { known } from './parts.ts';

export const pinScreens: Record<string, Screen> = {
  'pin.current': {
    secret: true,
    text: ({ say }) => say('pin.current'),
    entry: (_view, pin) => ({ ask: { kind: 'checkPin', pin } }),
    answered: (_view, answer) =>
      answer.kind === 'checkPin' ? { go: 'pin.new', set: { pinVersion: answer.pinVersion } } : null,
  },
  'pin.new': {
    secret: true,
    text: ({ say }) => say('pin.new'),
    entry: ({ settings }, pin) => ({ go: 'pin.again', set: { pinMark: settings.markPin(pin) } }),
  },
  'pin.again': {
    secret: true,
    text: ({ say }) => say('pin.again'),
    entry({ say, settings, values }, pin) {
      if (settings.markPin(pin) !== values.pinMark) return { go: 'pin.new', reason: say('reason.pinsDiffer') };
      return { ask: { kind: 'changePin', pinVersion: known(values.pinVersion), pin } };
    },
    answered({ say }, answer) {
      if (answer.kind === 'changePin') return { end: say('pin.changed') };
      // The new PIN is refused: another one may do.
      const isRefused = answer.kind === 'refused' && answer.code === 'INVALID_PIN';
      return isRefused && answer.attemptsLeft === undefined ? { go: 'pin.new', reason: say('reason.pinCommon') } : null;
    },
  },
};
