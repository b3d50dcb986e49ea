// A short table inside a panel. The first cell of a row names it.
import type { ReactNode } from 'react';
import classes from './small-table.module.css';

export interface SmallColumn<Row> {
  title: ReactNode;
  cell: (row: Row) => ReactNode;
  /** For numbers. */
  end?: boolean;
  /** Left out on a phone. */
  rare?: boolean;
}

interface SmallTableProps<Row> {
  columns: SmallColumn<Row>[];
  rows: readonly Row[];
  /** Scrolls sideways on a phone. */
  wide?: boolean;
  /** The cells of the last row. */
  total?: ReactNode[] | false;
}

export function SmallTable<Row>({ columns, rows, wide = false, total = false }: SmallTableProps<Row>) {
  const line = (cells: ReactNode[], scope: 'row' | 'col') =>
    cells.map((cell, n) => {
      const { end = false, rare = false } = columns[n] ?? {};
      const className = [end && classes.end, rare && classes.rare].filter(Boolean).join(' ');
      const props = { className: className || undefined, children: cell };
      // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay in their order.
      return scope === 'row' && n > 0 ? <td key={n} {...props} /> : <th key={n} scope={scope} {...props} />;
    });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
    <div className={classes.scroll} tabIndex={0}>
      <table className={wide ? `${classes.table} ${classes.wide}` : classes.table}>
        <thead>
          <tr>
            {line(
              columns.map(({ title }) => title),
              'col',
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no state.
            <tr key={n}>
              {line(
                columns.map(({ cell }) => cell(row)),
                'row',
              )}
            </tr>
          ))}
        </tbody>
        {total && (
          <tfoot>
            <tr>{line(total, 'row')}</tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
