// What staff write about a customer for each other. Notes are never changed or deleted.
import { useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { Failed } from '../../components/states.tsx';
import { TextForm } from '../../components/text-form.tsx';
import { Instant } from '../../components/values.tsx';
import classes from './customer.module.css';

const SHOWN = 20;

export function Notes({ id }: { id: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['subscribers', 'notes', id], (options) =>
    kissi.subscribers.notes(id, { limit: SHOWN }, options),
  );
  return (
    <Panel title={t`Notes`}>
      <Stack gap="md">
        <TextForm
          label={t`New note`}
          placeholder={t`What other staff should know`}
          submitLabel={t`Add the note`}
          call={(client, text) => client.subscribers.addNote(id, { text })}
          changes={['subscribers', 'audit']}
        />
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
