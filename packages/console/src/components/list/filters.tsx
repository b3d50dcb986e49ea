// The filters above a list. Text is applied after a short pause, on Enter or when the field is left, choices at once.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect, useRef, useState } from 'react';
import { amount, readAmount } from '../../format/money.ts';
import { Icon } from '../icon.tsx';
import { lazyPart } from '../lazy-part.ts';
import { useIsPhone } from '../use-is-phone.ts';
import { label } from '../values.tsx';
import type { Filter, Query } from './definition.ts';

/** Loaded when a list has such a filter. */
const Period = lazyPart(() => import('./period.tsx'));
const PartyFilter = lazyPart(() => import('./party-filter.tsx'));

interface FiltersProps {
  filters: Filter[];
  values: Query;
  onChange: (changes: Query) => void;
  onClear: () => void;
}

const PAUSE_MS = 350;

export function Filters({ filters, values, onChange, onClear }: FiltersProps) {
  const { t } = useLingui();
  const isPhone = useIsPhone();
  const [isOpen, { toggle }] = useDisclosure(false);
  const setCount = Object.keys(values).length;
  const isSet = setCount > 0;
  const isFolded = isPhone || filters.some(({ rare }) => rare);
  const isUsual = ({ rare = false, name }: Filter) => !rare || values[name] !== undefined;
  const shown = isOpen ? filters : isPhone ? filters.slice(0, 1) : filters.filter(isUsual);
  const phoneLabel = setCount > 0 ? t`Filters (${setCount})` : t`Filters`;
  const folderLabel = isPhone ? phoneLabel : isOpen ? t`Fewer filters` : t`More filters`;
  const dates = shown.filter(({ kind }) => kind === 'date');
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={t`Filters`} flex="1 1 auto" maw="100%">
      {shown
        .filter(({ kind }) => kind !== 'date')
        .map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            value={values[filter.name] ?? ''}
            onChange={(value) => onChange({ [filter.name]: value })}
          />
        ))}
      {dates.length > 0 && (
        <Suspense>
          <Period dates={dates} values={values} onChange={onChange} />
        </Suspense>
      )}
      {isFolded && filters.length > 1 && (
        <Button
          variant="default"
          onClick={toggle}
          aria-expanded={isOpen}
          leftSection={<Icon name="filter" size={16} />}
        >
          {folderLabel}
        </Button>
      )}
      {isSet && (
        <Button variant="subtle" color="gray" onClick={onClear} leftSection={<Icon name="close" size={14} />}>
          <Trans>Clear</Trans>
        </Button>
      )}
    </Group>
  );
}

interface FieldProps {
  filter: Filter;
  value: string;
  onChange: (value: string) => void;
}

/** The browser's own list of choices: small, and familiar on a phone. */
function FilterField({ filter, value, onChange }: FieldProps) {
  if (filter.kind === 'party') {
    return (
      <Suspense fallback={<TextInput aria-label={filter.label} disabled w={{ base: '100%', xs: 210 }} />}>
        <PartyFilter filter={filter} value={value} onChange={onChange} />
      </Suspense>
    );
  }
  if (filter.kind === 'choice') {
    const data = filter.options.map((option) =>
      typeof option === 'string' ? { value: option, label: label(option) } : option,
    );
    return (
      <NativeSelect
        aria-label={filter.label}
        data={[{ value: '', label: filter.label }, ...data]}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        w={{ base: '100%', xs: 170 }}
      />
    );
  }
  return <TextFilter filter={filter} value={value} onChange={onChange} />;
}

/** Keeps what is typed while the list loads, and follows the address when that changes otherwise. */
function TextFilter({ filter, value, onChange }: FieldProps) {
  const isAmount = filter.kind === 'amount';
  const written = (parameter: string) => (isAmount && parameter ? amount(Number(parameter)) : parameter);
  const [text, setText] = useState(written(value));
  const applied = useRef(value);
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(written(value));
  });
  const apply = (next: string) => {
    const parameter = isAmount ? String(readAmount(next) ?? '') : next.trim();
    if (parameter === applied.current || (isAmount && next !== '' && parameter === '')) return;
    applied.current = parameter;
    onChange(parameter);
  };
  const applyLater = useDebouncedCallback(apply, PAUSE_MS);
  const hint = (filter.kind === 'text' && filter.placeholder) || filter.label;
  return (
    <TextInput
      aria-label={filter.label}
      placeholder={hint}
      {...(isAmount ? { inputMode: 'decimal' as const } : {})}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        applyLater(currentTarget.value);
      }}
      onKeyDown={({ key }) => key === 'Enter' && apply(text)}
      onBlur={() => apply(text)}
      w={{ base: '100%', xs: filter.kind === 'text' ? Math.max(210, hint.length * 8 + 30) : 150 }}
    />
  );
}
