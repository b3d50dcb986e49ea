// The text of a notice in the reader's language, in letters that an SMS has room for.
import type { Language } from '../../http/pages/language.ts';
import { toGsm } from '../../kernel/gsm.ts';
import type { Channel } from '../messaging/service.ts';
import { shownName } from './names.ts';
import { fillIn, type Values } from './template.ts';
import type { TextKey } from './texts/keys.ts';
import { TEXTS } from './texts/texts.ts';

/** Values that somebody typed: names and devices. */
const TYPED = ['device', 'payee', 'sender', 'party'];

export function wording(
  { language }: { language: Language },
  channel: Channel,
  key: TextKey,
  values: Readonly<Record<string, unknown>>,
): string {
  const shortened: Record<string, unknown> = { ...values };
  for (const name of TYPED) if (name in values) shortened[name] = shownName(String(values[name]));
  // A name may end with the point of an initial, and be the last word of a sentence.
  const text = fillIn(TEXTS[language][key], shortened as Values, language).replaceAll('..', '.');
  return channel === 'sms' ? toGsm(text) : text;
}
