// One screen: its title, its content, and at the bottom, where the thumb is, its action and the way back.
import { t } from '@lingui/core/macro';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { go, back as goBack } from '../router.ts';
import { Brand } from './brand.tsx';
import { Icon } from './icon.tsx';

interface ScreenProps {
  title: string;
  /** What the button at the bottom says; without it there is none. */
  action?: string;
  onAction?: () => unknown;
  /** The action is under way. */
  isBusy?: boolean;
  /** Instead of the last screen; null: there is no way back. */
  back?: (() => void) | null;
  /** Fields are near the thumb, above the keyboard. */
  isForm?: boolean;
  /** Before the login, customers see whose page it is. */
  hasBrand?: boolean;
  children: ComponentChildren;
}

/** The action is also the Enter key's, in any field. */
export function Screen({
  title,
  action,
  onAction,
  isBusy = false,
  back = goBack,
  isForm = false,
  hasBrand = false,
  children,
}: ScreenProps) {
  const heading = useHeading(title);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isBusy) onAction?.();
  };
  return (
    <form class="screen" onSubmit={submit} autocomplete="off" noValidate>
      <header class="top">
        {hasBrand && <Brand />}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </header>
      <main class={isForm ? 'low' : undefined}>
        <Offline />
        {children}
      </main>
      {(back || action) && (
        <footer class="bar">
          {back && (
            <button type="button" class="round" onClick={back} aria-label={t`Back`}>
              <Icon name="back" />
            </button>
          )}
          {action && (
            <button type="submit" aria-disabled={isBusy}>
              {isBusy ? t`One moment …` : action}
            </button>
          )}
        </footer>
      )}
    </form>
  );
}

/** Readers of the screen hear where they are. */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    scrollTo(0, 0);
    if (!document.activeElement?.matches('input')) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return heading;
}

export function Offline() {
  const [isOffline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const update = () => setOffline(!navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }, []);
  return <div role="status">{isOffline && <p class="note warm">{t`No connection. What you see may be old.`}</p>}</div>;
}

export function Link({ to, children, ...rest }: { to: string; class?: string; children: ComponentChildren }) {
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={`/wallet${to}`} onClick={open} {...rest}>
      {children}
    </a>
  );
}
