// Locks the console after 15 minutes without a key or click in any tab. The page below stays, so that nothing typed is lost.
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { lock, session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { overlay } from '../components/overlay.ts';

/** Loaded when it is needed, because dialogs are a large part of what agents would load otherwise. */
const LockDialog = lazy(() => import('./lock-dialog.tsx'));

const IDLE_MS = 15 * 60_000;
const CHECK_MS = 5_000;
/** How often a tab tells the others that it is in use. */
const TELL_MS = 10_000;
const ACTIVITY = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

export function IdleLock({ children }: { children: ReactNode }) {
  const state = useStore(session);
  useIdle(lock);
  const isLocked = state.kind === 'locked';
  // Secrets that are shown once stay if the session ends, as it does with the first second factor.
  const isCovered = useStore(overlay) !== null && isLocked && state.ended;
  useHiddenDialogs(isLocked && !isCovered);
  return (
    <>
      <div inert={isLocked} style={{ visibility: isLocked ? 'hidden' : 'visible' }}>
        {children}
      </div>
      {isLocked && !isCovered && (
        <Suspense>
          <LockDialog email={state.user.email} ended={state.ended} />
        </Suspense>
      )}
    </>
  );
}

/** Open dialogs are beside the page in the document, and their content must not be read while the console is locked. */
function useHiddenDialogs(isLocked: boolean): void {
  useLayoutEffect(() => {
    if (!isLocked) return;
    const dialogs = [...document.querySelectorAll<HTMLElement>('body > :not(#root, script)')];
    const set = (isHidden: boolean) => {
      for (const dialog of dialogs) {
        dialog.inert = isHidden;
        dialog.style.visibility = isHidden ? 'hidden' : '';
      }
    };
    set(true);
    return () => set(false);
  }, [isLocked]);
}

/** Compares instants, because timers do not run while a computer sleeps. */
function useIdle(onIdle: () => void): void {
  const last = useRef(Date.now());
  const told = useRef(0);
  useEffect(() => {
    // All tabs share one session, so a tab in the background must not end it while another one is in use.
    const tabs = new BroadcastChannel('kissi-activity');
    tabs.onmessage = () => {
      last.current = Date.now();
    };
    const note = () => {
      last.current = Date.now();
      if (last.current - told.current < TELL_MS) return;
      told.current = last.current;
      tabs.postMessage(null);
    };
    const check = () => {
      if (Date.now() - last.current < IDLE_MS) return;
      last.current = Date.now();
      onIdle();
    };
    for (const event of ACTIVITY) addEventListener(event, note, { passive: true, capture: true });
    document.addEventListener('visibilitychange', check);
    const timer = setInterval(check, CHECK_MS);
    return () => {
      for (const event of ACTIVITY) removeEventListener(event, note, { capture: true });
      document.removeEventListener('visibilitychange', check);
      clearInterval(timer);
      tabs.close();
    };
  }, [onIdle]);
}
