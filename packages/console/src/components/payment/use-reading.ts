// Keeps a confirmation from being confirmed unread: by a double click, a second Enter, or before the fee is shown.
import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';

const READING_MS = 600;

/** `isRead`: the confirmation is complete and was shown for long enough to be its own step. */
export function useReading(isShown: boolean) {
  const [isQuoted, setQuoted] = useState(false);
  const [isRead, setRead] = useState(false);
  const clicks = useRef(0);
  useEffect(() => {
    setRead(false);
    if (!isShown || !isQuoted) return;
    const timer = setTimeout(() => setRead(true), READING_MS);
    return () => clearTimeout(timer);
  }, [isShown, isQuoted]);
  const gesture = useMemo(
    () => ({
      onClick: ({ detail }: MouseEvent) => {
        clicks.current = detail;
      },
      /** The click that submits is the second of a double click. */
      isRepeated: () => clicks.current > 1,
    }),
    [],
  );
  return { isRead, setQuoted, gesture };
}
