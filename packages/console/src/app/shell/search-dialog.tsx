// The global search dialog: records, commands, screens, and what was opened before.
import type { SearchHit } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Archived } from '../../components/archived.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { Empty, Failed, Loading } from '../../components/states.tsx';
import { label, Status } from '../../components/values.tsx';
import { type Entry, useMatches, useRecent } from './palette-entries.ts';
import classes from './shell.module.css';

const MIN_LENGTH = 3;

export default function SearchDialog({ close }: { close: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      onClose={close}
      withCloseButton={false}
      size="lg"
      padding="sm"
      yOffset="10vh"
      centered={false}
      title={t`Search`}
      styles={{ header: { display: 'none' } }}
    >
      <Palette close={close} />
    </Dialog>
  );
}

function Palette({ close }: { close: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const [query] = useDebouncedValue(text.trim(), 200);
  const isQuery = query.length >= MIN_LENGTH;
  const { data, error } = useRead(['search', query], (options) => kissi.search.query({ q: query }, options), {
    enabled: isQuery,
  });
  const recent = useRecent();
  const groups: Group[] = [
    { name: t`Commands and screens`, entries: useMatches(text) },
    { name: t`Opened before`, entries: text === '' ? recent : [] },
    { name: t`Records`, entries: isQuery ? (data?.hits ?? []).map(entryOf) : [] },
  ];
  const entries = groups.flatMap((group) => group.entries);
  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    close();
    void navigate({ to: entry.to, search: (entry.open ? { open: 'true' } : {}) as never });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setSelected((n) => Math.min(Math.max(n + step, 0), Math.max(entries.length - 1, 0)));
    }
    if (event.key === 'Enter') open(entries[selected]);
  };
  return (
    <Stack gap="xs">
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        aria-label={t`Search`}
        placeholder={t`Phone, name, card, account, transaction, reference, or a command`}
        leftSection={<Icon name="search" />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls="search-hits"
        aria-activedescendant={entries.length > 0 ? `hit-${selected}` : undefined}
      />
      {error && isQuery ? <Failed error={error} /> : null}
      {isQuery && !data && !error && <Loading rows={4} />}
      {isQuery && data && entries.length === 0 && (
        <Empty icon="search" title={<Trans>Nothing found</Trans>}>
          <Trans>
            Enter the beginning of a name, or at least four digits of a number; references must be complete.
          </Trans>
        </Empty>
      )}
      {isQuery && data?.hits.length === 0 && <Archived before={data.archived_before} />}
      <div id="search-hits" role="listbox" aria-label={t`Results`}>
        {groups.map(({ name, entries: members }) => (
          <Results
            key={name}
            {...{
              name,
              members,
              open,
              selected: entries[selected],
              select: (entry) => setSelected(entries.indexOf(entry)),
            }}
            idOf={(entry) => `hit-${entries.indexOf(entry)}`}
          />
        ))}
      </div>
    </Stack>
  );
}

interface Group {
  name: string;
  entries: Entry[];
}

interface ResultsProps {
  name: string;
  members: Entry[];
  selected: Entry | undefined;
  idOf: (entry: Entry) => string;
  open: (entry: Entry) => void;
  select: (entry: Entry) => void;
}

function Results({ name, members, selected, idOf, open, select }: ResultsProps) {
  if (members.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div role="group" aria-label={name}>
      <Text size="xs" c="dimmed" px="sm" pt="xs" aria-hidden>
        {name}
      </Text>
      {members.map((entry) => (
        <UnstyledButton
          key={idOf(entry)}
          id={idOf(entry)}
          role="option"
          aria-selected={entry === selected}
          data-selected={entry === selected}
          className={classes.hit}
          onClick={() => open(entry)}
          onMouseEnter={() => select(entry)}
          tabIndex={-1}
        >
          <div className={classes.hitText}>
            <Text size="sm" fw={600} truncate>
              {entry.title}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {entry.subtitle}
            </Text>
          </div>
          {entry.status && <Status value={entry.status} />}
        </UnstyledButton>
      ))}
    </div>
  );
}

function entryOf(hit: SearchHit): Entry {
  const { type, title, subtitle, status } = hit;
  return { title, subtitle: subtitle ? `${label(type)} · ${subtitle}` : label(type), status, to: addressOf(hit) };
}

/** The screen for a search hit. A card is shown on its holder's screen. */
export function addressOf({ type, id, subscriber_id }: Pick<SearchHit, 'type' | 'id' | 'subscriber_id'>): string {
  const screens = {
    subscriber: `/customers/${id}`,
    card: subscriber_id ? `/customers/${subscriber_id}` : '/customers',
    transaction: `/transactions/${id}`,
    inbound: `/credits/${id}`,
    agent: `/agents/${id}`,
    processor: `/merchants/${id}`,
    partner: `/partners/${id}`,
  };
  return screens[type];
}
