// Leads from one alert to the next of the queue that nobody else reviews.
import type { ListedAlert } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { isHidden } from './words.ts';

/** Read from the queue, in its order. */
const READ = 100;

export function NextAlert({ id }: { id: string }) {
  const { t } = useLingui();
  const user = useUser();
  const { data } = useRead(['alerts', 'next'], (options) =>
    kissi.alerts.list({ pending: 'true', sort: 'due_at', limit: String(READ) }, options),
  );
  const next = data && nextOf(data.alerts, id, user.id);
  if (!next) return null;
  return (
    <Button
      variant="default"
      rightSection={<Icon name="chevronRight" size={16} />}
      renderRoot={(root) => <Link to={`/alerts/${next.id}`} {...root} />}
    >
      {t`Next alert`}
    </Button>
  );
}

/** After the last one, the queue begins again. A closed alert is no longer in it: then its first is next. */
export function nextOf(queue: ListedAlert[], id: string, userId: string): ListedAlert | undefined {
  const at = queue.findIndex((alert) => alert.id === id);
  const inOrder = [...queue.slice(at + 1), ...queue.slice(0, Math.max(at, 0))];
  return inOrder.find((alert) => !isHidden(alert) && (alert.assigned_to ?? userId) === userId);
}
