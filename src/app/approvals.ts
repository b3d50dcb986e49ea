// Registers the operations of all features that can need approval.
import type { ApiKeys } from '../features/admin/api-keys/service.ts';
import type { SecondFactors } from '../features/admin/second-factor/service.ts';
import type { Users } from '../features/admin/users/service.ts';
import type { Agents } from '../features/agents/service.ts';
import {
  type Approvals,
  type ApprovalsDependencies,
  type BankQuestion,
  createApprovals,
  type Input,
  type PaymentOperation,
} from '../features/approvals/service.ts';
import type { CardService } from '../features/cards/service.ts';
import type { Cases } from '../features/cases/service.ts';
import type { Compliance } from '../features/compliance/service.ts';
import type { Fees } from '../features/fees/service.ts';
import type { Commission } from '../features/finance/commission/service.ts';
import type { Reconciliation } from '../features/finance/reconciliation/service.ts';
import type { Suspense } from '../features/finance/suspense/service.ts';
import type { TrustAccounts } from '../features/finance/trust-accounts/service.ts';
import type { Partners } from '../features/partners/admin/service.ts';
import type { Inbound } from '../features/partners/inbound/service.ts';
import type { PinService } from '../features/pins/service.ts';
import type { Privacy } from '../features/privacy/service.ts';
import type { Processors } from '../features/processors/service.ts';
import type { SubscriberDocuments } from '../features/subscriber-documents/service.ts';
import type { SubscriberService } from '../features/subscribers/service.ts';
import type { Wallet } from '../features/wallet/service.ts';

interface Features {
  cards: CardService;
  privacy: Privacy;
  cases: Cases;
  agents: Agents;
  wallet: Wallet;
  processors: Processors;
  partners: Partners;
  inbound: Inbound;
  pinService: PinService;
  fees: Fees;
  commission: Commission;
  compliance: Compliance;
  subscribers: SubscriberService;
  documents: SubscriberDocuments;
  users: Users;
  apiKeys: ApiKeys;
  suspense: Suspense;
  secondFactors: SecondFactors;
  reconciliation: Reconciliation;
  trustAccounts: TrustAccounts;
}

type Operations = ApprovalsDependencies['operations'];

export function wireApprovals(features: Features, dependencies: Omit<ApprovalsDependencies, 'operations'>): Approvals {
  const { agents, wallet, processors, partners, inbound, fees, compliance, subscribers, users, apiKeys } = features;
  const { secondFactors, pinService } = features;
  /** `sign`: 1 if the bank shows it as money that arrives. */
  const withBankEntries = <Params, Body>(operation: PaymentOperation<Params, Body>, sign: 1 | -1) => ({
    ...operation,
    bankEntries: ({ body }: Input<Params, Body>, { amount, requestId, ...request }: BankQuestion) => {
      const { reference = null } = body as { reference?: string | null };
      const booking = { ...request, amount: sign * (amount ?? 0), references: [reference, requestId] };
      return features.reconciliation.bookingEvidence(booking);
    },
  });
  const payments = [
    withBankEntries(agents.operations.fund, 1),
    withBankEntries(agents.operations.returnFloat, -1),
    wallet.fundOperation,
    processors.transferOperation,
    processors.payoutOperation,
    processors.returnPayoutOperation,
    withBankEntries(partners.settleOperation, 1),
    inbound.reverseOperation,
    features.suspense.operations.toPartner,
    features.suspense.operations.refund,
    features.cases.recalls.legalOrder,
  ];
  const changes = [
    fees.put,
    fees.remove,
    features.commission.change,
    agents.records.register,
    agents.records.update,
    agents.records.changePhone,
    processors.update,
    compliance.createRule,
    compliance.updateRule,
    subscribers.update,
    subscribers.changePhone,
    features.documents.levelRequest,
    features.cards.operations.link,
    features.cards.operations.child,
    users.operations.create,
    users.operations.update,
    users.operations.resetPassword,
    apiKeys.create,
    apiKeys.rotate,
    secondFactors.reset,
    partners.createOperation,
    partners.updateOperation,
    partners.rotateSecret,
    pinService.requestSubscriberReset,
    pinService.requestAgentReset,
    features.reconciliation.writeOff,
    features.trustAccounts.createOperation,
    features.trustAccounts.updateOperation,
    processors.createLoginOperation,
    processors.bankAccounts.addOperation,
    processors.bankAccounts.removeOperation,
    features.cases.recalls.extension,
    features.privacy.erasure,
  ];
  return createApprovals({ ...dependencies, operations: [...payments, ...changes] as Operations });
}
