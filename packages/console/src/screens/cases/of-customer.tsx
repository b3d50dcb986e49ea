// The newest cases of a customer, and a button that opens another.
import { useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Choices } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { Instant, Status } from '../../components/values.tsx';
import { STATE_TONES, useKindNames, useStateNames } from './words.ts';

/** Loaded when it is opened. */
const OpenCase = lazyPart(async () => ({ default: (await import('./open-case.tsx')).OpenCase }));

const SHOWN = '5';

export function CustomerCases({ id }: { id: string }) {
  const { t } = useLingui();
  const can = useCan();
  const kinds = useKindNames();
  const states = useStateNames();
  const { data } = useRead(['cases', 'customer', id], (options) =>
    kissi.cases.list({ subscriber_id: id, limit: SHOWN }, options),
  );
  const open = {
    label: t`Open a case`,
    icon: 'plus' as const,
    dialog: (onClose: () => void) => (
      <Suspense>
        <OpenCase customerId={id} onClose={onClose} />
      </Suspense>
    ),
  };
  return (
    <Panel title={t`Cases`} aside={can('cases:write') && <Choices buttons={[open]} />}>
      <Stack gap="sm">
        {data?.cases.length === 0 && <Text size="sm" c="dimmed">{t`None so far.`}</Text>}
        {data?.cases.map(({ id: caseId, number, kind, state, created_at, subscriber_id }) => (
          <div key={caseId}>
            <Link to={`/cases/${caseId}`}>
              {kinds[kind]} · {number}
            </Link>
            <Text size="xs" c="dimmed" component="div">
              <Instant at={created_at} /> {subscriber_id !== id && `· ${t`asked to return it`}`}{' '}
              <Status value={state} text={states[state]} tone={STATE_TONES[state]} />
            </Text>
          </div>
        ))}
        {data && data.total_count > data.cases.length && (
          <Link to="/cases" search={{ view: 'all', subscriber_id: id }} size="sm">{t`Show all`}</Link>
        )}
      </Stack>
    </Panel>
  );
}
