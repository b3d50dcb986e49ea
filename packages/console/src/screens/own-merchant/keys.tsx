// The keys of the merchant's terminals and apps. The operator creates and revokes them.
import { Trans, useLingui } from '@lingui/react/macro';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import classes from '../../components/own/own.module.css';
import { OwnPage } from '../../components/own/own-page.tsx';
import { Empty, Failed, Loading } from '../../components/states.tsx';
import { Status } from '../../components/status.tsx';
import { instant } from '../../format/time.ts';
import { HOME, useMerchantId } from './own-merchant.ts';

export function Keys() {
  const { t } = useLingui();
  const id = useMerchantId();
  const { data, error, refetch } = useRead(['own-merchant', id, 'keys'], (options) =>
    kissi.processors.terminalKeys(id, { limit: '100' }, options),
  );
  return (
    <OwnPage title={t`Terminals`} home={HOME} narrow>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {!data && !error && <Loading />}
      {data?.keys.length === 0 && (
        <Empty icon="key" title={<Trans>No terminal has a key</Trans>}>
          <Trans>Ask the operator for one.</Trans>
        </Empty>
      )}
      <ul className={classes.rows}>
        {data?.keys.map(({ id: keyId, name, status, last_used_at }) => {
          const when = last_used_at && instant(last_used_at);
          return (
            <li key={keyId}>
              <div className={classes.row}>
                <b>{name}</b>
                <span className={classes.end}>
                  <Status value={status} />
                </span>
                <small>
                  {when ? <Trans>Last used {when}</Trans> : <Trans>Not used in the last 24 hours</Trans>}
                  <br />
                  {`${keyId.slice(0, 8)}…${keyId.slice(-6)}`}
                </small>
              </div>
            </li>
          );
        })}
      </ul>
    </OwnPage>
  );
}
