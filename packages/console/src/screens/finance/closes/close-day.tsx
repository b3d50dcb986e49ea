// Closes a day, or corrects its close with a second one.
import type { CloseSummary } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Action } from '../../../components/action.tsx';
import { DateInput } from '../../../components/date-input.tsx';
import { ReasonInput } from '../../../components/reason-input.tsx';
import { date } from '../../../format/time.ts';
import { dayBefore } from '../words.ts';
import { DayFigures, useFigures } from './figures.tsx';

interface CloseDayProps {
  day: string;
  /** The close that is corrected. */
  corrected?: CloseSummary;
  onClose: () => void;
}

export function CloseDay({ day: proposed, corrected, onClose }: CloseDayProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [day, setDay] = useState(proposed);
  const [reason, setReason] = useState('');
  const figures = useFigures(day);
  const name = day ? date(day) : '';
  return (
    <Action
      onClose={onClose}
      title={corrected ? t`Correct the close of ${name}` : t`Close a day`}
      description={
        corrected
          ? t`Adds a second document with the current figures. It refers to the first one, which remains.`
          : t`The position at the end of the day is signed and can no longer be changed. A late statement needs a correction.`
      }
      submitLabel={corrected ? t`Correct` : t`Close ${name}`}
      isReady={figures.data?.figures.date === day && !figures.error && (!corrected || reason.trim() !== '')}
      call={(client) => client.closes.create({ date: day, ...(corrected ? { corrects: corrected.id, reason } : {}) })}
      doneMessage={t`${name} is closed.`}
      changes={['closes', 'overview']}
      onDone={({ close }) => void navigate({ to: `/finance/closes/${close.id}` })}
    >
      {corrected ? (
        <ReasonInput
          label={t`Reason`}
          description={t`It is part of the document.`}
          value={reason}
          onChange={setReason}
        />
      ) : (
        <DateInput label={t`Day (UTC)`} value={day} max={dayBefore()} onChange={setDay} required data-autofocus />
      )}
      <DayFigures read={figures} />
    </Action>
  );
}
