// The statement of a month, as a file.
import { t } from '@lingui/core/macro';
import { useId, useState } from 'preact/hooks';
import { file, serviceTime } from '../data/api.ts';
import { month } from '../format.ts';
import { Fault } from '../ui/parts.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';

const MONTHS = 12;
const day = (at: Date) => at.toISOString().slice(0, 10);

export function Statement() {
  const id = useId();
  const { isBusy, error, run } = useAction();
  const [chosen, setChosen] = useState(0);
  const today = new Date(serviceTime());
  const first = (ago: number) => new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago, 1));
  const save = (format: 'pdf' | 'csv') =>
    run(async () => {
      const from = day(first(chosen));
      const to = chosen === 0 ? day(today) : day(new Date(first(chosen - 1).getTime() - 1));
      const blob = await file(`/me/statement?from=${from}&to=${to}&format=${format}`);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = `kissi-${from.slice(0, 7)}.${format}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    });
  return (
    <Screen isForm title={t`Statement`} action={t`Save as PDF`} onAction={() => save('pdf')} isBusy={isBusy}>
      <div class="field">
        <label for={id}>{t`Month`}</label>
        <select id={id} value={chosen} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
          {Array.from({ length: MONTHS }, (_, ago) => (
            <option key={ago} value={ago}>
              {month(first(ago))}
            </option>
          ))}
        </select>
      </div>
      <Fault error={error} />
      <button type="button" class="second" onClick={() => save('csv')}>{t`Save as a table (CSV)`}</button>
    </Screen>
  );
}
