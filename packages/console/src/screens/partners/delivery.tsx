// One event: what each attempt sent, what came back, whether its signature is valid, and replay.
import type { DetailedWebhookAttempt, DetailedWebhookDelivery } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Choices } from '../../components/choices.tsx';
import { deliveryTone } from '../../components/delivery/delivery-tone.ts';
import { Code, Exchange, pretty } from '../../components/delivery/exchange.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { Id, Instant, Status } from '../../components/values.tsx';
import { count } from '../../format/money.ts';
import { PartnerName } from './partner-name.tsx';
import classes from './partners.module.css';

export default function DeliveryScreen() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRead(['deliveries', id], (options) => kissi.webhookDeliveries.get(id, options), {
    everyMs: 5_000,
  });
  return data ? <Content delivery={data.delivery} /> : <Waiting error={error} retry={refetch} />;
}

function Content({ delivery }: { delivery: DetailedWebhookDelivery }) {
  const { t } = useLingui();
  const { id, event, status, attempts } = delivery;
  return (
    <Page
      title={event}
      badge={<Status value={status} tone={deliveryTone(status)} />}
      above={[{ title: t`Webhook deliveries`, to: '/deliveries' }]}
      actions={
        <Choices
          buttons={[
            {
              label: t`Replay`,
              icon: 'refresh',
              look: 'primary',
              action: {
                reason: 'none',
                title: t`Replay the event`,
                description: t`It is sent again at once under the same event id, with a new schedule of retries. The receiver must ignore what it has processed already.`,
                submitLabel: t`Replay`,
                call: (client) => client.webhookDeliveries.replay(id),
                doneMessage: t`The event is sent again.`,
                changes: ['deliveries'],
              },
            },
          ]}
        />
      }
    >
      <div className={classes.columns}>
        <Stack gap="lg">
          {attempts.length === 0 && (
            <Panel>
              <Empty icon="clock" title={t`No attempt yet`} />
            </Panel>
          )}
          {attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </Stack>
        <Stack gap="lg">
          <Panel title={t`Event`}>
            <About delivery={delivery} />
          </Panel>
          <Panel title={t`Body`}>
            <Code label={t`Body`} text={pretty(delivery.body)} />
          </Panel>
        </Stack>
      </div>
    </Page>
  );
}

function About({ delivery }: { delivery: DetailedWebhookDelivery }) {
  const { t } = useLingui();
  return (
    <Facts
      narrow
      facts={[
        delivery.partner_id !== null && [t`Partner`, <PartnerName key="partner" id={delivery.partner_id} />],
        delivery.processor_id !== null && [t`Merchant`, <Party key="merchant" id={delivery.processor_id} />],
        delivery.inbound_id === null
          ? [t`Reference`, <Id key="reference" value={delivery.reference} />]
          : [
              t`Credit`,
              <Link key="credit" to={`/credits/${delivery.inbound_id}`}>
                {delivery.reference}
              </Link>,
            ],
        delivery.endpoint_id !== null && [t`Endpoint`, <Id key="endpoint" value={delivery.endpoint_id} short />],
        [t`Created`, <Instant key="created" at={delivery.created_at} />],
        delivery.finished_at ? [t`Finished`, <Instant key="finished" at={delivery.finished_at} />] : null,
        delivery.next_attempt_at
          ? [t`Next attempt`, <Instant key="next" at={delivery.next_attempt_at} relative />]
          : null,
        [t`Attempts`, count(delivery.attempt_count)],
        [t`Event id`, <Id key="id" value={delivery.id} short />],
      ]}
    />
  );
}

function Attempt({ attempt }: { attempt: DetailedWebhookAttempt }) {
  const { t } = useLingui();
  const { number, at, duration_ms, status, error } = attempt;
  const isGood = error === null;
  return (
    <Panel
      title={t`Attempt ${number}`}
      aside={
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            <Instant at={at} /> · {count(duration_ms)} ms
          </Text>
          <Status value={status === null ? t`No reply` : String(status)} tone={isGood ? 'kissi' : 'red'} />
        </Group>
      }
    >
      <Exchange attempt={attempt} />
    </Panel>
  );
}
