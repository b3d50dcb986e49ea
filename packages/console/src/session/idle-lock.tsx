// Locks the console after 15 minutes without a key or click in any tab. The page below stays, so that nothing typed is lost.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { lock, session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { overlay } from '../components/overlay.ts';
import { LockDialog } from './lock-dialog.tsx';

const IDLE_MS = 15 * 60_000;
const CHECK_MS = 5_000;
/** How often a tab tells the others that it is in use. */
const TELL_MS = 10_000;
const ACTIVITY = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

export function IdleLock({ children }: { children: ReactNode }) {
  const [state, secrets] = [useStore(session), useStore(overlay)];
  useIdle(lock);
  const isLocked = state.kind === 'locked';
  // The first second factor ends the session, and its recovery codes have to be stored before the next login.
  const areStored = isLocked && state.ended && secrets?.endsSession === true;
  const isHidden = isLocked && !areStored;
  useHiddenDialogs(isHidden);
  return (
    <>
      <div inert={isLocked} style={{ visibility: isLocked ? 'hidden' : 'visible' }}>
        {children}
      </div>
      {!isHidden && secrets?.content}
      {isHidden && <LockDialog email={state.user.email} ended={state.ended} />}
    </>
  );
}

/** Open dialogs are beside the page in the document. A style sheet hides them, including those that open while it is locked. */
function useHiddenDialogs(isHidden: boolean): void {
  useLayoutEffect(() => {
    document.body.toggleAttribute('data-locked', isHidden);
    return () => void document.body.removeAttribute('data-locked');
  }, [isHidden]);
}

/** Compares instants, because timers do not run while a computer sleeps. */
function useIdle(onIdle: () => void): void {
  const last = useRef(Date.now());
  const told = useRef(0);
  useEffect(() => {
    // All tabs share one session, so a tab in the background must not end it while another tab is in use.
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
