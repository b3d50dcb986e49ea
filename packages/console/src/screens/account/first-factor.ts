// What happens after a factor was added: the recovery codes of the first one are shown, and its login follows.
import { useLingui } from '@lingui/react/macro';
import { leaveEndedSession } from '../../api/session.ts';
import { showOnce } from '../../components/shown-once.tsx';

/** The service ends all sessions with the first factor, so that each of them has passed it. */
export function useShowCodes() {
  const { t } = useLingui();
  return (codes: string[] | undefined, isFirst: boolean) => {
    const leave = () => void (isFirst && leaveEndedSession());
    if (!codes) return leave();
    showOnce({
      title: t`Recovery codes`,
      note: t`Keep them where you can find them without your phone. Each one replaces a second factor for one login. Then log in with your second factor.`,
      codes,
      endsSession: isFirst,
      onClose: leave,
    });
  };
}
