// The rows that are selected in a list.
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { ListDefinition } from './definition.ts';

export interface Ticks {
  /** The rows that some action is for. */
  possible: ReadonlySet<string>;
  ticked: ReadonlySet<string>;
  isAll: boolean;
  toggle: (row: string) => void;
  toggleAll: () => void;
  clear: () => void;
}

/** Only rows that are shown and that an action is for are selected. */
export function useTicks<Row>({ bulk, keyOf }: ListDefinition<Row>, rows: readonly Row[] = []) {
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const possible = rows.filter((row) => bulk?.some(({ isFor = () => true }) => isFor(row)));
  const selected = possible.filter((row) => wanted.has(keyOf(row)));
  const isAll = selected.length > 0 && selected.length === possible.length;
  const ticks: Ticks = {
    possible: new Set(possible.map(keyOf)),
    ticked: new Set(selected.map(keyOf)),
    isAll,
    toggle: (row) => setWanted((old) => old.symmetricDifference(new Set([row]))),
    toggleAll: () => setWanted(new Set(isAll ? [] : possible.map(keyOf))),
    clear: () => setWanted(new Set()),
  };
  return { ticks: bulk && bulk.length > 0 ? ticks : undefined, selected };
}

export function TickBox({ row, ticks }: { row: string; ticks: Ticks }) {
  const { t } = useLingui();
  return (
    <input
      type="checkbox"
      aria-label={t`Select this row`}
      disabled={!ticks.possible.has(row)}
      checked={ticks.ticked.has(row)}
      onChange={() => ticks.toggle(row)}
    />
  );
}
