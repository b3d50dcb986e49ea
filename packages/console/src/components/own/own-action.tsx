// A change in an agent's or merchant's own login: its form is a part of the page, so that a phone loads no dialog.
import { Paper, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { ActionForm } from '../action-form.tsx';
import { type ActionProps, useCall } from '../use-call.ts';

export function OwnAction<Reply>(props: ActionProps<Reply>) {
  const state = useCall(props);
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => part.current?.querySelector<HTMLElement>('[data-autofocus], button')?.focus(), []);
  const title = (
    <Title order={2} size="h3">
      {props.title}
    </Title>
  );
  return (
    <Paper ref={part} withBorder p="md" radius="md">
      <ActionForm action={props} state={state} title={title} large />
    </Paper>
  );
}
