// Says that earlier payments are archived: a list that ends there must not look complete.
import { useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { date } from '../format/time.ts';

export function Archived({ before }: { before: string | undefined }) {
  const { t } = useLingui();
  if (before === undefined) return null;
  const day = date(before);
  return <Text size="sm" c="dimmed">{t`Payments before ${day} are archived and not shown.`}</Text>;
}
