// Politically exposed persons in other people's histories, where they are nobody, and in the house's, where they are hidden.
import type { Actor } from '../../audit/log.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { HistoryPage, TransactionRecord } from './record.ts';

/** As much of a movement as a list shows when it names whom the caller may not see. */
export type HiddenTransaction = Pick<TransactionRecord, 'transaction_id' | 'status'>;

export type DiscreetPage = HistoryPage<TransactionRecord | HiddenTransaction>;

export function discretion(pep: PepGuard) {
  return {
    /** What the account's holder paid and got is its own record and stays; a PEP on the other side has no id there. */
    async withoutNames(accountId: string, page: HistoryPage): Promise<HistoryPage> {
      const peps = await pepsOf(page, accountId);
      if (peps.size === 0) return page;
      return { ...page, transactions: page.transactions.map((record) => anonymous(record, peps)) };
    },

    /** Seen from above it is as much theirs as anybody's. */
    async withoutRecords(actor: Actor, page: HistoryPage): Promise<DiscreetPage> {
      const hidden = await pep.hidden(actor, partiesOf(page));
      const isHidden = (id: string | null) => id !== null && hidden.has(id);
      const transactions = page.transactions.map((record) => {
        const { transaction_id, status, payer_id, payee_id } = record;
        return isHidden(payer_id) || isHidden(payee_id) ? { transaction_id, status } : record;
      });
      return { ...page, transactions };
    },
  };

  async function pepsOf(page: HistoryPage, except: string): Promise<Set<string>> {
    const ids = [...new Set(partiesOf(page))].filter((id) => id?.startsWith('sub_') && id !== except) as string[];
    const marks = await Promise.all(ids.map(pep.isPep));
    return new Set(ids.filter((_, index) => marks[index]));
  }
}

function partiesOf({ transactions }: HistoryPage): (string | null)[] {
  return transactions.flatMap(({ payer_id, payee_id }) => [payer_id, payee_id]);
}

/** Nobody in the place of a party that is not named. */
export function anonymous(record: TransactionRecord, peps: ReadonlySet<string>): TransactionRecord {
  const unlessPep = (id: string | null) => (id !== null && peps.has(id) ? null : id);
  const { counterparty, payer_id, payee_id } = record;
  return {
    ...record,
    counterparty: unlessPep(counterparty),
    payer_id: unlessPep(payer_id),
    payee_id: unlessPep(payee_id),
  };
}
