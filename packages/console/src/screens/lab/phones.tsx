// The lab's phones: up to three beside each other, such as the payer's and the payee's. The address holds their numbers.
import { Trans, useLingui } from '@lingui/react/macro';
import { Paper } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useUser } from '../../api/user.ts';
import { Page, Panel } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { ChooseNumber } from './choose-number.tsx';
import classes from './lab.module.css';
import { Phone } from './phone.tsx';

const MOST_PHONES = 3;

export default function Phones() {
  const { t } = useLingui();
  const isProduction = useUser().service.environment === 'production';
  return (
    <Page
      title={t`Lab phone`}
      description={t`Dial USSD and receive messages with any number, against this test system.`}
    >
      {isProduction ? (
        <Paper withBorder radius="md">
          <Empty icon="lock" title={<Trans>There is no lab in production</Trans>}>
            <Trans>Only customers themselves can dial from their numbers here.</Trans>
          </Empty>
        </Paper>
      ) : (
        <Desk />
      )}
    </Page>
  );
}

function Desk() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { phones = '' } = useSearch({ strict: false }) as { phones?: string };
  const numbers = String(phones).split(',').filter(Boolean).slice(0, MOST_PHONES);
  const show = (chosen: readonly string[]) =>
    void navigate({ to: '.', search: (chosen.length > 0 ? { phones: chosen.join(',') } : {}) as never, replace: true });
  return (
    <div className={classes.desk}>
      {numbers.map((number) => (
        <Phone key={number} number={number} onClose={() => show(numbers.filter((each) => each !== number))} />
      ))}
      {numbers.length < MOST_PHONES && (
        <div className={classes.chooser}>
          <Panel title={numbers.length === 0 ? t`Whose phone?` : t`One more phone`}>
            <ChooseNumber onChoose={(number) => show([...new Set([...numbers, number])])} />
          </Panel>
        </div>
      )}
    </div>
  );
}
