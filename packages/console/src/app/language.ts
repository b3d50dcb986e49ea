// The language of the texts. Dates and amounts are written as in Sierra Leone in both languages.
import { i18n } from '@lingui/core';
import type { Part } from './krio.ts';

export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'kri', name: 'Krio' },
] as const;

export type Language = (typeof LANGUAGES)[number]['code'];

const STORED_AS = 'kissi-language';

const loaded = new Set<Part>();

/** English texts are in the screens that show them, so that nobody loads those of other screens. */
i18n.setMessagesCompiler((text) => [text]);

export { i18n };

export async function setLanguage(language: Language): Promise<void> {
  const messages = language === 'en' ? {} : await (await import('./krio.ts')).krioMessages(loaded);
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
  localStorage.setItem(STORED_AS, language);
}

/** English, which needs no file, if the texts of the chosen language cannot be loaded. */
export const startLanguage = () =>
  setLanguage(storedLanguage()).catch(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

export function storedLanguage(): Language {
  return localStorage.getItem(STORED_AS) === 'kri' ? 'kri' : 'en';
}

export async function loadTexts(part: Part): Promise<void> {
  if (loaded.has(part)) return;
  loaded.add(part);
  if (i18n.locale !== 'en') await setLanguage(storedLanguage());
}
