// Ids that the service has given out during a run, by what they are of, so that later requests can name them.
import type { Json } from '../support/gateway.ts';
import type { Random } from './random.ts';

const KEPT = 200;

/** Where in which reply to find what. */
const HARVEST: Record<string, (json: Json) => [pool: string, value: unknown][]> = {
  'POST /api/v1/subscribers': ({ subscriber_id }) => [['subscriber', subscriber_id]],
  'POST /api/v1/public/subscribers': ({ subscriber_id }) => [['subscriber', subscriber_id]],
  'POST /api/v1/admin/users': ({ user_id }) => [['user', user_id]],
  'POST /api/v1/admin/api-keys': ({ api_key }) => [['api-key', api_key.id]],
  'POST /api/v1/admin/partners': ({ partner }) => [['partner', partner.id]],
  'POST /api/v1/admin/login': ({ refresh_token }) => [['refresh_token', refresh_token]],
  'POST /api/v1/admin/refresh': ({ refresh_token }) => [['refresh_token', refresh_token]],
  'POST /api/v1/agents': ({ agent_id }) => [['agent', agent_id]],
  'POST /api/v1/cards/link': ({ card }) => [['card', card.serial]],
  'POST /api/v1/cards/child': ({ card }) => [['card', card.serial]],
  'POST /api/v1/pos/payment': ({ transaction_id }) => [['payment', transaction_id]],
  'POST /api/v1/payment': ({ transaction_id }) => [['payment', transaction_id]],
  'POST /api/v1/inbound/name-enquiry': ({ data }) => [['beneficiary_ref', data.beneficiary_ref]],
  'POST /api/v1/inbound/credit': ({ data }) => [
    ['inbound', data.inbound_id],
    ['reference', data.reference],
  ],
  'PUT /api/v1/fee-settings': ({ setting }) => [['fee', `${setting.transaction_type}/${setting.party_type}`]],
  'POST /api/v1/compliance/alerts': ({ alert }) => [['alert', alert.id]],
  'POST /api/v1/compliance/rules': ({ rule }) => [['rule', rule.id]],
};

export class Pools {
  private readonly pools = new Map<string, string[]>();

  put(pool: string, value: string): void {
    const values = this.pools.get(pool) ?? [];
    values.push(value);
    if (values.length > KEPT) values.shift();
    this.pools.set(pool, values);
  }

  /** From a reply of success. */
  harvest(operation: string, json: Json): void {
    for (const [pool, value] of HARVEST[operation]?.(json) ?? []) {
      if (typeof value === 'string') this.put(pool, value);
    }
  }

  pick(pool: string, random: Random): string | undefined {
    const values = this.pools.get(pool);
    return values && random.pick(values);
  }

  /** The latest, which goes with it: for what can be used once. */
  take(pool: string): string | undefined {
    return this.pools.get(pool)?.pop();
  }
}
