// The frame: who is logged in, which screen the address names, and the language.
import { useEffect, useState } from 'preact/hooks';
import { whenSessionEnds } from './data/api.ts';
import { storedPending } from './data/payment.ts';
import { knowsDevice, logOut } from './data/session.ts';
import { go, useRoute } from './router.ts';
import { type Frame, FrameContext } from './screens/frame.ts';
import { Login } from './screens/login.tsx';
import { screenFor } from './screens/screens.tsx';
import { Unlock } from './screens/unlock.tsx';

type Access = 'new' | 'known' | 'open';

/** A phone that was put away for so long asks for the PIN again. */
const AWAY_MS = 3 * 60_000;

export function App() {
  const [access, setAccess] = useState<Access>(knowsDevice() ? 'known' : 'new');
  const [, redraw] = useState(0);
  const { path } = useRoute();
  const leave = () => {
    logOut();
    setAccess(knowsDevice() ? 'known' : 'new');
  };
  const enter = () => {
    setAccess('open');
    if (storedPending()) go('/pending', { replace: true });
  };
  useEffect(() => whenSessionEnds(leave), []);
  useAway(access === 'open', leave);
  const frame: Frame = { enter, leave, redraw: () => redraw((turn) => turn + 1) };
  return (
    <FrameContext.Provider value={frame}>
      {access === 'new' && <Login />}
      {access === 'known' && <Unlock onUnknown={() => setAccess('new')} />}
      {access === 'open' && screenFor(path)}
    </FrameContext.Provider>
  );
}

function useAway(isOpen: boolean, leave: () => void): void {
  useEffect(() => {
    let since = 0;
    const changed = () => {
      if (document.visibilityState === 'hidden') since = Date.now();
      else if (isOpen && since > 0 && Date.now() - since > AWAY_MS) leave();
    };
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, [isOpen]);
}
