// Short messages at the edge of the page: what was done, and what failed.
import { KissiError } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Notification } from '@mantine/core';
import { createStore, useStore } from '../api/store.ts';
import { Icon } from './icon.tsx';
import classes from './notices.module.css';

interface Notice {
  id: number;
  text: string;
  title?: string;
  isFailure: boolean;
}

const SHOWN_MS = 6_000;
const notices = createStore<Notice[]>([]);
let last = 0;

export function notify(text: string): void {
  add({ text, isFailure: false });
}

export function notifyFailure(error: unknown): void {
  const title = error instanceof KissiError ? error.code : 'Error';
  add({ title, text: error instanceof Error ? error.message : String(error), isFailure: true });
}

function add(notice: Omit<Notice, 'id'>): void {
  const id = ++last;
  notices.set([...notices.get(), { id, ...notice }]);
  // Failures stay until they are closed.
  if (!notice.isFailure) setTimeout(() => remove(id), SHOWN_MS);
}

export const clearNotices = () => notices.set([]);

const remove = (id: number) => notices.set(notices.get().filter((notice) => notice.id !== id));

export function Notices() {
  const { t } = useLingui();
  return (
    <div className={classes.notices} role="status" aria-live="polite">
      {useStore(notices).map(({ id, text, title, isFailure }) => (
        <Notification
          key={id}
          color={isFailure ? 'red' : 'kissi'}
          icon={<Icon name={isFailure ? 'alert' : 'approve'} size={16} />}
          {...(title ? { title } : {})}
          onClose={() => remove(id)}
          closeButtonProps={{ 'aria-label': t`Close` }}
          withBorder
        >
          {text}
        </Notification>
      ))}
    </div>
  );
}
