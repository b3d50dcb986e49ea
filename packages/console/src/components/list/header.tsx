// A column's header: a button where the service sorts by the column.
import { useLingui } from '@lingui/react/macro';
import { Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Icon } from '../icon.tsx';
import type { Column } from './definition.ts';
import classes from './list.module.css';

/** The order of a list, as its `sort` parameter; text, because it is in the address. */
export interface Sorting {
  value: string;
  set: (value: string) => void;
}

interface HeaderProps<Row> {
  column: Column<Row>;
  className: string;
  sorting: Sorting | undefined;
}

export function Header<Row>({ column: { title, sort }, className, sorting }: HeaderProps<Row>) {
  const { t } = useLingui();
  if (!sort || !sorting) {
    return <Table.Th className={className}>{title || <VisuallyHidden>{t`Actions`}</VisuallyHidden>}</Table.Th>;
  }
  const { up, down } = sort;
  const order = sorting.value === up ? 'ascending' : sorting.value === down ? 'descending' : 'none';
  const next = order === 'descending' ? (up ?? down) : (down ?? up);
  return (
    <Table.Th className={className} aria-sort={order}>
      <UnstyledButton className={classes.sort} onClick={() => next && sorting.set(next)}>
        {title}
        <span className={classes.arrow} data-order={order}>
          <Icon name="chevronDown" size={14} />
        </span>
      </UnstyledButton>
    </Table.Th>
  );
}
