// Where the merchant's own systems are told of payments, and what became of each message.
import type { WebhookEndpoint } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { readAgain, useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useCan } from '../../../api/user.ts';
import { notify } from '../../../components/notices.tsx';
import own from '../../../components/own/own.module.css';
import { OwnPage } from '../../../components/own/own-page.tsx';
import { Empty, RefusalNotice, Waiting } from '../../../components/states.tsx';
import { useSubmit } from '../../../components/use-submit.ts';
import { HOME } from '../own-merchant.ts';
import { Deliveries } from './deliveries.tsx';
import { DeleteEndpoint, RotateSecret } from './endpoint-changes.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import classes from './webhooks.module.css';

/** The service admits no more for one merchant. */
const MOST = 5;

type Change = 'edit' | 'rotate' | 'delete';
type Opened = { change: 'new' } | { change: Change; endpoint: WebhookEndpoint };

export default function Webhooks() {
  const { t } = useLingui();
  const mayChange = useCan()('webhooks:write');
  const [opened, setOpened] = useState<Opened | null>(null);
  const { data, error, refetch } = useRead(['own-webhooks', 'endpoints'], (options) =>
    kissi.webhookEndpoints.list({ limit: '10' }, options),
  );
  const endpoints = data?.webhook_endpoints ?? [];
  const close = () => setOpened(null);
  return (
    <OwnPage title={t`Webhooks`} home={HOME} narrow>
      {opened && <Form opened={opened} onClose={close} />}
      {mayChange && !opened && data && endpoints.length < MOST && (
        <Button size="lg" onClick={() => setOpened({ change: 'new' })}>{t`New endpoint`}</Button>
      )}
      {!data && <Waiting error={error} retry={refetch} />}
      {data && endpoints.length === 0 && !opened && (
        <Empty icon="external" title={<Trans>No endpoints yet</Trans>}>
          <Trans>Your shop's system can be told of each payment at once, at an address that you choose.</Trans>
        </Empty>
      )}
      <ul className={own.rows} hidden={endpoints.length === 0}>
        {endpoints.map((endpoint) => (
          <li key={endpoint.id}>
            <Endpoint
              endpoint={endpoint}
              mayChange={mayChange}
              onChange={(change) => setOpened({ change, endpoint })}
            />
          </li>
        ))}
      </ul>
      {endpoints.length > 0 && (
        <section>
          <Title order={2} mb="xs">{t`Deliveries`}</Title>
          <Deliveries mayReplay={mayChange} />
        </section>
      )}
    </OwnPage>
  );
}

function Form({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  if (opened.change === 'new') return <EndpointForm onClose={onClose} />;
  const { change, endpoint } = opened;
  const props = { key: endpoint.id + change, endpoint, onClose };
  const { key, ...rest } = props;
  if (change === 'edit') return <EndpointForm key={key} {...rest} />;
  return change === 'rotate' ? <RotateSecret key={key} {...rest} /> : <DeleteEndpoint key={key} {...rest} />;
}

interface EndpointProps {
  endpoint: WebhookEndpoint;
  mayChange: boolean;
  onChange: (change: Change) => void;
}

function Endpoint({ endpoint: { id, url, events }, mayChange, onChange }: EndpointProps) {
  const { t } = useLingui();
  const { submit, error, isRunning } = useSubmit(
    (client) => client.webhookEndpoints.test(id, {}),
    () => {
      notify(t`A test event is on its way.`);
      return readAgain('own-webhooks');
    },
  );
  const button = { size: 'md', variant: 'default' };
  return (
    <div className={classes.endpoint}>
      <span className={classes.url}>{url}</span>
      <small>
        <Plural value={events.length} one="# event" other="# events" />: {events.join(', ')}
      </small>
      <RefusalNotice error={error} />
      {mayChange && (
        <div className={classes.buttons}>
          <Button {...button} loading={isRunning} onClick={() => void submit()} aria-label={t`Test ${url}`}>
            <Trans>Test</Trans>
          </Button>
          <Button {...button} onClick={() => onChange('edit')} aria-label={t`Edit ${url}`}>
            <Trans>Edit</Trans>
          </Button>
          <Button {...button} onClick={() => onChange('rotate')} aria-label={t`New secret for ${url}`}>
            <Trans>New secret</Trans>
          </Button>
          <Button {...button} onClick={() => onChange('delete')} aria-label={t`Delete ${url}`}>
            <Trans>Delete</Trans>
          </Button>
        </div>
      )}
    </div>
  );
}
