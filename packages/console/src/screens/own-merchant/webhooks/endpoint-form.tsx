// The address of a webhook endpoint and the events it gets: a new one, whose secret is shown once, or a change.
import type { WebhookEndpoint } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { OwnAction } from '../../../components/own/own-action.tsx';
import { type EventName, useEventNames } from './event-names.ts';
import { CHANGES, loadSecrets, useShowSecret } from './secret.ts';
import classes from './webhooks.module.css';

const USUAL: EventName[] = ['payment.completed', 'payment.refunded', 'payment_request.paid'];

/** `endpoint`: the one to change; a new one without. */
export function EndpointForm({ endpoint, onClose }: { endpoint?: WebhookEndpoint; onClose: () => void }) {
  const { t } = useLingui();
  const showSecret = useShowSecret();
  const [url, setUrl] = useState(endpoint?.url ?? 'https://');
  const [events, setEvents] = useState<EventName[]>((endpoint?.events as EventName[] | undefined) ?? USUAL);
  const isReady = URL.canParse(url.trim()) && events.length > 0;
  const body = { url: url.trim(), events };
  const address = (
    <TextInput
      label={t`Address (URL)`}
      description={t`Your system answers each event with status 200.`}
      size="lg"
      type="url"
      required
      data-autofocus
      maxLength={2_048}
      autoComplete="off"
      value={url}
      onChange={({ currentTarget }) => setUrl(currentTarget.value)}
    />
  );
  if (endpoint) {
    return (
      <OwnAction
        onClose={onClose}
        title={t`Edit the endpoint`}
        description={t`Events that wait for delivery go to the new address.`}
        submitLabel={t`Save`}
        isReady={isReady}
        call={(client) => client.webhookEndpoints.update(endpoint.id, body)}
        doneMessage={t`The endpoint was changed.`}
        changes={CHANGES}
      >
        {address}
        <Events chosen={events} onChange={setEvents} />
      </OwnAction>
    );
  }
  return (
    <OwnAction
      onClose={onClose}
      title={t`New endpoint`}
      submitLabel={t`Create the endpoint`}
      isReady={isReady}
      call={async (client) => {
        // Before the endpoint is made: its secret must not be lost because a file is missing.
        await loadSecrets();
        return client.webhookEndpoints.create(body);
      }}
      doneMessage={t`The endpoint was created.`}
      changes={CHANGES}
      showsSecret
      onDone={({ secret }) => showSecret(secret)}
    >
      {address}
      <Events chosen={events} onChange={setEvents} />
    </OwnAction>
  );
}

function Events({ chosen, onChange }: { chosen: EventName[]; onChange: (events: EventName[]) => void }) {
  const names = useEventNames();
  const toggle = (event: EventName, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, event] : chosen.filter((each) => each !== event));
  return (
    <fieldset className={classes.events}>
      <legend>
        <Trans>Events</Trans>
      </legend>
      {(Object.keys(names) as EventName[]).map((event) => (
        <label key={event}>
          <input
            type="checkbox"
            checked={chosen.includes(event)}
            onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
          />
          <span>
            {names[event]}
            <br />
            <small>{event}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
