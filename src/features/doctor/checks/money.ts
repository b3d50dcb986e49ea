// Checks of the money at the banks: trust accounts, their statements, and cover.
import { watchFinance } from '../../finance/closes/service.ts';
import { type Check, type Examined, type Finding, fail, fine, warn } from '../check.ts';

export const MONEY_CHECKS: readonly Check[] = [
  { id: 'trust_accounts', area: 'money', name: 'Trust accounts', run: trustAccounts },
  { id: 'cover', area: 'money', name: 'Cover of the e-money', run: cover },
];

async function trustAccounts(examined: Examined): Promise<Finding> {
  const { statements } = await watchFinance(examined);
  if (statements.until === null) {
    return fail(
      'There is no trust account: nothing proves that the e-money is backed.',
      'Enter the accounts in the console under Finance, and load their statements.',
    );
  }
  if (statements.missing === 0) return fine("Yesterday's statement of every trust account is loaded.");
  return warn(
    `Without yesterday's statement: ${statements.missing}, of which ${statements.late} are more than two days late.`,
    "Load the banks' statements every morning.",
  );
}

async function cover(examined: Examined): Promise<Finding> {
  const { coverRatio } = await watchFinance(examined);
  if (coverRatio === null)
    return warn('Not known: no statement covers a day with e-money.', "Load the banks' statements.");
  const found = `Money at the banks ÷ e-money: ${coverRatio}.`;
  if (coverRatio >= 1) return fine(found);
  return fail(
    `${found} Part of the e-money is not backed.`,
    'Find the difference in the reconciliation, and pay it in today.',
  );
}
