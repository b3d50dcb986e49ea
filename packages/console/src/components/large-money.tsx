// The main amount of a panel or screen.
import { minorUnitsOf, money } from '../format/money.ts';
import classes from './large-money.module.css';

/** `value`: minor units, or an amount of a record such as `80.00 SLE`. `of`: on a screen it is larger than everything else. */
export const LargeMoney = ({ value, of = 'box' }: { value: number | string; of?: 'box' | 'screen' }) => (
  <div className={classes[of]}>
    <div className={classes.amount}>{money(minorUnitsOf(value))}</div>
  </div>
);
