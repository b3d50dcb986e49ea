// The language of the texts. English texts are in the screens; the Krio ones are loaded when they are chosen.
import { i18n } from '@lingui/core';

export const LANGUAGES = { en: 'English', kri: 'Krio' } as const;
export type Language = keyof typeof LANGUAGES;

const STORED_AS = 'kissi-language';

i18n.setMessagesCompiler((text) => [text]);

export async function setLanguage(locale: Language): Promise<void> {
  const messages = locale === 'en' ? {} : (await import('./locales/kri.po')).messages;
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale;
  localStorage.setItem(STORED_AS, locale);
}

export const language = () => i18n.locale as Language;

/** The console of this origin shares the choice. English if the texts cannot be loaded. */
export async function startLanguage(): Promise<void> {
  const chosen = localStorage.getItem(STORED_AS) === 'kri' || /^kri/.test(navigator.language) ? 'kri' : 'en';
  await setLanguage(chosen).catch(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
}
