// Keys for the merchant's terminals and apps. The merchant creates and revokes keys that can take payments.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { lazyPart } from '../../components/lazy-part.ts';
import classes from '../../components/own/own.module.css';
import { OwnPage } from '../../components/own/own-page.tsx';
import { Busy, Empty, Waiting } from '../../components/states.tsx';
import { Status } from '../../components/status.tsx';
import { instant } from '../../format/time.ts';
import { CreateKey, RevokeKey, type TerminalKey } from './key-forms.tsx';
import { HOME, useMerchantId, useOwnMerchant } from './own-merchant.ts';
import { YourQr } from './your-qr.tsx';

const KeyRequests = lazyPart(() => import('./key-requests.tsx'));

export default function Keys() {
  const { t } = useLingui();
  const id = useMerchantId();
  const merchant = useOwnMerchant().data?.processor;
  const mayChange = useCan()('own-keys:write');
  const [opened, setOpened] = useState<TerminalKey | 'new' | null>(null);
  const [watched, setWatched] = useState<TerminalKey | null>(null);
  const form = { merchantId: id, onClose: () => setOpened(null) };
  const { data, error, refetch } = useRead(['own-merchant', id, 'keys'], (options) =>
    kissi.processors.terminalKeys(id, { limit: '100' }, options),
  );
  return (
    <OwnPage title={t`Terminals`} home={HOME} narrow>
      {merchant && <YourQr merchant={merchant} />}
      {opened === 'new' && <CreateKey {...form} />}
      {opened && opened !== 'new' && <RevokeKey {...form} key={opened.id} apiKey={opened} />}
      {mayChange && !opened && <Button size="lg" onClick={() => setOpened('new')}>{t`New key`}</Button>}
      {!data && <Waiting error={error} retry={refetch} />}
      {data?.keys.length === 0 && (
        <Empty icon="key" title={<Trans>No terminal has a key</Trans>}>
          <Trans>A terminal or app signs its payments with a key.</Trans>
        </Empty>
      )}
      <ul className={classes.rows} hidden={!data?.keys.length}>
        {data?.keys.map((key) => (
          <li key={key.id}>
            <KeyRow
              apiKey={key}
              onRequests={() => setWatched(key)}
              {...(mayChange ? { onRevoke: () => setOpened(key) } : {})}
            />
          </li>
        ))}
      </ul>
      {watched && (
        <Suspense fallback={<Busy />}>
          <KeyRequests key={watched.id} apiKey={watched} />
        </Suspense>
      )}
    </OwnPage>
  );
}

interface KeyRowProps {
  apiKey: TerminalKey;
  onRequests: () => void;
  onRevoke?: () => void;
}

function KeyRow({ apiKey, onRequests, onRevoke }: KeyRowProps) {
  const { t } = useLingui();
  const { id, name, status, last_used_at } = apiKey;
  const when = last_used_at && instant(last_used_at);
  return (
    <div className={classes.row} style={{ cursor: 'default' }}>
      <b>{name}</b>
      <span className={classes.end}>
        <Status value={status} />
      </span>
      <small>
        {when ? <Trans>Last used {when}</Trans> : <Trans>Not used in the last 24 hours</Trans>}
        <br />
        {`${id.slice(0, 8)}…${id.slice(-6)}`}
      </small>
      <Group gap="xs" style={{ gridColumn: '1 / -1' }}>
        <Button variant="default" size="compact-md" aria-label={t`Request log of ${name}`} onClick={onRequests}>
          <Trans>Request log</Trans>
        </Button>
        {onRevoke && status === 'active' && (
          <Button variant="default" size="compact-md" aria-label={t`Revoke ${name}`} onClick={onRevoke}>
            <Trans>Revoke</Trans>
          </Button>
        )}
      </Group>
    </div>
  );
}
