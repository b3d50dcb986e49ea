// Rows open their record: by the link in the row's title, or by a click beside it. After Back the row has the focus again.
import { type RouterHistory, Link as RouterLink, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Column } from './definition.ts';
import classes from './list.module.css';

const ROW_LINK = 'a[data-row]';

interface RowLinkProps {
  to: string | null;
  /** The row's key. */
  row: string;
  children: ReactNode;
}

export function RowLink({ to, row, children }: RowLinkProps) {
  if (!to) return <>{children}</>;
  return (
    <RouterLink to={to} data-row={row} className={classes.rowLink ?? ''}>
      {children}
    </RouterLink>
  );
}

/** The row that was opened last, by the entry of the browser's history that showed the list. */
const opened = new Map<string, string>();

const entry = ({ location }: RouterHistory) => location.state.__TSR_key ?? location.href;

/** `rows`: the element around them gets `ref` and `onKeyDown`; each row gets the handlers of `row`. */
export function useRowLinks(hasRows: boolean) {
  const { history } = useRouter();
  const container = useRef<HTMLElement>(null);
  useEffect(() => {
    const row = hasRows && opened.get(entry(history));
    if (!row) return;
    opened.delete(entry(history));
    links(container.current)
      .find(({ dataset }) => dataset.row === row)
      ?.focus({ preventScroll: true });
  }, [hasRows, history]);

  const linkOf = (row: HTMLElement) => row.querySelector<HTMLAnchorElement>(ROW_LINK);
  // Before the link itself opens the record, and the browser's history has a new entry.
  const remember = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const row = linkOf(currentTarget)?.dataset.row;
    if (row) opened.set(entry(history), row);
  };
  const open = (event: MouseEvent<HTMLElement>) => {
    const link = linkOf(event.currentTarget);
    if (!link) return;
    if ((event.target as Element).closest('a, button, input, label') || isSelecting()) return;
    const isNewTab = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
    if (isNewTab) window.open(link.href, '_blank', 'noopener');
    else link.click();
  };
  return {
    rows: { ref: container as never, onKeyDown: moveFocus },
    row: {
      onClickCapture: remember,
      onClick: open,
      onAuxClick: (event: MouseEvent<HTMLElement>) => event.button === 1 && open(event),
    },
  };
}

/** A click beside the row's own links and buttons. */
export const openedBy = (open: () => void) => ({
  onClick: ({ target }: MouseEvent<HTMLElement>) => {
    if (!(target as Element).closest('a, button, input, label') && !isSelecting()) open();
  },
});

const isSelecting = () => (getSelection()?.toString() ?? '') !== '';

const links = (within: HTMLElement | null) => [...(within?.querySelectorAll<HTMLElement>(ROW_LINK) ?? [])];

/** Arrow keys, or j and k, move between rows; Enter opens one, as it does with every link. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (!step || !(event.target as Element).matches(ROW_LINK)) return;
  event.preventDefault();
  const all = links(event.currentTarget);
  all[all.indexOf(event.target as HTMLElement) + step]?.focus();
}

/** The column whose text names a row. */
export const titleColumn = <Row,>(columns: Column<Row>[]) => columns.find(({ keep }) => keep === 'title') ?? columns[0];
