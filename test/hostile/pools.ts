// Ids that the service returned during a run, by kind, so that later requests can use them.

import type { Random } from '@kissi/testkit/random';
import type { Json } from '../support/gateway.ts';

const MAX_VALUES = 200;

/** The ids in each operation's reply. */
const COLLECTORS: Record<string, (json: Json) => [pool: string, value: unknown][]> = {
  'POST /api/v1/subscribers': ({ subscriber_id }) => [['subscriber', subscriber_id]],
  'POST /api/v1/public/subscribers': ({ subscriber_id }) => [['subscriber', subscriber_id]],
  'POST /api/v1/admin/users': ({ user_id }) => [['user', user_id]],
  'POST /api/v1/admin/api-keys': ({ api_key }) => [['api_key', api_key.id]],
  'POST /api/v1/admin/saved-views': ({ view }) => [['view', view.id]],
  'POST /api/v1/admin/partners': ({ partner }) => [['partner', partner.id]],
  'POST /api/v1/admin/login': ({ refresh_token }) => [['refresh_token', refresh_token]],
  'POST /api/v1/admin/refresh': ({ refresh_token }) => [['refresh_token', refresh_token]],
  'POST /api/v1/agents': ({ agent_id }) => [['agent', agent_id]],
  'POST /api/v1/cards/link': ({ card }) => [['card', card.serial]],
  'POST /api/v1/cards/child': ({ card }) => [['card', card.serial]],
  'POST /api/v1/pos/payment': paymentOf,
  'POST /api/v1/payment': paymentOf,
  'POST /api/v1/pos/payment/{transaction_id}/capture': ({ transaction_id }) => [['payment', transaction_id]],
  'POST /api/v1/inbound/name-enquiry': ({ data }) => [['beneficiary_ref', data.beneficiary_ref]],
  'POST /api/v1/inbound/credit': ({ data }) => [
    ['inbound', data.inbound_id],
    ['reference', data.reference],
  ],
  'GET /api/v1/admin/webhook-deliveries': ({ deliveries }) => deliveries.map(({ id }: Json) => ['delivery', id]),
  'POST /api/v1/webhook-endpoints': ({ webhook_endpoint }) => [['webhook_endpoint', webhook_endpoint.id]],
  'POST /api/v1/bulk-payments': ({ bulk_payment }) => [['bulk_payment', bulk_payment.id]],
  'POST /api/v1/cases': ({ case: { id } }) => [['case', id]],
  'PUT /api/v1/fee-settings': ({ setting }) => [['fee', `${setting.transaction_type}/${setting.party_type}`]],
  'POST /api/v1/admin/trust-accounts': ({ trust_account }) => [['trust_account', trust_account.id]],
  'POST /api/v1/admin/trust-accounts/{id}/statements': ({ statement }) => [
    ['bank_statement', `${statement.trust_account_id}/${statement.id}`],
  ],
  'POST /api/v1/processors/{id}/bank-accounts': ({ bank_account }) => [
    [`bank_account/${bank_account.processor_id}`, bank_account.id],
  ],
  'POST /api/v1/processors/{id}/keys': ({ api_key }) => [[`own_key/${api_key.processor_id}`, api_key.id]],
  'POST /api/v1/processors/{id}/payout': ({ processor_id, transaction_id }) => [
    ['payout', `${processor_id}/${transaction_id}`],
  ],
  'POST /webhooks/partner/cashin': ({ transaction_id }) => [['suspense', transaction_id]],
  'POST /api/v1/compliance/alerts': ({ alert }) => [['alert', alert.id]],
  'POST /api/v1/compliance/rules': ({ rule }) => [['rule', rule.id]],
  'GET /api/v1/transactions/{id}/receipt': ({ receipt }) => [['receipt_link', receipt.url.split('/').at(-1)]],
};

function paymentOf({ status, transaction_id }: Json): [pool: string, value: unknown][] {
  return [[status === 'AUTHORIZED' ? 'authorization' : 'payment', transaction_id]];
}

export class Pools {
  private readonly pools = new Map<string, string[]>();

  put(pool: string, value: string): void {
    const values = this.pools.get(pool) ?? [];
    values.push(value);
    if (values.length > MAX_VALUES) values.shift();
    this.pools.set(pool, values);
  }

  /** Collects the ids of a successful reply. */
  collect(operation: string, json: Json): void {
    for (const [pool, value] of COLLECTORS[operation]?.(json) ?? []) {
      if (typeof value === 'string') this.put(pool, value);
    }
  }

  pick(pool: string, random: Random): string | undefined {
    const values = this.pools.get(pool);
    return values?.length ? random.pick(values) : undefined;
  }

  /** Often still in the state in which it was created. */
  latest(pool: string): string | undefined {
    return this.pools.get(pool)?.at(-1);
  }

  /** Removes and returns the latest value. For values that can be used only once. */
  take(pool: string): string | undefined {
    return this.pools.get(pool)?.pop();
  }
}
