// The customers that the agent registered, with their levels.
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import own from '../../../components/own/own.module.css';
import { OwnPage } from '../../../components/own/own-page.tsx';
import { Empty, Waiting } from '../../../components/states.tsx';
import { HOME } from '../own-agent.ts';
import '../../../components/own/agent-texts.ts';

const QUERY = { limit: '50' };

export function Customers() {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['own-agent', 'customers'], (options) =>
    kissi.subscribers.list(QUERY, options),
  );
  return (
    <OwnPage title={t`Your customers`} home={HOME} narrow>
      {!data && <Waiting error={error} retry={refetch} />}
      {data?.subscribers.length === 0 && <Empty icon="user" title={<Trans>You have registered nobody yet</Trans>} />}
      {data && data.subscribers.length > 0 && (
        <ul className={own.rows}>
          {data.subscribers.map(({ id, name, first_name, last_name, phone_number, kyc_level }) => (
            <li key={id}>
              <Link to={`/agent/level/${id}`} className={own.row}>
                <b>{name ?? `${first_name} ${last_name}`}</b>
                <b className={own.end}>{t`Level ${String(kyc_level)}`}</b>
                <small>{phone_number}</small>
                {kyc_level === 1 && <small className={own.end}>{t`Ask for level 2`}</small>}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </OwnPage>
  );
}
