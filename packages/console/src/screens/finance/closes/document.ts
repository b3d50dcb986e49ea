// The parts of a close's signed document that the console shows.

export interface CloseDocument {
  e_money: { total: number; by_kind: { kind: string; balance: number }[] };
  trust: {
    total: number;
    accounts: {
      id: string;
      name: string;
      bank: string;
      account_number: string;
      balance: number | null;
      balance_date: string | null;
    }[];
  };
  partners: { owed: number; partners: { id: string; name: string; outstanding: number }[] };
  movements: { type: string; count: number; amount: number; fee: number; commission: number }[];
  suspense: Open;
  unmatched: { bank: Open; books: Open };
  corrects: { reason: string } | null;
}

interface Open {
  amount: number;
  count: number;
}

export const readDocument = (text: string) => JSON.parse(text) as CloseDocument;
