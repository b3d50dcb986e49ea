// The global search dialog: phone numbers, names, cards, accounts, transactions and references.
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
  const hits = isQuery ? (data?.hits ?? []) : [];
  const open = (hit: SearchHit | undefined) => {
    if (!hit) return;
    close();
    void navigate({ to: addressOf(hit) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setSelected((n) => Math.min(Math.max(n + step, 0), Math.max(hits.length - 1, 0)));
    }
    if (event.key === 'Enter') open(hits[selected]);
  };
  return (
    <Stack gap="xs">
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        aria-label={t`Search`}
        placeholder={t`Phone, name, card, account, transaction or reference`}
        leftSection={<Icon name="search" />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls="search-hits"
        aria-activedescendant={hits.length > 0 ? `hit-${selected}` : undefined}
      />
      {error && isQuery ? <Failed error={error} /> : null}
      {isQuery && !data && !error && <Loading rows={4} />}
      {isQuery && data && hits.length === 0 && (
        <Empty icon="search" title={<Trans>Nothing found</Trans>}>
          <Trans>Enter the beginning of a name; phone numbers and references must be complete.</Trans>
        </Empty>
      )}
      {hits.length === 0 && isQuery && <Archived before={data?.archived_before} />}
      <div id="search-hits" role="listbox" aria-label={t`Results`}>
        {hits.map((hit, n) => (
          <UnstyledButton
            key={`${hit.type}-${hit.id}`}
            id={`hit-${n}`}
            role="option"
            aria-selected={n === selected}
            data-selected={n === selected}
            className={classes.hit}
            onClick={() => open(hit)}
            onMouseEnter={() => setSelected(n)}
            tabIndex={-1}
          >
            <div className={classes.hitText}>
              <Text size="sm" fw={600} truncate>
                {hit.title}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {label(hit.type)}
                {hit.subtitle ? ` · ${hit.subtitle}` : ''}
              </Text>
            </div>
            <Status value={hit.status} />
          </UnstyledButton>
        ))}
      </div>
    </Stack>
  );
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
