// What a close of the day would sign now: its figures, and what is still open.
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Facts } from '../../../components/facts.tsx';
import { Icon } from '../../../components/icon.tsx';
import { RefusalNotice } from '../../../components/states.tsx';
import { count, money, ratioInPercent } from '../../../format/money.ts';

const readFigures = (day: string) => (options: { signal: AbortSignal }) => kissi.closes.figures(day, options);

export const useFigures = (day: string) =>
  useRead(['closes', 'figures', day], readFigures(day), { enabled: day !== '', keepPrevious: true });

export function DayFigures({ read: { data, error } }: { read: ReturnType<typeof useFigures> }) {
  const { t } = useLingui();
  if (error) return <RefusalNotice error={error} />;
  if (!data) return <Text size="sm" c="dimmed" role="status">{t`Reading the figures…`}</Text>;
  const { suspense, unmatched_bank: bank, unmatched_books: books, ...figures } = data.figures;
  const open = (items: typeof bank) => `${count(items.count)} · ${money(items.amount)}`;
  const openItems = suspense.count + bank.count + books.count;
  return (
    <>
      <Facts
        facts={[
          [t`Cover ratio`, figures.cover_ratio === null ? '–' : ratioInPercent(figures.cover_ratio)],
          [t`Trust money less e-money`, figures.cover_difference === null ? null : money(figures.cover_difference)],
          [t`E-money`, money(figures.e_money)],
          [t`Trust money`, money(figures.trust_balance)],
          [t`Owed by partners`, money(figures.owed_by_partners)],
          [t`Suspense`, open(suspense)],
          [t`Unmatched at the banks`, open(bank)],
          [t`Unmatched in the books`, open(books)],
          [t`Statements missing`, count(figures.statements_missing)],
        ]}
      />
      {(openItems > 0 || figures.statements_missing > 0) && (
        <Alert color="yellow" icon={<Icon name="alert" />} role="status">
          <Trans>The document will show these open items. What is matched later needs a correction.</Trans>
        </Alert>
      )}
    </>
  );
}
