// Masks politically exposed persons (PEPs) in histories: their ids for other parties, whole records for the operator.
import type { Actor } from '../../audit/log.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { HistoryPage, TransactionRecord } from './record.ts';

/** The fields shown of a movement whose parties the caller may not see. */
export type HiddenTransaction = Pick<TransactionRecord, 'transaction_id' | 'status'>;

export type MaskedPage = HistoryPage<TransactionRecord | HiddenTransaction>;

export function createPepMasking(pep: PepGuard) {
  return {
    /** In the history of one account: the records stay, and a PEP on the other side is shown without its id. */
    async maskCounterparties(accountId: string, page: HistoryPage): Promise<HistoryPage> {
      const peps = await pepsOf(page, accountId);
      if (peps.size === 0) return page;
      return { ...page, transactions: page.transactions.map((record) => withoutPeps(record, peps)) };
    },

    /** In the history of all accounts: records with a PEP on either side show no more than their id and status. */
    async maskRecords(actor: Actor, page: HistoryPage): Promise<MaskedPage> {
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
    const ids = [...new Set(partiesOf(page))].filter((id) => id !== null).filter((id) => id !== except);
    const marks = await Promise.all(ids.map(pep.isPep));
    return new Set(ids.filter((_, index) => marks[index]));
  }
}

function partiesOf({ transactions }: HistoryPage): (string | null)[] {
  return transactions.flatMap(({ payer_id, payee_id }) => [payer_id, payee_id]);
}

/** The record with null in place of each PEP's id. */
export function withoutPeps(record: TransactionRecord, peps: ReadonlySet<string>): TransactionRecord {
  const unlessPep = (id: string | null) => (id !== null && peps.has(id) ? null : id);
  const { counterparty, payer_id, payee_id } = record;
  return {
    ...record,
    counterparty: unlessPep(counterparty),
    payer_id: unlessPep(payer_id),
    payee_id: unlessPep(payee_id),
  };
}
