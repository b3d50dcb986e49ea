// Buttons for the previous and the next page of a list.
import { useLingui } from '@lingui/react/macro';
import { ActionIcon, Group } from '@mantine/core';
import { Icon } from '../icon.tsx';

interface PageButtonsProps {
  previous?: (() => void) | undefined;
  next?: (() => void) | undefined;
}

export function PageButtons({ previous, next }: PageButtonsProps) {
  const { t } = useLingui();
  if (!previous && !next) return null;
  return (
    <Group gap={4}>
      <ActionIcon variant="default" size="lg" aria-label={t`Previous page`} disabled={!previous} onClick={previous}>
        <Icon name="chevronLeft" />
      </ActionIcon>
      <ActionIcon variant="default" size="lg" aria-label={t`Next page`} disabled={!next} onClick={next}>
        <Icon name="chevronRight" />
      </ActionIcon>
    </Group>
  );
}
