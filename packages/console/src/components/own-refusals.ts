// Refusals on agents' and merchants' screens: in Krio by their code, with words that are loaded in Krio only.

import { useEffect } from 'react';
import { session } from '../api/session.ts';
import { createStore, useStore } from '../api/store.ts';
import { i18n } from '../app/language.ts';

type Words = typeof import('./own/refusal-words.ts').refusalWords;

const loaded = createStore<Words | null>(null);

/** Early, so that they are there when the connection is not. Without them the service's own sentence is shown. */
export async function loadRefusalWords(): Promise<void> {
  if (i18n.locale === 'en' || loaded.get()) return;
  const { refusalWords } = await import('./own/refusal-words.ts');
  loaded.set(refusalWords);
}

/** Whether the user is an agent or a merchant. */
function useIsOwn(): boolean {
  const state = useStore(session);
  return 'user' in state && Boolean(state.user.agent_id ?? state.user.processor_id);
}

/** `words`: the sentence in the user's language; undefined if it is the service's. */
export function useOwnRefusal(error: unknown) {
  const isOwn = useIsOwn();
  const translate = useStore(loaded);
  useEffect(() => {
    if (isOwn && error) void loadRefusalWords().catch(() => undefined);
  }, [isOwn, error]);
  return { isOwn, words: isOwn && i18n.locale !== 'en' ? translate?.(error) : undefined };
}
