// What happened in a case, oldest first, and what staff write into it: notes, and messages to the customer.
import type { CaseDetails, CaseEvent } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../api/user.ts';
import { Panel } from '../../components/page.tsx';
import { TextForm } from '../../components/text-form.tsx';
import { Instant, label } from '../../components/values.tsx';
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
  const isNote = kind === 'note';
  return (
    <TextForm
      label={isNote ? t`New note` : t`New message`}
      placeholder={isNote ? t`What other staff should know` : t`What the customer should read or answer`}
      submitLabel={isNote ? t`Add the note` : t`Send the message`}
      call={({ cases }, text) => (isNote ? cases.addNote(id, { text }) : cases.sendMessage(id, { text }))}
      changes={CHANGES}
    >
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
    </TextForm>
  );
}
