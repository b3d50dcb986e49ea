// The actions that a policy can subject to approval, and the permission that requester and approver need.
import type { Permission } from '../../auth/permissions.ts';

interface ActionDefinition {
  permission: Permission;
  /** Its requests have an amount, so that its policy can have a threshold. */
  movesMoney: boolean;
  /** Its requests need a second user whatever the policy is. */
  always?: true;
}

const money = (permission: Permission): ActionDefinition => ({ permission, movesMoney: true });
const change = (permission: Permission): ActionDefinition => ({ permission, movesMoney: false });

const POLICY_ACTIONS = {
  'agents.fund': money('agents:fund'),
  'agents.return_float': money('agents:fund'),
  'wallet.fund_from_partner': money('payments:fund'),
  'partners.settle': money('partners'),
  'inbound.reverse': money('inbound:reverse'),
  'processors.transfer': money('processors:transfer'),
  'suspense.resolve': money('suspense:resolve'),
  'processors.payout': money('processors:payout'),
  'beneficiaries.change': change('beneficiaries:write'),
  'reconciliation.write_off': change('reconciliation:write'),
  'trust_accounts.change': change('trust-accounts:write'),
  'fees.change': change('fees:write'),
  'rules.change': change('compliance:write'),
  // Among those who may update a subscriber, only compliance may change the KYC level and is_pep.
  'kyc.raise': change('compliance:write'),
  'pin.reset': change('pins:reset'),
  'subscribers.change_phone': change('subscribers:write'),
  'users.change': change('users'),
  'api_keys.create': change('api-keys'),
  'partners.change': change('partners'),
  'cases.recall': { ...money('cases:decide'), always: true },
  'privacy.erase': { ...change('privacy:erase'), always: true },
} as const satisfies Record<string, ActionDefinition>;

export type PolicyAction = keyof typeof POLICY_ACTIONS;
/** Changing a policy has no policy of its own: it needs approval once there are two administrators. */
export const POLICY_CHANGE = 'policies.change';
export type ApprovalAction = PolicyAction | typeof POLICY_CHANGE;

export const ACTIONS: Readonly<Record<ApprovalAction, ActionDefinition>> = {
  ...POLICY_ACTIONS,
  [POLICY_CHANGE]: change('approval-policies'),
};

/** Enabled at the first start with APPROVALS=recommended. Names without an action yet are left out. */
const RECOMMENDED_NAMES: readonly string[] = [
  'agents.fund',
  'wallet.fund_from_partner',
  'partners.settle',
  'partners.change',
  'inbound.reverse',
  'processors.payout',
  'beneficiaries.change',
  'api_keys.create',
  'agents.return_float',
  'processors.transfer',
  'suspense.resolve',
  'reconciliation.write_off',
  'trust_accounts.change',
  'fees.change',
  'kyc.raise',
  'pin.reset',
  'subscribers.change_phone',
  'users.change',
];

export const POLICY_ACTION_NAMES = Object.keys(POLICY_ACTIONS) as PolicyAction[];
export const ACTION_NAMES = Object.keys(ACTIONS) as ApprovalAction[];
export const RECOMMENDED_ACTIONS = POLICY_ACTION_NAMES.filter((name) => RECOMMENDED_NAMES.includes(name));
