// The wallet's endpoints: balances, payments, history and statements.
import { Readable } from 'node:stream';
import { answered, type Endpoint, endpoint, okJson, type Reply } from '../../http/endpoint.ts';
import { pageOf } from '../../http/paging.ts';
import { pay } from '../../http/payment-endpoint.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Statement } from '../statements/statement.ts';
import { statementPdf } from '../statements/statement-pdf.ts';
import { statementCsv, statementJson } from '../statements/statement-text.ts';
import { historyJson } from '../transactions/history-json.ts';
import * as schemas from './schemas.ts';
import type { Wallet } from './service.ts';

export function walletRoutes(wallet: Wallet): Endpoint[] {
  return [...balanceRoutes(wallet), ...paymentRoutes(wallet), ...recordRoutes(wallet)];
}

function balanceRoutes(wallet: Wallet): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/wallet/balance/:subscriber_id',
      permission: 'balance:read',
      summary: "A wallet's balance, with its holder's PIN",
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
      handle: async (call) => answered(await wallet.balanceByPin(call, call.params.subscriber_id, call.body.pin)),
    }),
    endpoint({
      method: 'GET',
      path: '/balance/:user_id',
      permission: 'balance:read',
      summary: "A wallet's balance",
      params: schemas.userParams,
      replies: { 200: schemas.balanceReply },
      refusals: ['SUBSCRIBER_NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => answered(await wallet.balance(call, call.params.user_id)),
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

function paymentRoutes(wallet: Wallet): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/wallet/transfer',
      permission: 'payments:write',
      summary: "From one wallet to another, by the recipient's id or phone number",
      action: 'wallet.transfer',
      body: schemas.transferBody,
      replies: { 200: schemas.paymentReply },
      refusals: [...PAYMENT_REFUSALS, ...PIN_REFUSALS, 'SAME_ACCOUNT'],
      handle: (call) => pay(call, wallet.transfer),
    }),
    endpoint({
      method: 'POST',
      path: '/wallet/transfer-p2p',
      permission: 'payments:write',
      summary: "From one wallet to another, by the serial of the recipient's card",
      action: 'wallet.transfer_p2p',
      body: schemas.transferByCardBody,
      replies: { 200: schemas.paymentReply },
      refusals: [...PAYMENT_REFUSALS, ...PIN_REFUSALS, 'SAME_ACCOUNT', 'CARD_NOT_FOUND', 'CARD_BLOCKED'],
      handle: (call) => pay(call, wallet.transferByCard),
    }),
    endpoint({
      method: 'POST',
      path: '/wallet/fund-from-partner',
      permission: 'payments:fund',
      summary: "From a partner's clearing account into a wallet",
      action: 'wallet.fund',
      body: schemas.fundBody,
      replies: { 200: schemas.fundReply },
      refusals: [...PAYMENT_REFUSALS, 'NOT_FOUND', 'PARTNER_SUSPENDED', 'PARTNER_EXPOSURE_LIMIT_EXCEEDED'],
      handle: (call) => pay(call, wallet.fund),
    }),
    endpoint({
      method: 'POST',
      path: '/wallet/withdraw',
      permission: 'payments:write',
      summary: "Cash out at an agent: from a wallet to the agent's float",
      action: 'wallet.withdraw',
      body: schemas.withdrawBody,
      replies: { 200: schemas.paymentReply },
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

function recordRoutes(wallet: Wallet): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/transactions',
      permission: 'payments:read',
      summary: 'The history of payments, newest first: of one wallet, or of all',
      query: schemas.transactionsQuery,
      replies: { 200: schemas.transactionsReply },
      refusals: ['SUBSCRIBER_NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await wallet.history(call, { ...call.query, ...page });
        return found instanceof Refusal ? found : okJson(historyJson(found, page));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/wallet/account-statement',
      lane: 'reads',
      permission: 'statements',
      summary: "A wallet's statement: both balances and every entry between them, as JSON, CSV or PDF",
      body: schemas.statementBody,
      replies: { 200: schemas.statementReply },
      refusals: ['SUBSCRIBER_NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const statement = await wallet.statement(call, call.body);
        return statement instanceof Refusal ? statement : FILES[call.body.format ?? 'json'](statement);
      },
    }),
  ];
}

const FILES: Record<schemas.Format, (statement: Statement) => Reply> = {
  json: (statement) => sent(statementJson(statement), { 'content-type': 'application/json; charset=utf-8' }),
  csv: (statement) => sent(statementCsv(statement), fileHeaders(statement, 'csv', 'text/csv; charset=utf-8')),
  pdf: (statement) => sent(statementPdf(statement), fileHeaders(statement, 'pdf', 'application/pdf')),
};

/** Written while it is read: as fast as the client takes it, and no further if it goes away. */
function sent(chunks: AsyncGenerator<string | Buffer>, headers: Record<string, string>): Reply {
  return { status: 200, body: Readable.from(chunks), headers };
}

function fileHeaders({ holder, from, to }: Statement, extension: string, type: string): Record<string, string> {
  const [first, last] = [iso(from), iso(to)].map((instant) => instant.slice(0, 10));
  const name = `kissi-statement-${holder.account_number.slice(-4)}-${first}-${last}.${extension}`;
  return { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
}
