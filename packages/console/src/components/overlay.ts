// What is shown above the login and all screens, whatever happens to the session below.
import type { ReactNode } from 'react';
import { createStore } from '../api/store.ts';

export const overlay = createStore<ReactNode>(null);
