// Likely matches that the last run found. Enter accepts the focused one and moves to the next.
import type { ReconciliationSuggestion } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { readAgain, useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useCan } from '../../../api/user.ts';
import { CopyCurlIcon } from '../../../components/copy-curl-icon.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Link } from '../../../components/link.tsx';
import { notify, notifyFailure } from '../../../components/notices.tsx';
import { Panel } from '../../../components/page.tsx';
import { Failed } from '../../../components/states.tsx';
import { label } from '../../../components/values.tsx';
import { amount } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';
import classes from './desk.module.css';
import { recordOf } from './record-link.tsx';
import { CHANGED, type Item } from './selection.ts';

export function Suggestions() {
  const { t } = useLingui();
  const list = useRef<HTMLUListElement>(null);
  const [running, setRunning] = useState<string | null>(null);
  const { data, error, refetch } = useRead(['reconciliation', 'suggestions'], (options) =>
    Promise.all([
      kissi.reconciliation.suggestions({ limit: '50' }, options),
      kissi.reconciliation.list({ status: 'suggested', limit: '100' }, options),
    ]),
  );
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data || data[0].suggestions.length === 0) return null;
  const [{ suggestions, total_count: total }, { items }] = data;
  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-accept]') ?? [])];
  const accept = async ({ id }: ReconciliationSuggestion, position: number) => {
    setRunning(id);
    try {
      await kissi.reconciliation.acceptSuggestion(id);
      notify(t`Matched. It can be undone under Matches.`);
      await readAgain(...CHANGED);
      requestAnimationFrame(() => (buttons()[position] ?? buttons().at(-1))?.focus());
    } catch (failure) {
      notifyFailure(failure);
    } finally {
      setRunning(null);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons()[buttons().indexOf(document.activeElement as HTMLElement) + step]?.focus();
  };
  return (
    <Panel
      title={<Plural value={total} one="# suggestion" other="# suggestions" />}
      flush
      aside={<Text size="xs" c="dimmed" visibleFrom="sm">{t`Arrows move, Enter accepts`}</Text>}
    >
      <ul className={classes.items} ref={list} onKeyDown={onKeyDown}>
        {suggestions.map((suggestion, n) => (
          <li key={suggestion.id}>
            <Suggestion
              suggestion={suggestion}
              items={items}
              isRunning={running === suggestion.id}
              accept={() => void accept(suggestion, n)}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface SuggestionProps {
  suggestion: ReconciliationSuggestion;
  items: Item[];
  isRunning: boolean;
  accept: () => void;
}

function Suggestion({ suggestion, items, isRunning, accept }: SuggestionProps) {
  const { t } = useLingui();
  const can = useCan();
  const { id, rule } = suggestion;
  const own = items.filter(({ suggestion_id }) => suggestion_id === id);
  const sum = amount(suggestion.amount);
  const reasons = {
    reference: t`The reference is the same.`,
    amount: t`The amount is the same, a few days apart.`,
    day_sum: t`The transactions of a day add up to the entry.`,
  };
  return (
    <div className={classes.suggestion}>
      <Part items={own.filter(({ side }) => side === 'bank')} title={t`Bank`} />
      <Icon name="exchange" size={16} />
      <Part items={own.filter(({ side }) => side === 'books')} title={t`Books`} />
      <div className={classes.verdict}>
        <span className={classes.sum}>{sum}</span>
        <span className={classes.second}>{reasons[rule]}</span>
      </div>
      {can('reconciliation:write') && (
        <Group gap={2} wrap="nowrap">
          <CopyCurlIcon
            action={t`Accept the match of ${sum}`}
            call={(client) => client.reconciliation.acceptSuggestion(id)}
          />
          <Button
            size="compact-sm"
            loading={isRunning}
            onClick={accept}
            data-accept
            aria-label={t`Accept the match of ${sum}`}
          >
            <Trans>Accept</Trans>
          </Button>
        </Group>
      )}
    </div>
  );
}

function Part({ items, title }: { items: Item[]; title: string }) {
  return (
    <div className={classes.text}>
      <span className={classes.second}>{title}</span>
      {items.map((item) => (
        <div key={item.id}>
          <Link to={recordOf(item)} className={classes.title ?? ''}>
            {item.counterparty ?? item.description ?? label(item.type)}
          </Link>
          <span className={classes.second}>{[date(item.date), item.reference].filter(Boolean).join(' · ')}</span>
        </div>
      ))}
    </div>
  );
}
