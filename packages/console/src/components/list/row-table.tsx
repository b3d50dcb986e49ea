// The records of a list as a table. Arrow keys, or j and k, move between rows; Enter opens one.
import { Table } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { Column, ListDefinition } from './definition.ts';
import classes from './list.module.css';

export function RowTable<Row>({ definition, rows }: { definition: ListDefinition<Row>; rows: Row[] }) {
  const { columns, keyOf } = definition;
  return (
    <Table.ScrollContainer minWidth={480} type="native">
      <Table
        verticalSpacing="xs"
        horizontalSpacing="md"
        highlightOnHover={Boolean(definition.linkOf)}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a list's columns stay in their order.
              <Table.Th key={n} className={classOf(column)}>
                {column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} row={row} definition={definition} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function TableRow<Row>({ row, definition }: { row: Row; definition: ListDefinition<Row> }) {
  const navigate = useNavigate();
  const link = definition.linkOf?.(row) ?? null;
  const open = () => link && void navigate({ to: link });
  const onClick = ({ target }: MouseEvent) => {
    const isSelecting = (getSelection()?.toString() ?? '') !== '';
    if (!isSelecting && !(target as Element).closest('a, button, input')) open();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter') open();
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const other = step > 0 ? event.currentTarget.nextElementSibling : event.currentTarget.previousElementSibling;
    (other as HTMLElement | null)?.focus();
  };
  const interaction = link ? { tabIndex: 0, onClick, onKeyDown, className: classes.link } : {};
  return (
    <Table.Tr {...interaction}>
      {definition.columns.map((column, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list's columns stay in their order.
        <Table.Td key={n} className={classOf(column)}>
          {column.cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function classOf<Row>({ align, keep }: Column<Row>): string {
  const width = keep === 'phone' || keep === undefined ? '' : classes[keep];
  return [align === 'end' ? classes.end : '', width].filter(Boolean).join(' ');
}
