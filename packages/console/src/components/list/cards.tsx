// A list's records on a phone: one block each, the most important value first.
import classes from './list.module.css';
import { RowLink, titleColumn, useRowLinks } from './row-link.tsx';
import type { RowsProps } from './row-table.tsx';
import { TickBox } from './ticks.tsx';

export function Cards<Row>({ definition, rows, isChosen = false, ticks }: RowsProps<Row>) {
  const { columns, keyOf, linkOf } = definition;
  const links = useRowLinks(rows.length > 0);
  const title = titleColumn(columns);
  const isShown = ({ keep }: (typeof columns)[number]) => isChosen || (keep !== 'desktop' && keep !== 'tablet');
  const others = columns.filter((column) => column !== title && isShown(column));
  return (
    <ul className={classes.cards} {...links.rows}>
      {rows.map((row) => {
        const key = keyOf(row);
        const link = linkOf?.(row) ?? null;
        return (
          <li key={key} className={classes.card} data-link={link !== null} {...(link ? links.row : {})}>
            <div className={classes.cardTitle}>
              {ticks && <TickBox row={key} ticks={ticks} />}
              <RowLink to={link} row={key}>
                {title?.cell(row)}
              </RowLink>
            </div>
            {others.map((column, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a list's columns stay in their order.
              <div key={n} className={classes.cardLine}>
                <span>{column.title}</span>
                <span>{column.cell(row)}</span>
              </div>
            ))}
          </li>
        );
      })}
    </ul>
  );
}
