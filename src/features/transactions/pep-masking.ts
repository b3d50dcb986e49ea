// Politically exposed persons (PEPs) in histories: parties see their own payments without the id of any customer, staff see
// none of a PEP.
import type { Actor } from '../../audit/log.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { PepPayments } from '../../parties/pep-payments.ts';
import { ownAccountOf } from './access.ts';
import type { TransactionRecord } from './record.ts';

export interface MaskingDependencies {
  pep: PepGuard;
  pepPayments: PepPayments;
}

export function createPepMasking({ pep, pepPayments }: MaskingDependencies) {
  /** The records that the caller may see, as it may see them. `accountId`: whose history it is; null for all accounts. */
  return async function visible(
    actor: Actor,
    accountId: string | null,
    records: TransactionRecord[],
  ): Promise<TransactionRecord[]> {
    if (accountId === null) return withoutHidden(actor, records);
    // An agent sees its own payments and those of its sub-agents, a merchant and a partner their own.
    if (ownAccountOf(actor.caller) !== null) return records;
    if (await pep.hasAccess(actor.caller)) return withoutIds(accountId, records);
    const [seen, hidesBalances] = await Promise.all([
      withoutHidden(actor, records),
      records.length > 0 && pepPayments.hidesBalances(actor.caller, accountId),
    ]);
    return hidesBalances ? seen.map((record) => ({ ...record, balance_after: null })) : seen;
  };

  async function withoutHidden(actor: Actor, records: TransactionRecord[]): Promise<TransactionRecord[]> {
    const hidden = await pepPayments.hidden(
      actor,
      records.map(({ transaction_id: id, type, payer_id: fromAccount, payee_id: toAccount }) => ({
        ...{ id, type, fromAccount, toAccount },
      })),
    );
    return hidden.size === 0 ? records : records.filter(({ transaction_id }) => !hidden.has(transaction_id));
  }

  /** The records stay, and a PEP on the other side has no id. */
  async function withoutIds(accountId: string, records: TransactionRecord[]): Promise<TransactionRecord[]> {
    const ids = new Set(records.flatMap(({ payer_id, payee_id }) => [payer_id, payee_id]));
    const others = [...ids].filter((id) => id !== null).filter((id) => id !== accountId);
    const marks = await Promise.all(others.map(pep.isPep));
    const peps = new Set(others.filter((_, index) => marks[index]));
    return peps.size === 0 ? records : records.map((record) => withoutIdsOf(record, (id) => peps.has(id)));
  }
}

/** For parties to the payment: without the ids of customers, because null for some of them would mark the person. */
export function withoutCustomers(record: TransactionRecord): TransactionRecord {
  return withoutIdsOf(record, isCustomer);
}

/** A subscriber's id. */
export const isCustomer = (id: string | null) => id?.startsWith('sub_') ?? false;

/** The record with null in place of each hidden id. */
export function withoutIdsOf(record: TransactionRecord, isHidden: (id: string) => boolean): TransactionRecord {
  const unlessHidden = (id: string | null) => (id !== null && isHidden(id) ? null : id);
  const { counterparty, payer_id, payee_id, actor_id } = record;
  return {
    ...record,
    // A customer's own payment names the customer as its author too.
    ...(actor_id === undefined ? {} : { actor_id: unlessHidden(actor_id) }),
    counterparty: unlessHidden(counterparty),
    payer_id: unlessHidden(payer_id),
    payee_id: unlessHidden(payee_id),
  };
}
