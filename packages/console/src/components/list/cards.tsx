// A list's records on a phone: one block each, the most important value first.
import { useNavigate } from '@tanstack/react-router';
import type { ListDefinition } from './definition.ts';
import classes from './list.module.css';

export function Cards<Row>({ definition, rows }: { definition: ListDefinition<Row>; rows: Row[] }) {
  const { columns, keyOf, linkOf } = definition;
  const navigate = useNavigate();
  const title = columns.find(({ keep }) => keep === 'title') ?? columns[0];
  const others = columns.filter((column) => column !== title && column.keep !== 'desktop' && column.keep !== 'tablet');
  return (
    <ul className={classes.cards}>
      {rows.map((row) => {
        const link = linkOf?.(row) ?? null;
        const open = () => link && void navigate({ to: link });
        const interaction = link
          ? {
              role: 'link',
              tabIndex: 0,
              onClick: open,
              onKeyDown: ({ key }: { key: string }) => key === 'Enter' && open(),
            }
          : {};
        return (
          <li key={keyOf(row)}>
            <div className={classes.card} {...interaction}>
              <div className={classes.cardTitle}>{title?.cell(row)}</div>
              {others.map((column, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list's columns stay in their order.
                <div key={n} className={classes.cardLine}>
                  <span>{column.title}</span>
                  <span>{column.cell(row)}</span>
                </div>
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
