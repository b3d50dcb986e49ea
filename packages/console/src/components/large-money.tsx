// The main amount of a panel.
import { minorUnitsOf, money } from '../format/money.ts';
import classes from './large-money.module.css';

/** `value`: minor units, or an amount of a record such as `80.00 SLE`. */
export const LargeMoney = ({ value }: { value: number | string }) => (
  <div className={classes.box}>
    <div className={classes.amount}>{money(minorUnitsOf(value))}</div>
  </div>
);
