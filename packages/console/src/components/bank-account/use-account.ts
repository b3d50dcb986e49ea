// The stored bank accounts of a merchant, and the one to which a pay-out goes.
import type { BankAccount } from '@kissi/client';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useFirst } from '../use-first.ts';

const READ = '20';

export const useAccounts = (merchantId: string, enabled = true) =>
  useRead([`bank-accounts-${merchantId}`], (options) => kissi.processors.bankAccounts(merchantId, options), {
    enabled,
  });

export interface ChosenAccount {
  /** Undefined while they are not known. */
  accounts: BankAccount[] | undefined;
  error: unknown;
  account: BankAccount | undefined;
  choose: (accountNumber: string) => void;
}

/** Offers the account of the latest pay-out that did not come back, or the only one. */
export function useAccount(merchantId: string, enabled = true): ChosenAccount {
  const { data, error } = useAccounts(merchantId, enabled);
  const last = useLastNumber(merchantId, enabled);
  const [chosen, choose] = useState<string | null>(null);
  const accounts = data?.bank_accounts;
  const isChosen = ({ account_number }: BankAccount) => account_number === (chosen ?? last);
  const only = accounts?.length === 1 && chosen === null ? accounts[0] : undefined;
  return { accounts, error, account: accounts?.find(isChosen) ?? only, choose };
}

function useLastNumber(merchantId: string, enabled: boolean): string | undefined {
  const { data } = useRead(
    [`payouts-${merchantId}`, 'last-account'],
    (options) => kissi.processors.payouts(merchantId, { limit: READ }, options),
    { enabled },
  );
  const found = data?.payouts.find(({ bank_account, state }) => bank_account && state !== 'returned');
  return useFirst(data && (found?.bank_account ?? ''));
}
