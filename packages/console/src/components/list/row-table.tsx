// The records of a list as a table.
import { useLingui } from '@lingui/react/macro';
import { Table } from '@mantine/core';
import type { Column, ListDefinition } from './definition.ts';
import { Header, type Sorting } from './header.tsx';
import classes from './list.module.css';
import { openedBy, RowLink, titleColumn, useRowLinks } from './row-link.tsx';
import { TickBox, type Ticks } from './ticks.tsx';

export interface RowsProps<Row> {
  definition: ListDefinition<Row>;
  rows: Row[];
  /** The user chose the columns: they are shown whatever the width. */
  isChosen?: boolean;
  ticks?: Ticks | undefined;
  sorting?: Sorting | undefined;
}

export function RowTable<Row>({ definition, rows, isChosen = false, ticks, sorting }: RowsProps<Row>) {
  const { t } = useLingui();
  const { columns, keyOf, linkOf, onOpen } = definition;
  const links = useRowLinks(rows.length > 0);
  const title = titleColumn(columns);
  const classOf = ({ align, keep }: Column<Row>) => {
    const width = isChosen || keep === 'phone' || keep === undefined ? '' : classes[keep];
    return [align === 'end' ? classes.end : '', width].filter(Boolean).join(' ');
  };
  return (
    // Rows without links: the keyboard scrolls the table itself.
    <Table.ScrollContainer minWidth={480} type="native" tabIndex={linkOf ? undefined : 0}>
      <Table
        verticalSpacing="xs"
        horizontalSpacing="md"
        highlightOnHover={Boolean(linkOf ?? onOpen)}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            {ticks && (
              <Table.Th className={classes.tick ?? ''}>
                <input
                  type="checkbox"
                  aria-label={t`Select all rows`}
                  checked={ticks.isAll}
                  onChange={ticks.toggleAll}
                />
              </Table.Th>
            )}
            {columns.map((column, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a list's columns stay in their order.
              <Header key={n} column={column} className={classOf(column)} sorting={sorting} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody {...links.rows}>
          {rows.map((row) => {
            const key = keyOf(row);
            const link = linkOf?.(row) ?? null;
            const opens = link ? links.row : onOpen ? openedBy(() => onOpen(row)) : null;
            return (
              <Table.Tr key={key} {...(opens ? { ...opens, className: classes.link } : {})}>
                {ticks && (
                  <Table.Td className={classes.tick ?? ''}>
                    <TickBox row={key} ticks={ticks} />
                  </Table.Td>
                )}
                {columns.map((column, n) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a list's columns stay in their order.
                  <Table.Td key={n} className={classOf(column)}>
                    <RowLink to={column === title ? link : null} row={key}>
                      {column.cell(row)}
                    </RowLink>
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
