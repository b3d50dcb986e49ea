// Whose phone is played: a customer or agent from the list, or a number that is typed, which may have no wallet yet.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './lab.module.css';

const CUSTOMERS = 4;
const AGENTS = 2;
const NUMBER = /^\+?[\d\s().\-/]{4,32}$/;

export function ChooseNumber({ onChoose }: { onChoose: (number: string) => void }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const typed = text.trim();
  const isNumber = NUMBER.test(typed);
  const [name] = useDebouncedValue(isNumber ? '' : typed, 200);
  const search = name ? { search: name } : {};
  const customers = useRead(
    ['subscribers', 'lab', name],
    (options) => kissi.subscribers.list({ ...search, limit: CUSTOMERS }, options),
    { keepPrevious: true },
  );
  const agents = useRead(
    ['agents', 'lab', name],
    (options) => kissi.agents.list({ ...search, limit: AGENTS }, options),
    { keepPrevious: true },
  );
  const choose = (number: string) => {
    setText('');
    onChoose(number);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isNumber) choose(typed);
  };
  const people = [
    ...(customers.data?.subscribers ?? []).map(({ first_name, last_name, phone_number }) => ({
      name: `${first_name} ${last_name}`,
      number: phone_number,
    })),
    ...(agents.data?.agents ?? []).map(({ business_name, phone_number }) => ({
      name: t`${business_name}, agent`,
      number: phone_number,
    })),
  ];
  const offered = people.flatMap(({ name: shown, number }) => (number ? [{ shown, number }] : []));
  return (
    <Stack gap="sm">
      <form className={classes.choose} onSubmit={submit}>
        <TextInput
          label={t`Phone number or name`}
          placeholder={t`Phone: +232…`}
          size="md"
          autoComplete="off"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" size="md" disabled={!isNumber}>
          <Trans>Open</Trans>
        </Button>
      </form>
      <ul className={classes.people}>
        {offered.map(({ number, shown }) => (
          <li key={number}>
            <UnstyledButton className={classes.person} onClick={() => choose(number)}>
              <Icon name="phone" />
              <span>
                {shown}
                <Text span c="dimmed" size="sm" display="block">
                  {number}
                </Text>
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {name && offered.length === 0 && (
        <Text c="dimmed" size="sm">
          <Trans>Nobody has this name. A number without a wallet can be typed too.</Trans>
        </Text>
      )}
    </Stack>
  );
}
