// Reconciliation: the matching desk, the matches that were made, and all items.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { readAgain } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useCan } from '../../../api/user.ts';
import { AddressTabs } from '../../../components/address-tabs.tsx';
import { CopyCurl } from '../../../components/copy-curl.tsx';
import { Icon } from '../../../components/icon.tsx';
import { lazyPart } from '../../../components/lazy-part.ts';
import { notify, notifyFailure } from '../../../components/notices.tsx';
import { Page } from '../../../components/page.tsx';
import { Desk } from './desk.tsx';
import { CHANGED } from './selection.ts';

const Items = lazyPart(async () => ({ default: (await import('./items.tsx')).Items }));
const Matches = lazyPart(async () => ({ default: (await import('./matches.tsx')).Matches }));

export default function Reconciliation() {
  const { t } = useLingui();
  return (
    <Page
      title={t`Reconciliation`}
      description={t`What the banks say compared with the books.`}
      actions={<RunButton />}
    >
      <AddressTabs
        name="view"
        tabs={[
          { value: 'desk', title: t`Desk`, content: <Desk /> },
          { value: 'items', title: t`By age`, content: <Items /> },
          { value: 'matches', title: t`Matches`, content: <Matches /> },
        ]}
      />
    </Page>
  );
}

/** A run makes what is certain and suggests what is likely. It can be repeated. */
function RunButton() {
  const { t } = useLingui();
  const can = useCan();
  const [isRunning, setRunning] = useState(false);
  if (!can('reconciliation:write')) return null;
  const run = async () => {
    setRunning(true);
    try {
      const { matched, suggested } = (await kissi.reconciliation.run()).run;
      notify(t`The run matched ${matched}. Open suggestions: ${suggested}.`);
      await readAgain(...CHANGED);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <>
      <CopyCurl call={(client) => client.reconciliation.run()} />
      <Button leftSection={<Icon name="refresh" size={16} />} loading={isRunning} onClick={run}>
        <Trans>Run matching</Trans>
      </Button>
    </>
  );
}
