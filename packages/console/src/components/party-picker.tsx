// A field for a party, found by name, phone number, account or id.
import type { SearchHit } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Select, type SelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '../api/queries.ts';
import { kissi } from '../api/session.ts';
import type { PartyType } from './list/definition.ts';
import { useKindName } from './party.tsx';

interface PartyPickerProps extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'filter' | 'renderOption'> {
  types: readonly PartyType[];
  /** The party's id; empty for none. */
  value?: string;
  onChange: (id: string) => void;
}

const MIN_LENGTH = 3;
const PAUSE_MS = 250;
const ID = /^([a-z]+)_[0-9A-Z]{26}$/i;
const PREFIXES: Record<PartyType, string> = {
  subscriber: 'sub',
  agent: 'agent',
  processor: 'proc',
  partner: 'ptn',
  transaction: 'txn',
};

export function PartyPicker({ types, value = '', onChange, ...props }: PartyPickerProps) {
  const { t } = useLingui();
  const kindName = useKindName();
  const [text, setText] = useState('');
  const [query] = useDebouncedValue(text.trim(), PAUSE_MS);
  const isOf = ({ type }: SearchHit) => (types as readonly string[]).includes(type);
  const search = (q: string, enabled: boolean) =>
    // biome-ignore lint/correctness/useHookAtTopLevel: called twice in each render.
    useRead(['search', q], (options) => kissi.search.query({ q }, options), { enabled });
  const { data: current } = search(value, value !== '');
  const { data, isFetching } = search(query, query.length >= MIN_LENGTH);
  const chosen = current?.hits.find(({ id }) => id === value);
  const hits = query.length >= MIN_LENGTH ? (data?.hits ?? []).filter(isOf) : [];
  const nameOf = (id: string) => `${id.startsWith('txn_') ? t`Transaction` : kindName(id)} …${id.slice(-6)}`;
  const found = [...hits, ...(chosen ? [chosen] : [])].map(({ id, title, subtitle }) => ({ id, title, subtitle }));
  // The record of an id may not be shown, such as a politically exposed person's; the id is still one.
  const ids = [value, ...(isIdOf(query, types) ? [query] : [])].filter(Boolean);
  const bare = ids.map((id) => ({ id, title: nameOf(id), subtitle: id }));
  const options = new Map([...bare, ...found].map((each) => [each.id, each]));
  return (
    <Select
      placeholder={t`Name, phone or account`}
      searchable
      clearable
      nothingFoundMessage={
        query.length < MIN_LENGTH ? t`Type 3 characters or more` : isFetching ? t`Searching` : t`Nobody was found`
      }
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      {...props}
      filter={({ options: all }) => all}
      searchValue={text}
      onSearchChange={setText}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      data={[...options.values()].map(({ id, title }) => ({ value: id, label: title }))}
      renderOption={({ option }) => (
        <span>
          {option.label}
          <Text component="span" display="block" size="xs" c="dimmed">
            {options.get(option.value)?.subtitle}
          </Text>
        </span>
      )}
    />
  );
}

const isIdOf = (text: string, types: readonly PartyType[]) => {
  const prefix = ID.exec(text)?.[1]?.toLowerCase();
  return types.some((type) => PREFIXES[type] === prefix);
};
