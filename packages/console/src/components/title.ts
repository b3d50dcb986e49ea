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

export function useTitle(title: string): void {
  useEffect(() => {
    screenTitle = title;
    const path = location.pathname.slice('/console'.length);
    visits = [{ path, title }, ...visits.filter((visit) => visit.path !== path)].slice(0, MAX_VISITS);
    setTitle();
  }, [title]);
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
