// What staff write about a customer for each other. Notes are never changed or deleted.
import { useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { readAgain, useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { Panel } from '../../components/page.tsx';
import { Failed, RefusalNotice } from '../../components/states.tsx';
import { Instant } from '../../components/values.tsx';
import classes from './customer.module.css';

const MAX_LENGTH = 2_000;
const SHOWN = 20;

export function Notes({ id }: { id: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['subscribers', 'notes', id], (options) =>
    kissi.subscribers.notes(id, { limit: SHOWN }, options),
  );
  return (
    <Panel title={t`Notes`}>
      <Stack gap="md">
        <NoteForm id={id} />
        {error ? <Failed error={error} retry={() => void refetch()} /> : null}
        {data?.notes.length === 0 && (
          <Text size="sm" c="dimmed">{t`No notes yet. Other staff see what you write here.`}</Text>
        )}
        {data?.notes.map((note) => (
          <article key={note.id} className={classes.note}>
            <Text size="xs" c="dimmed">
              {note.author_name ?? t`Former user`} · <Instant at={note.created_at} />
            </Text>
            <Text size="sm" className={classes.noteText}>
              {note.text}
            </Text>
          </article>
        ))}
      </Stack>
    </Panel>
  );
}

function NoteForm({ id }: { id: string }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    setError(null);
    try {
      await kissi.subscribers.addNote(id, { text: text.trim() });
      setText('');
      await readAgain('subscribers', 'audit');
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Textarea
          aria-label={t`New note`}
          placeholder={t`What other staff should know`}
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
            <CopyCurl call={(client) => client.subscribers.addNote(id, { text: text.trim() })} />
            <Button type="submit" size="compact-sm" loading={isRunning}>{t`Add the note`}</Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
