// The events that were sent to the merchant's endpoints. Each opens to its attempts, and can be sent again.
import type { ListedWebhookDelivery } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { readAgain, useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { deliveryTone } from '../../../components/delivery/delivery-tone.ts';
import { Code, Exchange, pretty } from '../../../components/delivery/exchange.tsx';
import { notify } from '../../../components/notices.tsx';
import { Chips } from '../../../components/own/chips.tsx';
import own from '../../../components/own/own.module.css';
import { Empty, RefusalNotice, Waiting } from '../../../components/states.tsx';
import { Status } from '../../../components/status.tsx';
import { useSubmit } from '../../../components/use-submit.ts';
import { instant } from '../../../format/time.ts';
import classes from './webhooks.module.css';

const SHOWN = '25';
const EVERY_MS = 10_000;

export function Deliveries({ mayReplay }: { mayReplay: boolean }) {
  const { t } = useLingui();
  const [status, setStatus] = useState('');
  const query = { limit: SHOWN, ...(status ? { status } : {}) };
  const { data, error, refetch } = useRead(
    ['own-webhooks', 'deliveries', status],
    (options) => kissi.integration.deliveries(query as never, options),
    { everyMs: EVERY_MS },
  );
  return (
    <div className={own.page}>
      <Chips
        choices={[
          ['', t`All`],
          ['pending', t`Pending`],
          ['delivered', t`Delivered`],
          ['abandoned', t`Abandoned`],
        ]}
        value={status}
        onChange={setStatus}
      />
      {!data && <Waiting error={error} retry={refetch} rows={3} />}
      {data?.deliveries.length === 0 && <Empty icon="inbox" title={<Trans>No events were sent</Trans>} />}
      <ul className={own.rows} hidden={!data?.deliveries.length}>
        {data?.deliveries.map((delivery) => (
          <li key={delivery.id}>
            <Delivery delivery={delivery} mayReplay={mayReplay} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Delivery({ delivery, mayReplay }: { delivery: ListedWebhookDelivery; mayReplay: boolean }) {
  const { id, event, status, created_at = '', attempt_count = 0 } = delivery;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.delivery} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={own.row}>
        <b>{event ?? id}</b>
        <span className={own.end}>
          <Status value={status} tone={deliveryTone(status)} />
        </span>
        <small>{instant(created_at)}</small>
        <small className={own.end}>
          <Plural value={attempt_count} one="# attempt" other="# attempts" />
        </small>
      </summary>
      {isOpen && <Details id={id} mayReplay={mayReplay} />}
    </details>
  );
}

function Details({ id, mayReplay }: { id: string; mayReplay: boolean }) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(
    ['own-webhooks', 'delivery', id],
    (options) => kissi.integration.delivery(id, options),
    { everyMs: EVERY_MS },
  );
  const replay = useSubmit(
    (client) => client.integration.replayDelivery(id),
    () => {
      notify(t`The event is sent again.`);
      return readAgain('own-webhooks');
    },
  );
  if (!data) return <Waiting error={error} retry={refetch} rows={3} />;
  const { attempts, body } = data.delivery;
  return (
    <div className={classes.details}>
      {attempts.length === 0 && <Trans>No attempt yet</Trans>}
      {attempts.toReversed().map((attempt) => (
        <section key={attempt.number} aria-label={t`Attempt ${attempt.number}`}>
          <p>
            <b>{t`Attempt ${attempt.number}`}</b> · {instant(attempt.at)} · {attempt.status ?? t`No reply`}
          </p>
          <Exchange attempt={attempt} />
        </section>
      ))}
      <Code label={t`Body`} text={pretty(body)} />
      <RefusalNotice error={replay.error} />
      {mayReplay && (
        <Button size="lg" variant="default" loading={replay.isRunning} onClick={() => void replay.submit()}>
          <Trans>Send again</Trans>
        </Button>
      )}
    </div>
  );
}
