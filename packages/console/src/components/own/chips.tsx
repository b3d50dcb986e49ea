// Choices beside each other, of which one is chosen: filters of a list on a phone.
import classes from './own.module.css';

interface ChipsProps {
  /** With an empty value for all. */
  choices: readonly (readonly [value: string, name: string])[];
  value: string;
  onChange: (value: string) => void;
}

export function Chips({ choices, value: chosen, onChange }: ChipsProps) {
  return (
    <div className={classes.chips}>
      {choices.map(([value, name]) => (
        <button
          key={value}
          type="button"
          className={classes.chip}
          aria-pressed={chosen === value}
          onClick={() => onChange(value)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
