// Secrets that are shown once, above all screens: they stay if the screen below changes.
import type { ReactNode } from 'react';
import { createStore } from '../api/store.ts';

interface Overlay {
  content: ReactNode;
  /** The service has ended the session by what made them, so they are shown without one. */
  endsSession: boolean;
}

export const overlay = createStore<Overlay | null>(null);
