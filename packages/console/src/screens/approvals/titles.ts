// The titles of the actions that may need approval.
import type { Approval } from '@kissi/client';

export const TITLES: Record<Approval['action'], string> = {
  'agents.fund': 'Fund an agent',
  'agents.return_float': "Return an agent's float",
  'wallet.fund_from_partner': 'Fund a wallet from a partner',
  'partners.settle': 'Settle with a partner',
  'inbound.reverse': 'Reverse a credit',
  'processors.transfer': 'Merchant transfer',
  'suspense.resolve': 'Resolve a suspense item',
  'processors.payout': 'Pay out a merchant',
  'beneficiaries.change': "Change merchants' bank accounts",
  'reconciliation.write_off': 'Write off in reconciliation',
  'trust_accounts.change': 'Register or change trust accounts',
  'fees.change': 'Change fees and commissions',
  'rules.change': 'Change monitoring rules',
  'kyc.raise': 'Raise a KYC level, or mark a politically exposed person',
  'pin.reset': 'Reset a PIN',
  'subscribers.change_phone': "Change a customer's phone number or card",
  'cases.recall': 'Recall a transfer',
  'privacy.erase': "Erase a customer's personal data",
  'users.change': 'Create or change users',
  'api_keys.create': 'Create API keys',
  'partners.change': 'Create or change partners',
  'policies.change': 'Change approval policies',
};

/** These actions have an amount, so their policy can have a threshold. */
export const MOVES_MONEY: readonly string[] = [
  'agents.fund',
  'agents.return_float',
  'wallet.fund_from_partner',
  'partners.settle',
  'inbound.reverse',
  'processors.transfer',
  'suspense.resolve',
  'processors.payout',
];
