// Lays out a page: a text, its choices, and what leads on. A list that is too long continues on further pages.
import { gsmLength } from '../../../kernel/gsm.ts';

export interface Page {
  text: string;
  /** The session ends with it. */
  ends: boolean;
  /** The next answer is a PIN. */
  awaitsPin?: true;
}

/** One line of a list. */
export interface Line {
  label: string;
  /** It can be chosen by its number. */
  isChoice: boolean;
}

export interface Layout {
  /** Before the list: a reason, and what the page asks. */
  heading: string;
  lines: readonly Line[];
  /** The first line shown. */
  offset: number;
  more: string;
  /** Null: nothing to go back to. */
  back: string | null;
}

/** 9 leads to further lines. */
const MAX_CHOICES = 8;
export const MORE = '9';
export const BACK = '0';

export interface LaidOut {
  text: string;
  /** How many lines of the list it shows. */
  shown: number;
}

/** Shows as many lines as fit, at least one. */
export function layOut({ heading, lines, offset, more, back }: Layout, limit: number): LaidOut {
  const rest = lines.slice(offset);
  for (let shown = Math.min(rest.length, MAX_CHOICES); shown > 0; shown -= 1) {
    const hasMore = shown < rest.length;
    const text = [
      heading,
      ...rest.slice(0, shown).map(({ label, isChoice }, index) => (isChoice ? `${index + 1} ${label}` : label)),
      ...(hasMore ? [`${MORE} ${more}`] : []),
      ...(back === null ? [] : [`${BACK} ${back}`]),
    ].join('\n');
    if (shown === 1 || lengthOf(text) <= limit) return { text, shown };
  }
  return { text: [heading, ...(back === null ? [] : [`${BACK} ${back}`])].join('\n'), shown: 0 };
}

/** Every text of a menu is in the alphabet, and what people typed is converted to it. */
function lengthOf(text: string): number {
  return gsmLength(text) ?? Number.POSITIVE_INFINITY;
}
