// The matching desk: suggestions, then open items of the bank and of the books side by side.
import { Trans, useLingui } from '@lingui/react/macro';
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { useCan } from '../../../api/user.ts';
import { Link } from '../../../components/link.tsx';
import classes from './desk.module.css';
import { useSelection } from './selection.ts';
import { type Dialog, SelectionBar } from './selection-bar.tsx';
import { type OwnerFilter, SideColumn } from './side.tsx';
import { Suggestions } from './suggestions.tsx';

export function Desk() {
  const { t } = useLingui();
  const can = useCan();
  const selection = useSelection();
  const [dialog, setDialog] = useState<Dialog>(null);
  const [owner, setOwner] = useState<OwnerFilter>('all');
  const isWritable = can('reconciliation:write');
  const { statement } = useSearch({ strict: false }) as { statement?: string };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!(event.target instanceof HTMLInputElement) || event.target.type !== 'checkbox') return;
    if (event.key === 'Enter' && selection.isBalanced && isWritable) {
      event.preventDefault();
      setDialog('match');
    }
    if (event.key === 'Escape') selection.clear();
    move(event);
  };
  return (
    <Stack gap="lg">
      <Suggestions />
      <SegmentedControl
        size="xs"
        className={classes.owners ?? ''}
        aria-label={t`Owner`}
        value={owner}
        onChange={(next) => {
          setOwner(next as OwnerFilter);
          selection.clear();
        }}
        data={[
          { value: 'all', label: t`All open items` },
          { value: 'me', label: t`Mine` },
          { value: 'none', label: t`Without an owner` },
        ]}
      />
      {statement && <OneStatement />}
      {isWritable && <SelectionBar selection={selection} dialog={dialog} onDialog={setDialog} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys act on the checkboxes inside. */}
      <div className={classes.desk} onKeyDown={onKeyDown}>
        <SideColumn
          key={`bank-${owner}-${statement}`}
          side="bank"
          title={t`Bank`}
          selection={selection}
          owner={owner}
          statement={statement}
        />
        <SideColumn key={`books-${owner}`} side="books" title={t`Books`} selection={selection} owner={owner} />
      </div>
    </Stack>
  );
}

function OneStatement() {
  const { t } = useLingui();
  return (
    <Text size="sm">
      <Trans>The bank's side shows the entries of one statement only.</Trans>{' '}
      <Link to="/finance/reconciliation">{t`Show all open items`}</Link>
    </Text>
  );
}

/** Arrows move up and down a column, and to the other column. */
function move(event: KeyboardEvent<HTMLDivElement>): void {
  const columns = [...event.currentTarget.children].map((column) => [
    ...column.querySelectorAll<HTMLInputElement>('input[type=checkbox]'),
  ]);
  const at = columns.findIndex((boxes) => boxes.includes(event.target as HTMLInputElement));
  const row = columns[at]?.indexOf(event.target as HTMLInputElement) ?? 0;
  const target = {
    ArrowDown: columns[at]?.[row + 1],
    ArrowUp: columns[at]?.[row - 1],
    ArrowLeft: columns[0]?.at(Math.min(row, (columns[0]?.length ?? 1) - 1)),
    ArrowRight: columns[1]?.at(Math.min(row, (columns[1]?.length ?? 1) - 1)),
  }[event.key];
  if (!target) return;
  event.preventDefault();
  target.focus();
}
