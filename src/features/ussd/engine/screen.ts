// A screen as a value: what its page says, what can be answered, and where each answer leads.
import type { Language } from '../../../http/pages/language.ts';
import type { TextKey } from '../menus/index.ts';
import type { Answer, Effect, State, Values } from './state.ts';

/** What the engine needs to know besides the state. */
export interface Settings {
  /** Characters of the GSM 7-bit alphabet on a page. */
  pageLimit: number;
  operator: string;
  /** The number of customer support; empty: there is none. */
  support: string;
  /** A keyed hash of a PIN, for this session only. */
  markPin(pin: string): string;
  /** E.164, or null if the text is not a phone number. */
  readPhone(text: string): string | null;
}

export interface View {
  state: State;
  values: Values;
  settings: Settings;
  /** A text of the menus in the session's language. */
  say(key: TextKey, values?: Record<string, string | number>): string;
}

export type Step =
  /** Another screen, `home` for the first menu. `set` adds to what is remembered; `forget` removes it all. */
  | { go: string; set?: Values; reason?: string; language?: Language; forget?: true; offset?: number }
  /** The same page again, with the reason. */
  | { repeat: string }
  | { ask: Effect; set?: Values }
  | { end: string };

export interface Item {
  label: string;
  /** Absent: a line to read, which cannot be chosen. */
  step?: Step;
}

export interface Screen {
  text(view: View): string;
  /** A numbered list. */
  items?(view: View): Item[];
  /** Choices that the page does not show. */
  hidden?(view: View, input: string): Step | null;
  /** What is typed. */
  entry?(view: View, input: string): Step;
  /** The answer is a PIN, which is never remembered, and never taken from a dialled string. */
  secret?: true;
  /** The service's answer to what this screen asked. Refusals reach it first; null: the usual handling. */
  answered?(view: View, answer: Answer): Step | null;
  /** Where 0 leads; null: 0 has no meaning. Absent: the first menu. */
  back?: string | null;
}

const LEONES = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/** What people type, in leones: 50 or 12.5. Null if it is no amount. */
export function readAmount(text: string): number | null {
  const [, whole, cents = ''] = LEONES.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const amount = Number(whole) * 100 + Number(cents.padEnd(2, '0'));
  return Number.isSafeInteger(amount) && amount > 0 ? amount : null;
}
