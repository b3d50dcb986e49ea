// The movements of the user's own account, newest first. Each opens its receipt.
import { useLingui } from '@lingui/react';
import { Link } from '@tanstack/react-router';
import { amount as amountOf } from '../../format/money.ts';
import { clockTime, instant, today } from '../../format/time.ts';
import { MOVEMENT_NAMES } from './movement-names.ts';
import classes from './own.module.css';

export interface OwnMovement {
  transaction_id: string;
  type?: string;
  direction?: 'debit' | 'credit' | null;
  amount?: number;
  created_at?: string;
  payer_name?: string | null;
  payee_name?: string | null;
}

/** Records of politically exposed persons have an id only. */
export function Movements({ rows, receiptAt }: { rows: OwnMovement[]; receiptAt: (id: string) => string }) {
  const { i18n } = useLingui();
  const nameOf = (type = '') => (MOVEMENT_NAMES[type] ? i18n._(MOVEMENT_NAMES[type]) : undefined);
  return (
    <ul className={classes.rows}>
      {rows.map(({ transaction_id: id, type, direction, amount, created_at, payer_name, payee_name }) => (
        <li key={id}>
          <Link to={receiptAt(id)} className={classes.row}>
            <b>{nameOf(type) ?? type ?? id}</b>
            <b className={classes.end}>
              {amount !== undefined && `${direction === 'debit' ? '−' : '+'}${amountOf(amount)}`}
            </b>
            <small>
              {[direction === 'debit' ? payee_name : payer_name, created_at && timeOf(created_at)]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const timeOf = (iso: string) => (iso.startsWith(today()) ? clockTime(iso) : instant(iso));
