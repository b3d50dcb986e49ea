// Registers the operations of all features that can need approval.

import type { Agents } from '../features/agents/service.ts';
import { type Approvals, type ApprovalsDependencies, createApprovals } from '../features/approvals/service.ts';
import type { Partners } from '../features/partners/admin/service.ts';
import type { Inbound } from '../features/partners/inbound/service.ts';
import type { PinService } from '../features/pins/service.ts';
import type { Processors } from '../features/processors/service.ts';
import type { Wallet } from '../features/wallet/service.ts';

interface Features {
  agents: Agents;
  wallet: Wallet;
  processors: Processors;
  partners: Partners;
  inbound: Inbound;
  pinService: PinService;
}

type Operations = ApprovalsDependencies['operations'];

export function wireApprovals(
  { agents, wallet, processors, partners, inbound, pinService }: Features,
  dependencies: Omit<ApprovalsDependencies, 'operations'>,
): Approvals {
  const payments = [
    agents.operations.fund,
    agents.operations.returnFloat,
    wallet.fundOperation,
    processors.transferOperation,
    partners.settleOperation,
    inbound.reverseOperation,
  ];
  const changes = [pinService.requestSubscriberReset, pinService.requestAgentReset];
  return createApprovals({ ...dependencies, operations: [...payments, ...changes] as Operations });
}
