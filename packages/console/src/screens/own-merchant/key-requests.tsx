// What one of the merchant's keys asked for in the last 24 hours, and why it was refused.
import type { LoggedRequest } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Group, Title } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { CopyCurl } from '../../components/copy-curl.tsx';
import classes from '../../components/own/own.module.css';
import { Empty, Waiting } from '../../components/states.tsx';
import { Status } from '../../components/status.tsx';
import { instant } from '../../format/time.ts';
import type { TerminalKey } from './key-forms.tsx';

const SHOWN = '30';
const EVERY_MS = 5_000;

export default function KeyRequests({ apiKey: { id, name } }: { apiKey: TerminalKey }) {
  const { t } = useLingui();
  const can = useCan();
  const query = { key_id: id, limit: SHOWN };
  const { data, error, refetch } = useRead(
    ['own-merchant', 'key-requests', query],
    (options) => kissi.integration.requests(query, options),
    { everyMs: EVERY_MS },
  );
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t`Request log of ${name}`}</Title>
        <CopyCurl call={(client) => client.integration.requests(query)} isShown={can('own-keys:write')} />
      </Group>
      {!data && <Waiting error={error} retry={refetch} />}
      {data?.requests.length === 0 && <Empty icon="key" title={<Trans>No requests in the last 24 hours</Trans>} />}
      <ul className={classes.rows} hidden={!data?.requests.length}>
        {data?.requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </ul>
    </section>
  );
}

function RequestRow({ request }: { request: LoggedRequest }) {
  const { method, path, status, code, reason, at } = request;
  const isAccepted = status < 400;
  return (
    <li className={classes.row} style={{ cursor: 'default' }}>
      <b style={{ overflowWrap: 'anywhere' }}>
        {method} {path}
      </b>
      <span className={classes.end}>
        <Status value={String(status)} tone={isAccepted ? 'kissi' : status < 500 ? 'yellow' : 'red'} />
      </span>
      <small>
        {instant(at)}
        {code && (
          <>
            <br />
            {code}
          </>
        )}
        {reason && (
          <>
            <br />
            {reason}
          </>
        )}
      </small>
    </li>
  );
}
