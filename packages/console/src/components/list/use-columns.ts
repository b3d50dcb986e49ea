// Which columns of a list the user sees, kept in this browser for each user.
import { useState } from 'react';
import { useUser } from '../../api/user.ts';
import type { Column, ListDefinition } from './definition.ts';

export interface ColumnChoice<Row> {
  shown: Column<Row>[];
  /** The user chose them: they are shown whatever the width. */
  isChosen: boolean;
  isShown: (column: Column<Row>) => boolean;
  toggle: (column: Column<Row>) => void;
  reset: () => void;
}

/** Buttons in rows have no title and stay. */
const nameOf = <Row>({ name, title }: Column<Row>) => name ?? (typeof title === 'string' ? title : '');

export function useColumns<Row>({ resource, name = '', columns }: ListDefinition<Row>): ColumnChoice<Row> {
  const key = `kissi-columns ${useUser().id} ${resource} ${name}`;
  const [hidden, setHidden] = useState(() => read(key));
  const set = (next: string[] | null) => {
    setHidden(next);
    if (next) localStorage.setItem(key, JSON.stringify(next));
    else localStorage.removeItem(key);
  };
  const isShown = (column: Column<Row>) => column.keep === 'title' || !hidden?.includes(nameOf(column));
  return {
    shown: columns.filter(isShown),
    isChosen: hidden !== null,
    isShown,
    toggle: (column) =>
      set(
        isShown(column)
          ? [...(hidden ?? []), nameOf(column)]
          : (hidden ?? []).filter((each) => each !== nameOf(column)),
      ),
    reset: () => set(null),
  };
}

function read(key: string): string[] | null {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null');
    return Array.isArray(stored) ? stored.map(String) : null;
  } catch {
    return null;
  }
}
