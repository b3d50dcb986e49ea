// What happened in a case, oldest first, and what staff write into it: notes, and messages to the customer.
import type { CaseDetails, CaseEvent } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { Panel } from '../../components/page.tsx';
import { RefusalNotice } from '../../components/states.tsx';
import { Instant, label } from '../../components/values.tsx';
import { MAX_TEXT } from './actions.tsx';
import classes from './cases.module.css';
import { CHANGES, isClosed, useEventText } from './words.ts';

export function Timeline({ details }: { details: CaseDetails }) {
  const { t } = useLingui();
  const can = useCan();
  return (
    <Panel title={t`Timeline`}>
      <Stack gap="lg">
        <ol className={classes.events}>
          {details.timeline.map((event) => (
            <Event key={event.id} event={event} customer={details.subscriber_id} />
          ))}
        </ol>
        {can('cases:write') && <Writing details={details} />}
      </Stack>
    </Panel>
  );
}

function Event({ event, customer }: { event: CaseEvent; customer: string }) {
  const { t } = useLingui();
  const eventText = useEventText();
  const { text, is_shown, actor_type, actor_id, actor_name, at } = event;
  const who =
    actor_name ??
    (actor_type === 'subscriber' ? (actor_id === customer ? t`Customer` : t`Recipient`) : label(actor_type));
  return (
    <li className={classes.event} data-shown={is_shown}>
      <Text size="sm" fw={600}>
        {eventText(event)}
      </Text>
      {text && (
        <Text size="sm" className={classes.text ?? ''}>
          {text}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {who} · <Instant at={at} />
        {is_shown && ` · ${t`the customer sees it`}`}
      </Text>
    </li>
  );
}

/** A closed case takes notes only. */
function Writing({ details }: { details: CaseDetails }) {
  const { t } = useLingui();
  const { id } = details;
  const [kind, setKind] = useState('note');
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const call = (client: typeof kissi) =>
    kind === 'note'
      ? client.cases.addNote(id, { text: text.trim() })
      : client.cases.sendMessage(id, { text: text.trim() });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    setError(null);
    try {
      await call(kissi);
      setText('');
      await readAgain(...CHANGES);
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {!isClosed(details) && (
          <SegmentedControl
            size="xs"
            aria-label={t`Who reads it`}
            value={kind}
            onChange={setKind}
            className={classes.fit ?? ''}
            data={[
              { value: 'note', label: t`Note for staff` },
              { value: 'message', label: t`Message to the customer` },
            ]}
          />
        )}
        <Textarea
          aria-label={kind === 'note' ? t`New note` : t`New message`}
          placeholder={kind === 'note' ? t`What other staff should know` : t`What the customer should read or answer`}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_TEXT}
        />
        <RefusalNotice error={error} />
        {text.trim() !== '' && (
          <Group justify="space-between">
            <CopyCurl call={call} />
            <Button type="submit" size="compact-sm" loading={isRunning}>
              {kind === 'note' ? t`Add the note` : t`Send the message`}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
