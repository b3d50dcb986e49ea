// Endpoints that move an agent's float.
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pay } from '../../http/payment-endpoint.ts';
import { GATE_REFUSALS, type Gate, pendingReply } from '../approvals/service.ts';
import * as schemas from './schemas.ts';
import type { Agents } from './service.ts';

type Refusals = NonNullable<Endpoint['refusals']>;

export const BAD_PIN = { code: 'INVALID_PIN', status: 400 } as const;
export const TERMINATED = { code: 'AGENT_TERMINATED', status: 403 } as const;

const FLOAT_REFUSALS: Refusals = [
  'NOT_FOUND',
  'AGENT_SUSPENDED',
  TERMINATED,
  'INVALID_AMOUNT',
  'REQUEST_CONFLICT',
  'MAX_BALANCE_EXCEEDED',
  'COMPLIANCE_BLOCKED',
];
const PIN_REFUSALS: Refusals = [
  BAD_PIN,
  'ACCOUNT_LOCKED',
  'TOO_MANY_ATTEMPTS',
  'INSUFFICIENT_FLOAT',
  'DAILY_LIMIT_EXCEEDED',
];
const WALLET_REFUSALS: Refusals = [
  'SUBSCRIBER_NOT_FOUND',
  'SUBSCRIBER_BLOCKED',
  'TRANSACTION_TYPE_DISABLED',
  'CARD_NOT_FOUND',
  'CARD_BLOCKED',
];

export function moneyRoutes(agents: Agents, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'fundAgent',
      clientMethod: 'agents.fund',
      method: 'POST',
      path: '/agents/:id/fund',
      permission: 'agents:fund',
      summary: "Fund an agent's float from the treasury",
      description:
        'Issues e-money: the treasury account is debited. TREASURY_DAILY_LIMIT caps the sum per UTC day. An approval policy may apply (202).',
      action: 'agent.fund',
      params: idParams,
      body: schemas.fundBody,
      replies: { 200: schemas.fundReply, 202: pendingReply },
      refusals: [...FLOAT_REFUSALS, ...GATE_REFUSALS, 'AMOUNT_OUT_OF_RANGE', 'TREASURY_LIMIT_EXCEEDED'],
      handle: (call) => gate.pay(call, agents.operations.fund),
    }),
    endpoint({
      id: 'returnAgentFloat',
      clientMethod: 'agents.returnFloat',
      method: 'POST',
      path: '/agents/:id/return-float',
      permission: 'agents:fund',
      summary: 'Return float from an agent, active or suspended, to the treasury',
      description: 'Takes e-money out of circulation. An approval policy may apply (202).',
      action: 'agent.return_float',
      params: idParams,
      body: schemas.fundBody,
      replies: { 200: schemas.fundReply, 202: pendingReply },
      refusals: [
        ...FLOAT_REFUSALS.filter((code) => code !== 'AGENT_SUSPENDED'),
        ...GATE_REFUSALS,
        'INSUFFICIENT_FLOAT',
      ],
      handle: (call) => gate.pay(call, agents.operations.returnFloat),
    }),
    endpoint({
      id: 'cashIn',
      clientMethod: 'agents.cashIn',
      method: 'POST',
      path: '/agents/cashin',
      permission: 'agents:cashin',
      summary: "Cash in: pay from an agent's float into a wallet",
      description:
        "The customer gives cash to the agent: the amount moves from the agent's float to the wallet. The agent's PIN is verified.",
      action: 'agent.cashin',
      hot: true,
      body: schemas.cashInBody,
      replies: { 200: schemas.cashInReply },
      refusals: [...FLOAT_REFUSALS, ...PIN_REFUSALS, ...WALLET_REFUSALS, 'TOO_MANY_LOOKUPS'],
      handle: (call) => pay(call, agents.cashIn),
    }),
    endpoint({
      id: 'transferAgentFloat',
      clientMethod: 'agents.transferFloat',
      method: 'POST',
      path: '/agents/transfer',
      permission: 'agents:transfer',
      summary: 'Transfer float from a super-agent to one of its sub-agents',
      description: "The super-agent's PIN is verified. The sub-agent must be in the same network.",
      action: 'agent.transfer',
      body: schemas.transferBody,
      replies: { 200: schemas.transferReply },
      refusals: [...FLOAT_REFUSALS, ...PIN_REFUSALS],
      handle: (call) => pay(call, agents.transfer),
    }),
  ];
}
