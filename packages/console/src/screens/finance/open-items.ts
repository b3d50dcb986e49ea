// What is open before a day can be closed, from the overview.
import type { GetOverviewReply } from '@kissi/client';

export type Finance = NonNullable<GetOverviewReply['finance']>;
export type Ages = Finance['suspense'];

export const sumOf = ({ under_1_day, under_3_days, under_7_days, older }: Ages) =>
  under_1_day + under_3_days + under_7_days + older;

/** Without a match. Today's movements have no statement yet. */
export const openUntilYesterday = ({ bank, books }: Finance['unmatched']) => ({
  bank: sumOf(bank),
  books: sumOf(books) - books.under_1_day,
});

/** All of them, as the navigation and the overview count them. */
export const openNow = ({ bank, books }: Finance['unmatched']) => ({
  bank: sumOf(bank),
  books: sumOf(books),
  today: books.under_1_day,
});

/** What finance does next to close the day: record its statements, match the items, or close it. */
export function stepBeforeClose(day: string, { statements, unmatched }: Pick<Finance, 'statements' | 'unmatched'>) {
  if (statements.missing > 0 && (statements.covered_until ?? '') < day) return { step: 'record' } as const;
  const { bank, books } = openUntilYesterday(unmatched);
  return bank + books > 0 ? ({ step: 'match', open: bank + books } as const) : ({ step: 'close' } as const);
}
