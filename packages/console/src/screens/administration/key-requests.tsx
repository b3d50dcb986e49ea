// The recent requests of an API key as they come: why an integration does not work.
import type { LoggedRequest } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Facts } from '../../components/facts.tsx';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { SideDialog } from '../../components/side-dialog.tsx';
import { SectionTitle } from '../../components/states.tsx';
import { Id, Instant, Status } from '../../components/values.tsx';
import { zoneName } from '../../format/time.ts';
import classes from './administration.module.css';

const EVERY_MS = 5_000;

export function KeyRequests({ id }: { id: string }) {
  const { t } = useLingui();
  const [request, setRequest] = useState<LoggedRequest | null>(null);
  return (
    <div>
      <SectionTitle
        aside={<Text size="sm" c="dimmed">{t`Updated every 5 seconds. Secrets and personal data are redacted.`}</Text>}
      >
        <Trans>Request log</Trans>
      </SectionTitle>
      <RecordList definition={useDefinition(id, setRequest)} embedded />
      {request && (
        <SideDialog onClose={() => setRequest(null)} title={t`Request`}>
          <RequestDetails request={request} />
        </SideDialog>
      )}
    </div>
  );
}

const toneOf = (status: number) => (status < 400 ? 'kissi' : status < 500 ? 'yellow' : 'red');

function useDefinition(id: string, open: (request: LoggedRequest) => void): ListDefinition<LoggedRequest> {
  const { t } = useLingui();
  const zone = zoneName();
  return {
    resource: `api-key-requests-${id}`,
    noun: t`requests`,
    items: 'requests',
    read: (client, query, options) => client.apiKeys.requests(id, query, options),
    keyOf: (request) => request.id,
    everyMs: EVERY_MS,
    filters: [
      {
        kind: 'choice',
        name: 'status',
        label: t`Outcome`,
        options: [
          { value: '2xx', label: t`Accepted` },
          { value: '4xx', label: t`Refused` },
          { value: '5xx', label: t`Failed` },
        ],
      },
      { kind: 'text', name: 'code', label: t`Code`, placeholder: t`Code, such as INVALID_SIGNATURE` },
    ],
    columns: [
      {
        title: t`Request`,
        keep: 'title',
        cell: (request) => (
          <Button
            variant="transparent"
            size="compact-sm"
            p={0}
            h="auto"
            onClick={() => open(request)}
            classNames={{ label: classes.wrap ?? '' }}
          >
            {request.method} {request.path}
          </Button>
        ),
      },
      { title: t`Status`, cell: ({ status }) => <Status value={String(status)} tone={toneOf(status)} /> },
      { title: t`Code`, cell: ({ code }) => (code ? <Code>{code}</Code> : '–') },
      { title: t`Time taken (ms)`, align: 'end', keep: 'tablet', cell: ({ duration_ms }) => Math.round(duration_ms) },
      { title: t`Address`, keep: 'desktop', cell: ({ ip }) => ip },
      { title: t`Time (${zone})`, cell: ({ at }) => <Instant at={at} /> },
    ],
  };
}

function RequestDetails({ request }: { request: LoggedRequest }) {
  const { t } = useLingui();
  const { method, path, status, code, reason, duration_ms, ip, request_id, authenticated, at } = request;
  return (
    <Stack gap="md">
      <Code block>{`${method} ${path}`}</Code>
      <Facts
        facts={[
          [t`Time`, <Instant key="at" at={at} />],
          [t`Status`, <Status key="status" value={String(status)} tone={toneOf(status)} />],
          [t`Code`, code],
          [t`Signature`, authenticated ? t`Accepted` : t`Not accepted`],
          [t`Time taken`, `${Math.round(duration_ms)} ms`],
          [t`Address`, ip],
          [t`Request`, <Id key="request" value={request_id} />],
        ]}
      />
      {reason && <Text size="sm">{reason}</Text>}
      <Body title={t`Sent`} text={request.request_body} />
      <Body title={t`Reply`} text={request.reply_body} />
    </Stack>
  );
}

function Body({ title, text }: { title: string; text: string | null }) {
  if (text === null) return null;
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {title}
      </Text>
      <Code block className={classes.message ?? ''}>
        {indented(text)}
      </Code>
    </div>
  );
}

/** Long bodies are cut, and then are no JSON. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
