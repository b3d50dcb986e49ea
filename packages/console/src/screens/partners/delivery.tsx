// One event: what each attempt sent, what came back, whether its signature is valid, and replay.
import type { DetailedWebhookAttempt, DetailedWebhookDelivery } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Choices } from '../../components/choices.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { Id, Instant, Status } from '../../components/values.tsx';
import { count } from '../../format/money.ts';
import { deliveryTone } from './delivery-words.ts';
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
                description: t`It is sent again at once under the same event id, with a new schedule of retries. The partner must ignore what it has processed already.`,
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
        [t`Partner`, <PartnerName key="partner" id={delivery.partner_id} />],
        [
          t`Credit`,
          <Link key="credit" to={`/credits/${delivery.inbound_id}`}>
            {delivery.reference}
          </Link>,
        ],
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
  const { number, at, duration_ms, status, error, request, reply } = attempt;
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
      <Stack gap="md">
        {error && (
          <Text size="sm" role="note">
            {error}
          </Text>
        )}
        <Signature isValid={attempt.signature_valid} />
        {request || reply ? (
          <div className={classes.exchange}>
            <div>
              <Title>{t`Request`}</Title>
              {request && <Code label={t`Request`} text={`POST ${request.url}\n${headerLines(request.headers)}`} />}
            </div>
            <div>
              <Title>{t`Reply`}</Title>
              {reply ? (
                <Code
                  label={t`Reply`}
                  text={`${status ?? ''}\n${headerLines(reply.headers)}\n\n${reply.body}${reply.truncated ? '…' : ''}`}
                />
              ) : (
                <Text size="sm" c="dimmed">{t`The partner did not answer.`}</Text>
              )}
            </div>
          </div>
        ) : (
          <Text size="sm" c="dimmed">{t`What was sent and received is not recorded for this attempt.`}</Text>
        )}
      </Stack>
    </Panel>
  );
}

function Signature({ isValid }: { isValid: boolean | null }) {
  if (isValid === null) return null;
  return (
    <Text size="sm">
      <Status value={isValid ? 'Signature valid' : 'Signature not valid'} tone={isValid ? 'kissi' : 'red'} />{' '}
      <Text component="span" size="xs" c="dimmed">
        {isValid ? (
          <Trans>It matches the body and a current secret.</Trans>
        ) : (
          <Trans>No current secret produces this signature. If the secret was rotated since, an older one did.</Trans>
        )}
      </Text>
    </Text>
  );
}

const Title = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed" fw={600} mb={4}>
    {children}
  </Text>
);

function Code({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
    <section tabIndex={0} aria-label={label} className={classes.code}>
      {text}
    </section>
  );
}

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
