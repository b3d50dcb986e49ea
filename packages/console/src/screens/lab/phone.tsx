// A phone on the screen: it dials the USSD menus as its number, and shows what the number receives.
import { getLabPhone } from '@kissi/client/operations';
import { Trans, useLingui } from '@lingui/react/macro';
import { Badge, CloseButton, Tabs, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { RefusalNotice, Waiting } from '../../components/states.tsx';
import { useFirst } from '../../components/use-first.ts';
import { SOME_CODE } from './dial.ts';
import { Dialler } from './dialler.tsx';
import { Inbox } from './inbox.tsx';
import classes from './lab.module.css';
import { Session } from './session.tsx';
import { useUssd } from './use-ussd.ts';

const EVERY_MS = 2_000;

interface PhoneProps {
  /** As it was chosen or typed. */
  number: string;
  onClose: () => void;
}

export function Phone({ number, onClose }: PhoneProps) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(
    ['lab-phone', number],
    (options) => getLabPhone({ client: kissi.client, query: { phone_number: number }, ...options }),
    { everyMs: EVERY_MS },
  );
  const shown = data?.phone_number ?? number;
  return (
    <section className={classes.phone} aria-label={t`Phone of ${shown}`}>
      <header className={classes.top}>
        <strong>{shown}</strong>
        <CloseButton size="lg" aria-label={t`Put the phone of ${shown} away`} onClick={onClose} />
      </header>
      <div className={classes.screen}>
        {data ? <Screen state={data} /> : <Waiting error={error} retry={refetch} rows={3} />}
      </div>
    </section>
  );
}

type State = Awaited<ReturnType<typeof getLabPhone>>;

function Screen({ state: { phone_number, service_code, messages } }: { state: State }) {
  const { t } = useLingui();
  const { page, error, isRunning, dial, answer, hangUp } = useUssd(phone_number);
  const [tab, setTab] = useState<string | null>('dial');
  const newest = messages[0]?.id ?? '';
  const before = useFirst(newest);
  const [seen, setSeen] = useState(before ?? '');
  if (tab === 'messages' && seen !== newest) setSeen(newest);
  const unread = messages.filter(({ id }) => id > seen).length;
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false} className={classes.tabs}>
      <Tabs.List grow>
        <Tabs.Tab value="dial">
          <Trans>Dial</Trans>
        </Tabs.Tab>
        <Tabs.Tab
          value="messages"
          rightSection={
            unread > 0 && (
              <Badge size="sm" circle>
                {unread}
              </Badge>
            )
          }
        >
          <Trans>Messages</Trans>
        </Tabs.Tab>
      </Tabs.List>
      <VisuallyHidden role="status">{unread > 0 && t`New message: ${messages[0]?.text}`}</VisuallyHidden>
      <Tabs.Panel value="dial" className={classes.panel}>
        {page ? (
          <Session page={page} isRunning={isRunning} onAnswer={answer} onHangUp={hangUp} />
        ) : (
          <Dialler serviceCode={service_code ?? SOME_CODE} isRunning={isRunning} onDial={dial} />
        )}
        <RefusalNotice error={error} />
      </Tabs.Panel>
      <Tabs.Panel value="messages" className={classes.panel}>
        <Inbox messages={messages} />
      </Tabs.Panel>
    </Tabs>
  );
}
