// The title of the tab: the screen's, and nothing of it while the console is locked.
import { useEffect } from 'react';
import { session } from '../api/session.ts';

let screenTitle = '';

export function useTitle(title: string): void {
  useEffect(() => {
    screenTitle = title;
    setTitle();
  }, [title]);
}

function setTitle(): void {
  const { kind } = session.get();
  if (kind === 'out') screenTitle = '';
  const title = kind === 'out' ? 'Log in' : kind === 'locked' ? 'Locked' : screenTitle;
  document.title = title ? `${title} · Kissi` : 'Kissi';
}

session.subscribe(setTitle);
