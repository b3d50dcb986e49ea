// Asks before typed text is lost. The question is loaded with the first field, so that it is there without a connection.
import { createElement } from 'react';
import { overlay } from './overlay.ts';

let asked: Promise<boolean> | null = null;

export const loadQuestion = () => import('./discard-question.tsx').catch(() => null);

/** True if the user discards it. */
export function askToDiscard(): Promise<boolean> {
  asked ??= ask().finally(() => {
    asked = null;
  });
  return asked;
}

async function ask(): Promise<boolean> {
  const question = await loadQuestion();
  // Secrets that are shown once must not be replaced.
  if (!question || overlay.get()) return false;
  return new Promise<boolean>((resolve) => {
    const content = createElement(question.DiscardQuestion, {
      answer(isDiscarded) {
        resolve(isDiscarded);
        overlay.set(null);
      },
    });
    overlay.set({ content, endsSession: false });
    // The end of the session removes the question without an answer.
    const stop = overlay.subscribe(() => {
      if (overlay.get()?.content === content) return;
      stop();
      resolve(false);
    });
  });
}
