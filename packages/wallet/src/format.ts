// Amounts and times as people write them in Sierra Leone, and what people type.
import { i18n } from '@lingui/core';

/** 125000 → SLE 1,250.00, on one line. */
export function money(minorUnits: number): string {
  const [whole = '', cents = ''] = (Math.abs(minorUnits) / 100).toFixed(2).split('.');
  return `${minorUnits < 0 ? '−' : ''}SLE\u00a0${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`;
}

const MONTHS: Record<string, readonly string[]> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  kri: 'Janwari Fɛbwari Mach Epril Me Jun Julay Ɔgɔs Sɛptɛmba Ɔktoba Novɛmba Disɛmba'.split(' '),
};

export function month(at: Date): string {
  return `${MONTHS[i18n.locale]?.[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}`;
}

/** 19 November, 14:05. Sierra Leone keeps GMT all year. */
export function time(iso: string): string {
  const at = new Date(iso);
  const year = at.getUTCFullYear() === new Date().getUTCFullYear() ? '' : ` ${at.getUTCFullYear()}`;
  return `${at.getUTCDate()} ${MONTHS[i18n.locale]?.[at.getUTCMonth()] ?? ''}${year}, ${iso.slice(11, 16)}`;
}

/** 19 Nov, 14:05, on one line. */
export function shortTime(iso: string): string {
  const at = new Date(iso);
  return `${at.getUTCDate()}\u00a0${MONTHS[i18n.locale]?.[at.getUTCMonth()]?.slice(0, 3) ?? ''},\u00a0${iso.slice(11, 16)}`;
}

/** 1234567890 → 1234 567 890, easier to read out. */
export function digits(text: string): string {
  return text.length === 10
    ? `${text.slice(0, 4)} ${text.slice(4, 7)} ${text.slice(7)}`
    : text.replace(/(\d{4})(?=\d)/g, '$1 ');
}
