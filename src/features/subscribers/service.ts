// Subscribers: taking them in, finding them, keeping their records, blocking them, checking their PINs.

import type { Page } from '../../http/paging.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { blocking } from './blocking.ts';
import { tidy } from './input.ts';
import { type ListFilter, listSubscribers, type SubscriberPage } from './list-store.ts';
import { noSuchSubscriber, type SubscriberParts } from './parts.ts';
import { pinChecks } from './pin-checks.ts';
import type { SubscriberRow } from './record.ts';
import { registering } from './registration.ts';
import { subscriberById } from './store.ts';
import { updating } from './updating.ts';

export interface ListQuery extends Page {
  status?: string;
  kycLevel?: number;
  /** In any form. */
  phoneNumber?: string;
  search?: string;
}

export type SubscriberService = ReturnType<typeof createSubscribers>;

export function createSubscribers(parts: SubscriberParts) {
  const { database, phone } = parts;
  const find = subscriberById(database.pool);

  async function get(id: string): Promise<SubscriberRow | Refusal> {
    return (await find(id)) ?? noSuchSubscriber();
  }

  async function list({ status, kycLevel, phoneNumber, search, ...page }: ListQuery): Promise<SubscriberPage> {
    const filter: ListFilter = { ...(status ? { status } : {}), ...(kycLevel ? { kycLevel } : {}) };
    if (phoneNumber !== undefined) {
      const number = phone(phoneNumber);
      // What is no telephone number is nobody's.
      if (number === null) return { rows: [], total: 0 };
      filter.phoneNumber = number;
    }
    const text = tidy(search ?? '');
    // A number typed as people dial it is also looked for in the form it is kept in.
    if (text !== '') filter.search = { text, orPhone: phone(text) };
    return listSubscribers(database.queries, filter, page);
  }

  return {
    get,
    list,
    register: registering(parts),
    update: updating(parts),
    ...blocking(parts),
    ...pinChecks(parts, find),
  };
}
