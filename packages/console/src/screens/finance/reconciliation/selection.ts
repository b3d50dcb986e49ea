// The items that are selected on both sides of the desk, and their running difference.
import type { ReconciliationItem } from '@kissi/client';
import { useMemo, useState } from 'react';

export type Item = ReconciliationItem;

/** What a match, a write-off and a run change. */
export const CHANGED = ['reconciliation', 'matches', 'overview', 'payouts', 'processor-payouts'];

export interface Selection {
  items: Item[];
  bank: Item[];
  books: Item[];
  bankSum: number;
  booksSum: number;
  /** Bank less books. */
  difference: number;
  /** The service takes a match only if both sides have the same sum. */
  isBalanced: boolean;
  has: (item: Item) => boolean;
  /** Whether this item alone would make the difference zero. */
  fits: (item: Item) => boolean;
  toggle: (item: Item) => void;
  /** Selects this transaction when the books show it. */
  expect: (id: string) => void;
  /** These items are shown now. */
  show: (items: readonly Item[]) => void;
  clear: () => void;
}

export function useSelection(): Selection {
  const [items, setItems] = useState<Item[]>([]);
  const [expected, setExpected] = useState<string | null>(null);
  return useMemo(() => {
    const bank = items.filter(({ side }) => side === 'bank');
    const books = items.filter(({ side }) => side === 'books');
    const [bankSum, booksSum] = [sum(bank), sum(books)];
    const difference = bankSum - booksSum;
    const has = (item: Item) => items.some(({ id }) => id === item.id);
    return {
      items,
      bank,
      books,
      bankSum,
      booksSum,
      difference,
      isBalanced: bank.length > 0 && books.length > 0 && difference === 0,
      has,
      fits: (item) =>
        difference !== 0 && !has(item) && item.amount === (item.side === 'bank' ? -difference : difference),
      toggle: (item) => {
        setItems(has(item) ? items.filter(({ id }) => id !== item.id) : [...items, item]);
        setExpected(null);
      },
      expect: setExpected,
      show: (shown) => {
        const item = shown.find(({ id }) => id === expected);
        if (!item) return;
        setExpected(null);
        setItems(has(item) ? items : [...items, item]);
      },
      clear: () => {
        setItems([]);
        setExpected(null);
      },
    };
  }, [items, expected]);
}

const sum = (items: Item[]) => items.reduce((total, { amount }) => total + amount, 0);
