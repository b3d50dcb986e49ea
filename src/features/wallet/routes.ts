// The wallet's endpoints: balances and payments.
import { type Endpoint, endpoint, okOrRefusal } from '../../http/endpoint.ts';
import { pay, paymentReply } from '../../http/payment-endpoint.ts';
import { GATE_REFUSALS, type Gate, pendingReply } from '../approvals/service.ts';
import * as schemas from './schemas.ts';
import type { Wallet } from './service.ts';

export function walletRoutes(wallet: Wallet, gate: Gate): Endpoint[] {
  return [...balanceRoutes(wallet), ...paymentRoutes(wallet, gate)];
}

function balanceRoutes(wallet: Wallet): Endpoint[] {
  return [
    endpoint({
      id: 'getBalanceWithPin',
      clientMethod: 'wallet.balanceWithPin',
      method: 'POST',
      path: '/wallet/balance/:subscriber_id',
      permission: 'balance:read',
      summary: "Get a wallet's balance with the holder's PIN",
      description:
        'For terminals and menus, where the holder enters the PIN. Wrong PINs count: three lock the account for 30 minutes.',
      action: 'wallet.balance',
      params: schemas.subscriberParams,
      body: schemas.pinBody,
      replies: { 200: schemas.balanceReply },
      refusals: [
        'INVALID_PIN_FORMAT',
        'INVALID_PIN',
        'ACCOUNT_LOCKED',
        'TOO_MANY_ATTEMPTS',
        'SUBSCRIBER_BLOCKED',
        'SUBSCRIBER_NOT_FOUND',
        'PEP_ACCESS_REQUIRED',
      ],
      handle: async (call) => okOrRefusal(await wallet.balanceByPin(call, call.params.subscriber_id, call.body.pin)),
    }),
    endpoint({
      id: 'getBalance',
      clientMethod: 'wallet.balance',
      method: 'GET',
      path: '/balance/:user_id',
      permission: 'balance:read',
      summary: "Get a wallet's balance",
      description: 'For staff and keys with `balance:read`. It needs no PIN.',
      params: schemas.userParams,
      replies: { 200: schemas.balanceReply },
      refusals: ['SUBSCRIBER_NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => okOrRefusal(await wallet.balance(call, call.params.user_id)),
    }),
  ];
}

type Refusals = NonNullable<Endpoint['refusals']>;

const PAYMENT_REFUSALS: Refusals = [
  'INVALID_AMOUNT',
  'REQUEST_CONFLICT',
  'SUBSCRIBER_NOT_FOUND',
  'PEP_ACCESS_REQUIRED',
  'SUBSCRIBER_BLOCKED',
  'TRANSACTION_TYPE_DISABLED',
  'COMPLIANCE_BLOCKED',
  'MAX_BALANCE_EXCEEDED',
];
const PIN_REFUSALS: Refusals = [
  { code: 'INVALID_PIN', status: 400 },
  'INVALID_PIN',
  'ACCOUNT_LOCKED',
  'TOO_MANY_ATTEMPTS',
  'DAILY_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
];

function paymentRoutes(wallet: Wallet, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'transfer',
      clientMethod: 'wallet.transfer',
      method: 'POST',
      path: '/wallet/transfer',
      permission: 'payments:write',
      summary: "Transfer to another wallet by the recipient's id or phone number",
      description:
        "The recipient is an id or a phone number. The sender's PIN is verified, then limits and compliance rules, then the balance. The fee is paid by the sender in addition to the amount.",
      action: 'wallet.transfer',
      hot: true,
      body: schemas.transferBody,
      replies: { 200: paymentReply },
      refusals: [...PAYMENT_REFUSALS, ...PIN_REFUSALS, 'SAME_ACCOUNT'],
      handle: (call) => pay(call, wallet.transfer),
    }),
    endpoint({
      id: 'transferByCard',
      clientMethod: 'wallet.transferByCard',
      method: 'POST',
      path: '/wallet/transfer-p2p',
      permission: 'payments:write',
      summary: "Transfer to another wallet by the recipient's card serial",
      description:
        'The recipient is named by a card serial. Otherwise it is the same as a transfer by id or phone number.',
      action: 'wallet.transfer_p2p',
      hot: true,
      body: schemas.transferByCardBody,
      replies: { 200: paymentReply },
      refusals: [...PAYMENT_REFUSALS, ...PIN_REFUSALS, 'SAME_ACCOUNT', 'CARD_NOT_FOUND', 'CARD_BLOCKED'],
      handle: (call) => pay(call, wallet.transferByCard),
    }),
    endpoint({
      id: 'fundFromPartner',
      clientMethod: 'wallet.fundFromPartner',
      method: 'POST',
      path: '/wallet/fund-from-partner',
      permission: 'payments:fund',
      summary: "Fund a wallet from a partner's clearing account",
      description:
        "The partner owes the amount until it settles. A partner's key may fund from that partner only; other keys need the scope `treasury:write` and a `request_id`.",
      action: 'wallet.fund',
      body: schemas.fundBody,
      replies: { 200: schemas.fundReply, 202: pendingReply },
      refusals: [
        ...PAYMENT_REFUSALS,
        ...GATE_REFUSALS,
        'NOT_FOUND',
        'PARTNER_SUSPENDED',
        'AMOUNT_OUT_OF_RANGE',
        'PARTNER_EXPOSURE_LIMIT_EXCEEDED',
      ],
      handle: (call) => gate.pay(call, wallet.fundOperation),
    }),
    endpoint({
      id: 'withdraw',
      clientMethod: 'wallet.withdraw',
      method: 'POST',
      path: '/wallet/withdraw',
      permission: 'payments:withdraw',
      summary: "Withdraw cash at an agent; an agent's users call it for their own agent",
      description:
        "The customer gets cash from the agent: the amount moves from the wallet to the agent's float. The customer's PIN is verified.",
      action: 'wallet.withdraw',
      hot: true,
      body: schemas.withdrawBody,
      replies: { 200: paymentReply },
      refusals: [
        ...PAYMENT_REFUSALS,
        ...PIN_REFUSALS,
        'NOT_FOUND',
        'AGENT_SUSPENDED',
        { code: 'AGENT_TERMINATED', status: 403 },
      ],
      handle: (call) => pay(call, wallet.withdraw),
    }),
  ];
}
