// A text that is written below or above others, such as a note for staff. Its button appears with the first letter.
import type { Kissi } from '@kissi/client';
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { readAgain } from '../api/queries.ts';
import { CopyCurl } from './copy-curl.tsx';
import { RefusalNotice } from './states.tsx';
import { useSubmit } from './use-submit.ts';

/** As long as the service takes a note or a message. */
const MAX_LENGTH = 2_000;

interface TextFormProps {
  label: string;
  placeholder: string;
  submitLabel: string;
  call: (client: Kissi, text: string) => PromiseLike<unknown>;
  /** The resources that are read again. */
  changes: string[];
  /** Above the text. */
  children?: ReactNode;
}

export function TextForm({ label, placeholder, submitLabel, call: send, changes, children }: TextFormProps) {
  const [text, setText] = useState('');
  const call = (client: Kissi) => send(client, text.trim());
  const { submit, error, isRunning } = useSubmit(call, async () => {
    // What was written since then stays.
    setText((now) => (now === text ? '' : now));
    await readAgain(...changes);
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {children}
        <Textarea
          aria-label={label}
          placeholder={placeholder}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_LENGTH}
        />
        <RefusalNotice error={error} />
        {text.trim() !== '' && (
          <Group justify="space-between">
            <CopyCurl call={call} />
            <Button type="submit" size="compact-sm" loading={isRunning}>
              {submitLabel}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
