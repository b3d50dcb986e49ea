// What a partner owes, against the most that it may owe.
import type { Partner } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Progress, Text } from '@mantine/core';
import { amount, money, percent } from '../../format/money.ts';
import classes from './partners.module.css';

const WARNING = 0.75;
const DANGER = 0.9;

const shareOf = ({ outstanding, outstanding_limit }: Partner) =>
  outstanding_limit > 0 ? Math.max(0, outstanding) / outstanding_limit : 0;

function Bar({ partner }: { partner: Partner }) {
  const { t } = useLingui();
  const share = shareOf(partner);
  const colour = share >= DANGER ? 'red.8' : share >= WARNING ? 'yellow.6' : 'kissi';
  const name = partner.name;
  return (
    <Progress.Root size="md" className={classes.bar ?? ''}>
      <Progress.Section
        value={Math.min(100, Math.round(share * 10_000) / 100)}
        color={colour}
        aria-label={t`Share of the limit that ${name} owes`}
      />
    </Progress.Root>
  );
}

/** For a list's row. */
export function ShortDebt({ partner }: { partner: Partner }) {
  return (
    <div className={classes.debt}>
      <Text inherit className={classes.number ?? ''}>
        {amount(partner.outstanding)}
      </Text>
      <Bar partner={partner} />
    </div>
  );
}

export function Debt({ partner }: { partner: Partner }) {
  const { t } = useLingui();
  const [limit, free] = [
    money(partner.outstanding_limit),
    money(Math.max(0, partner.outstanding_limit - partner.outstanding)),
  ];
  const share = percent(shareOf(partner));
  return (
    <div>
      <Text className={classes.owed ?? ''}>{money(partner.outstanding)}</Text>
      <Bar partner={partner} />
      <Text size="sm" c="dimmed" mt={6}>
        {t`${share} of the limit of ${limit}. It may owe ${free} more.`}
      </Text>
    </div>
  );
}
