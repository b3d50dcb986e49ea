// The bank account of a pay-out: one of those that are stored for the merchant.
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { ChoiceInput } from '../choice-input.tsx';
import { Link } from '../link.tsx';
import { RefusalNotice } from '../states.tsx';
import type { ChosenAccount } from './use-account.ts';

interface AccountInputProps {
  of: ChosenAccount;
  large?: boolean;
  /** Where one is added; absent if that is on the same screen. */
  addAt?: string | undefined;
  onLeave?: (() => void) | undefined;
}

export function AccountInput({ of, large = false, addAt, onLeave = () => undefined }: AccountInputProps) {
  const { t } = useLingui();
  const { accounts, account, choose, error } = of;
  if (error && !accounts) return <RefusalNotice error={error} />;
  if (accounts?.length === 0) {
    return (
      <Text size={large ? 'md' : 'sm'} role="status">
        <Trans>No bank account is stored yet.</Trans>{' '}
        {addAt ? (
          <Link to={addAt} search={{ tab: 'payouts' }} onClick={onLeave}>{t`Add a bank account first`}</Link>
        ) : (
          <Trans>Add one under Bank accounts first.</Trans>
        )}
      </Text>
    );
  }
  const choices = (accounts ?? []).map(({ account_number, bank }) => ({
    value: account_number,
    // A phone's field has no room for both: the bank of the chosen account is below.
    label: large && account_number === account?.account_number ? account_number : `${account_number} · ${bank}`,
  }));
  return (
    <ChoiceInput
      label={t`Bank account`}
      required
      value={account?.account_number ?? ''}
      onChange={choose}
      data={account ? choices : [{ value: '', label: t`Choose an account` }, ...choices]}
      {...(large ? { size: 'lg', inputWrapperOrder: ['label', 'input', 'description'] } : {})}
      {...(large && account ? { description: `${account.bank} · ${account.holder}` } : {})}
    />
  );
}
