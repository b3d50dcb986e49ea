// Leads from an item of the reconciliation to its records: the transaction and its party, or the statement that has the entry.
import { useLingui } from '@lingui/react/macro';
import { useCan } from '../../../api/user.ts';
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

const PARTY_SCREENS: [prefix: string, path: string, permission: string][] = [
  ['agent_', '/agents', 'agents:read'],
  ['ptn_', '/partners', 'partners:read'],
  ['proc_', '/finance/payouts', 'ledger:read'],
];

/** To the agent, the partner, or the merchant's pay-outs. Nothing for entries of the bank. */
export function PartyLink({ item: { party_id: id }, name }: { item: Item; name: string }) {
  const { t } = useLingui();
  const can = useCan();
  const [, path = '', permission = ''] = PARTY_SCREENS.find(([prefix]) => id?.startsWith(prefix)) ?? [];
  if (path === '' || !can(permission)) return null;
  return (
    <Link to={`${path}/${id}`} className={classes.record ?? ''} aria-label={t`Show the record of ${name}`} c="inherit">
      <Icon name="user" size={16} />
    </Link>
  );
}
