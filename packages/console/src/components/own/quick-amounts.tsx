// Usual amounts as buttons, which are quicker than typing on a phone.
import { useLingui } from '@lingui/react/macro';
import { amount } from '../../format/money.ts';
import classes from './own.module.css';

const AMOUNTS = [5_000, 10_000, 20_000, 50_000];

export function QuickAmounts({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useLingui();
  return (
    <fieldset className={classes.chips} style={{ border: 0, margin: 0, padding: 0 }} aria-label={t`Usual amounts`}>
      {AMOUNTS.map((minorUnits) => (
        <button
          key={minorUnits}
          type="button"
          className={classes.chip}
          aria-pressed={value === amount(minorUnits)}
          onClick={() => onChange(amount(minorUnits))}
        >
          {minorUnits / 100}
        </button>
      ))}
    </fieldset>
  );
}
