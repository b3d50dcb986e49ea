// Says why a returned pay-out, or its return, is still open, and what to do next.
import { useLingui } from '@lingui/react/macro';
import { useCan } from '../../../api/user.ts';
import { Icon } from '../../../components/icon.tsx';
import { Link } from '../../../components/link.tsx';
import { date } from '../../../format/time.ts';
import classes from './desk.module.css';
import type { Item } from './selection.ts';

export function OpenReason({ item }: { item: Item }) {
  const { t } = useLingui();
  const can = useCan();
  const text = useReason(item);
  const { related_id: relatedId, expected_trust_account_id: account, type } = item;
  if (text === null || relatedId === null) return null;
  return (
    <p className={classes.reason}>
      <Icon name="alert" size={14} /> {text}{' '}
      {can('trust-accounts:read') && (
        <>
          <Link to="/finance/statements" {...(account ? { search: { account } } : {})}>
            {t`Bank statements`}
          </Link>
          {' · '}
        </>
      )}
      <Link to={`/transactions/${relatedId}`}>
        {type === 'processor_payout' ? t`Show its return` : t`Show its pay-out`}
      </Link>
    </p>
  );
}

function useReason({ open_reason: reason, type, ...item }: Item): string | null {
  const { t } = useLingui();
  const day = date(item.date);
  if (reason === 'bank_debit_missing') {
    return t`The bank sent this pay-out back, but the debit that paid it is not matched yet. Record the bank's statement of ${day} or later that shows the debit, then match the two.`;
  }
  if (reason === 'bank_credit_missing') {
    return t`The merchant has the money back, but the bank paid it out and its credit is not matched yet. Record the bank's statement that shows the credit, then match the two. If there is none, ask the bank for the money.`;
  }
  if (reason !== 'both_open') return null;
  return type === 'processor_payout'
    ? t`Returned, and neither the pay-out nor its return is matched. If the bank never paid it out, match the two with each other. Otherwise record the bank's statements that show the debit and the credit.`
    : t`Neither this return nor its pay-out is matched. If the bank never paid it out, match the two with each other. Otherwise record the bank's statements that show the debit and the credit.`;
}
