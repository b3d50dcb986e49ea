// The title of the tab: the screen's, and nothing of it while the console is locked.
import { useEffect } from 'react';
import { session } from '../api/session.ts';

export interface Visit {
  path: string;
  title: string;
}

const MAX_VISITS = 30;
let screenTitle = '';
/** The screens of this session, the last one first. In memory only: titles are names of customers. */
let visits: Visit[] = [];

export const visitedScreens = (): readonly Visit[] => visits;

/** `isRemembered`: false for politically exposed persons, whose access ends before the session. */
export function useTitle(title: string, isRemembered = true): void {
  useEffect(() => {
    screenTitle = title;
    const path = location.pathname.slice('/console'.length);
    const others = visits.filter((visit) => visit.path !== path);
    visits = isRemembered ? [{ path, title }, ...others].slice(0, MAX_VISITS) : others;
    setTitle();
  }, [title, isRemembered]);
}

function setTitle(): void {
  const { kind } = session.get();
  if (kind === 'out') {
    screenTitle = '';
    visits = [];
  }
  const title = kind === 'out' ? 'Log in' : kind === 'locked' ? 'Locked' : screenTitle;
  document.title = title ? `${title} · Kissi` : 'Kissi';
}

session.subscribe(setTitle);
