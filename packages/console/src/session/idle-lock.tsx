// Locks the console after 15 minutes without a key or click. The page below stays, so that nothing typed is lost.
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { lock, session } from '../api/session.ts';
import { useStore } from '../api/store.ts';

/** Loaded when it is needed, because dialogs are a large part of what agents would load otherwise. */
const LockDialog = lazy(() => import('./lock-dialog.tsx'));

const IDLE_MS = 15 * 60_000;
const CHECK_MS = 5_000;
const ACTIVITY = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

export function IdleLock({ children }: { children: ReactNode }) {
  const state = useStore(session);
  useIdle(() => void lock());
  const isLocked = state.kind === 'locked';
  return (
    <>
      <div inert={isLocked} style={{ visibility: isLocked ? 'hidden' : 'visible' }}>
        {children}
      </div>
      {isLocked && (
        <Suspense>
          <LockDialog email={state.user.email} />
        </Suspense>
      )}
    </>
  );
}

/** Compares instants, because timers do not run while a computer sleeps. */
function useIdle(onIdle: () => void): void {
  const last = useRef(Date.now());
  useEffect(() => {
    const note = () => {
      last.current = Date.now();
    };
    const check = () => {
      if (Date.now() - last.current < IDLE_MS) return;
      note();
      onIdle();
    };
    for (const event of ACTIVITY) addEventListener(event, note, { passive: true, capture: true });
    document.addEventListener('visibilitychange', check);
    const timer = setInterval(check, CHECK_MS);
    return () => {
      for (const event of ACTIVITY) removeEventListener(event, note, { capture: true });
      document.removeEventListener('visibilitychange', check);
      clearInterval(timer);
    };
  }, [onIdle]);
}
