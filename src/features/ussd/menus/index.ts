// The texts of the menus in each language. A new language is a file like these.
import type { Language } from '../../../http/pages/language.ts';
import { EN } from './en.ts';
import { KRI } from './kri.ts';

export type TextKey = keyof typeof EN;
type Texts = Record<TextKey, string>;

const MENUS: Record<Language, Texts> = { en: EN, kri: KRI };

/** Replaces {name} by the value of that name. */
/** Customer support's number behind its name, if there is one. */
export const supportAt = (support: string) => ({ at: support && ` (${support})` });

export function menuText(language: Language, key: TextKey, values: Record<string, string | number> = {}): string {
  const text = MENUS[language][key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
  // A name may end with the point of an initial, and be the last word of a sentence.
  return text.replaceAll('..', '.');
}
