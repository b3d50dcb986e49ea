// What several screens share: names, amounts, and the page that takes the PIN.
import { shownMoney } from '../../../http/pages/language.ts';
import { toGsm } from '../../../kernel/gsm.ts';
import { oneLine } from '../../../kernel/text.ts';
import type { Screen, View } from '../engine/screen.ts';
import type { Quote, Values } from '../engine/state.ts';
import type { TextKey } from '../menus/index.ts';

/** Longer names of merchants and people are cut. */
const NAME_LENGTH = 25;

export function shownName(name: string): string {
  const line = toGsm(oneLine(name) ?? '').replace(/[\s^{}\\[~\]|€]+/g, ' ');
  return line.length <= NAME_LENGTH ? line : `${line.slice(0, NAME_LENGTH - 1).trimEnd()}.`;
}

/** What was looked up before the page that shows it. */
export function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a page lacks what an earlier page should have found');
  return value;
}

/** A new balance, if the service says it. */
export function balanceText({ say }: View, balance: number | null): string {
  return balance === null ? '' : say('balance', { amount: shownMoney(balance) });
}

export function quoteTexts({ name, amount, fee }: Quote): Record<'name' | 'amount' | 'fee', string> {
  return { name: shownName(name), amount: shownMoney(amount), fee: shownMoney(fee) };
}

/** Name and fee, and the PIN last. */
export function confirmText(view: View, key: TextKey, texts: Record<string, string> = {}): string {
  const { say, values } = view;
  return `${say(key, { ...quoteTexts(known(values.quote)), ...texts })}\n${say('pin.cancel')}`;
}

const LETTERS = /^\p{L}[\p{L}\p{M}'’ .-]{0,39}$/u;

/** Asks for a part of a name, and goes on. */
export function nameScreen(key: TextKey, field: 'firstName' | 'lastName', next: string): Screen {
  return {
    text: ({ say }) => say(key),
    entry: ({ say }, input) => {
      if (!LETTERS.test(input)) return { repeat: say('reason.name') };
      const set: Values = { [field]: input };
      return { go: next, set };
    },
  };
}

export function fullName({ firstName = '', lastName = '' }: Values): string {
  return shownName(`${firstName} ${lastName}`);
}
