// The change of a figure in per cent.
import classes from './overview.module.css';

interface ChangeProps {
  now: number | null;
  before: number | null;
  /** More is worse. */
  isBad?: boolean;
}

export function Change({ now, before, isBad = false }: ChangeProps) {
  if (now === null || before === null || before === 0 || now === before) return null;
  const ratio = now / before - 1;
  const isGood = ratio > 0 !== isBad;
  const size = Math.abs(ratio) >= 10 ? `×${Math.round(now / before)}` : `${Math.round(Math.abs(ratio) * 100)} %`;
  return (
    <span className={isGood ? classes.better : classes.worse}>
      {ratio > 0 ? '▲' : '▼'} {size}
    </span>
  );
}
