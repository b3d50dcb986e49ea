// Leads from an item of the reconciliation to its record: the transaction, or the statement that has the bank's entry.
import { useLingui } from '@lingui/react/macro';
import { Icon } from '../../../components/icon.tsx';
import { Link } from '../../../components/link.tsx';
import classes from './desk.module.css';
import type { Item } from './selection.ts';

export function recordOf({ id, side, trust_account_id, statement_id }: Item): string {
  return side === 'books' ? `/transactions/${id}` : `/finance/statements/${trust_account_id}/${statement_id}`;
}

export function RecordLink({ item, name }: { item: Item; name: string }) {
  const { t } = useLingui();
  const label = item.side === 'books' ? t`Show the transaction of ${name}` : t`Show the statement of ${name}`;
  return (
    <Link to={recordOf(item)} className={classes.record ?? ''} aria-label={label} c="inherit">
      <Icon name="chevronRight" size={16} />
    </Link>
  );
}
