// The languages of the public pages: which one a reader gets, and dates and amounts in it.
import { CURRENCY, formatMoney } from '../../kernel/money.ts';

export const LANGUAGES = ['en', 'kri'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', kri: 'Krio' };

function isLanguage(text: string | undefined): text is Language {
  return LANGUAGES.some((language) => language === text);
}

/** The reader's choice, else the first known language of Accept-Language, else English. */
export function languageFor(chosen: string | undefined, acceptLanguage: string): Language {
  if (isLanguage(chosen)) return chosen;
  const ranges = acceptLanguage.split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  const known = ranges.filter(({ language, quality }) => isLanguage(language) && quality > 0);
  const best = known.toSorted((a, b) => b.quality - a.quality)[0]?.language;
  return isLanguage(best) ? best : 'en';
}

/** 125000 → SLE 1,250.00 */
export function shownMoney(minorUnits: number): string {
  return `${CURRENCY} ${formatMoney(minorUnits).slice(0, -` ${CURRENCY}`.length)}`;
}

const MONTHS: Record<Language, readonly string[]> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  kri: 'Janwari Fɛbwari Mach Epril Me Jun Julay Ɔgɔs Sɛptɛmba Ɔktoba Novɛmba Disɛmba'.split(' '),
};

/** 19 November 2026, 14:05 GMT: Sierra Leone keeps GMT all year. */
export function shownTime(at: Date, language: Language): string {
  return `${shownDay(at, language)}, ${at.toISOString().slice(11, 16)} GMT`;
}

/** 19 November 2026 */
export function shownDay(at: Date, language: Language): string {
  return `${at.getUTCDate()} ${MONTHS[language][at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}
