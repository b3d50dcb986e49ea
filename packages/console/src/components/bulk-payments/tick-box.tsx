// The browser's own boxes and buttons for choices, with a note below: small, and familiar on a phone.
import type { ReactNode } from 'react';
import classes from './bulk-payments.module.css';

interface ChoiceProps {
  label: ReactNode;
  note?: ReactNode;
  checked: boolean;
  disabled?: boolean;
}

export function TickBox({ label, note, onChange, ...box }: ChoiceProps & { onChange: (isChecked: boolean) => void }) {
  return (
    <label className={classes.choice}>
      <input type="checkbox" {...box} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>{label}</span>
      {note && <small>{note}</small>}
    </label>
  );
}

export function RadioButton({
  label,
  note,
  onChange,
  ...button
}: ChoiceProps & { name: string; onChange: () => void }) {
  return (
    <label className={classes.choice}>
      <input type="radio" {...button} onChange={onChange} />
      <span>{label}</span>
      {note && <small>{note}</small>}
    </label>
  );
}
