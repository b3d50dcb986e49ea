// One side of the desk: its open items, oldest first, with a filter and pages.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useCan } from '../../../api/user.ts';
import { Icon } from '../../../components/icon.tsx';
import { PageButtons } from '../../../components/list/pages.tsx';
import { Panel } from '../../../components/page.tsx';
import { Empty, Waiting } from '../../../components/states.tsx';
import { useTypeName } from '../../../components/type-name.ts';
import { Money, Status } from '../../../components/values.tsx';
import { amount, count } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';
import classes from './desk.module.css';
import { OpenReason } from './open-reason.tsx';
import { OwnerName } from './owner.tsx';
import { PartyLink, RecordLink } from './record-link.tsx';
import type { Item, Selection } from './selection.ts';

const SIZE = 100;
/** Items of this age wait longer than a bank needs. */
const OLD_DAYS = 3;

interface SideProps {
  side: 'bank' | 'books';
  title: string;
  selection: Selection;
  /** Only items of this owner. */
  owner: OwnerFilter;
  /** Only entries of this bank statement. */
  statement?: string | undefined;
}

export type OwnerFilter = 'all' | 'me' | 'none';

export function SideColumn({ side, title, selection, owner, statement }: SideProps) {
  const { t } = useLingui();
  const [offset, setOffset] = useState(0);
  const [text, setText] = useState('');
  const { data, error, refetch } = useRead(
    ['reconciliation', side, owner, statement, offset],
    (options) =>
      kissi.reconciliation.list(
        {
          ...{ side, status: 'unmatched', limit: String(SIZE), offset: String(offset) },
          ...(owner === 'all' ? {} : { owner }),
          ...(statement ? { statement_id: statement } : {}),
        },
        options,
      ),
    { keepPrevious: true },
  );
  const typeName = useTypeName();
  const { show } = selection;
  useEffect(() => show(data?.items ?? []), [show, data]);
  const items = (data?.items ?? []).filter((item) => isFound(item, text, typeName));
  const total = data?.total_count ?? 0;
  const totalText = count(total);
  const suggested = useSuggested(side, owner);
  const suggestedText = count(suggested);
  return (
    <Panel
      title={title}
      flush
      aside={
        <Text size="sm" c="dimmed">
          {suggested > 0 && !statement ? t`${totalText} open, ${suggestedText} suggested` : t`${totalText} open`}
        </Text>
      }
    >
      {total > 0 && (
        <TextInput
          className={classes.filter ?? ''}
          size="xs"
          aria-label={t`Filter ${title}`}
          placeholder={t`Name, reference, text or amount`}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {!data && <Waiting error={error} retry={refetch} rows={5} />}
      {data && items.length === 0 && <NothingOpen isFiltered={text !== '' || owner !== 'all'} />}
      <ul className={classes.items}>
        {items.map((item) => (
          <Row key={item.id} item={item} selection={selection} />
        ))}
      </ul>
      <Group justify="flex-end" p={total > SIZE ? 'xs' : 0}>
        <PageButtons
          previous={offset > 0 ? () => setOffset(offset - SIZE) : undefined}
          next={offset + SIZE < total ? () => setOffset(offset + SIZE) : undefined}
        />
      </Group>
    </Panel>
  );
}

/** They are open too, and shown above. */
function useSuggested(side: 'bank' | 'books', owner: OwnerFilter): number {
  const { data } = useRead(['reconciliation', side, owner, 'suggested'], (options) =>
    kissi.reconciliation.list(
      { side, status: 'suggested', limit: '1', ...(owner === 'all' ? {} : { owner }) },
      options,
    ),
  );
  return data?.total_count ?? 0;
}

function NothingOpen({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useLingui();
  return isFiltered ? (
    <Empty icon="search" title={t`Nothing open matches this`} />
  ) : (
    <Empty icon="approve" title={t`Everything is matched`} />
  );
}

function isFound(
  { counterparty, reference, description, amount: value, type }: Item,
  text: string,
  typeName: (type: string) => string,
): boolean {
  const wanted = text.trim().toLowerCase();
  const fields = [counterparty, reference, description, typeName(type), amount(value), String(value / 100)];
  return wanted === '' || fields.some((field) => field?.toLowerCase().includes(wanted));
}

function Row({ item, selection }: { item: Item; selection: Selection }) {
  const { t } = useLingui();
  const can = useCan();
  const typeName = useTypeName();
  const isSelected = selection.has(item);
  const { counterparty, description, reference, age_days, side, type } = item;
  const title = counterparty ?? description ?? typeName(type);
  const second = [
    date(item.date),
    side === 'books' ? typeName(type) : null,
    reference,
    counterparty ? description : null,
  ].filter((part): part is string => part !== null);
  return (
    <li className={classes.row}>
      <label htmlFor={`item-${item.id}`} className={classes.item} data-selected={isSelected}>
        {can('reconciliation:write') && (
          <Checkbox
            id={`item-${item.id}`}
            size="xs"
            checked={isSelected}
            onChange={() => selection.toggle(item)}
            aria-label={`${title}, ${amount(item.amount)}`}
          />
        )}
        <span className={classes.text}>
          <span className={classes.title}>{title}</span>
          <span className={classes.second}>
            {second.join(' · ')}
            {item.owner_id !== null && (
              <>
                {' · '}
                <Icon name="user" size={12} /> <OwnerName item={item} />
              </>
            )}
          </span>
        </span>
        <span className={classes.end}>
          <Money value={item.amount} signed />
          {selection.fits(item) ? (
            <Status value={t`Fits`} tone="kissi" />
          ) : (
            <span className={age_days > OLD_DAYS ? classes.old : classes.second}>
              {age_days === 0 ? <Trans>today</Trans> : <Plural value={age_days} one="# day" other="# days" />}
            </span>
          )}
        </span>
      </label>
      <PartyLink item={item} name={title} />
      <RecordLink item={item} name={title} />
      <OpenReason item={item} />
    </li>
  );
}
