// What one attempt to deliver an event sent and received, and whether its signature is valid.
import type { DetailedWebhookAttempt } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { Status } from '../status.tsx';
import classes from './delivery.module.css';

export function Exchange({ attempt }: { attempt: DetailedWebhookAttempt }) {
  const { t } = useLingui();
  const { status, error, request, reply } = attempt;
  return (
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
              <Text size="sm" c="dimmed">{t`There was no answer.`}</Text>
            )}
          </div>
        </div>
      ) : (
        <Text size="sm" c="dimmed">{t`What was sent and received is not recorded for this attempt.`}</Text>
      )}
    </Stack>
  );
}

function Signature({ isValid }: { isValid: boolean | null }) {
  const { t } = useLingui();
  if (isValid === null) return null;
  return (
    <Text size="sm">
      <Status value="" text={isValid ? t`Signature valid` : t`Signature not valid`} tone={isValid ? 'kissi' : 'red'} />{' '}
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

export function Code({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
    // biome-ignore lint/a11y/useSemanticElements: it is no form, and a section would be a landmark for each attempt.
    <div role="group" tabIndex={0} aria-label={label} className={classes.code}>
      {text}
    </div>
  );
}

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

export function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
