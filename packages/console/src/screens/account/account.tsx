// The own account: password, second factors, sessions.
import { useLingui } from '@lingui/react/macro';
import { useUser } from '../../api/user.ts';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Instant, label } from '../../components/values.tsx';

export default function Account() {
  const { t } = useLingui();
  const { first_name, last_name, email, role, last_login_at } = useUser();
  return (
    <Page title={t`Your account`}>
      <Panel>
        <Facts
          facts={[
            [t`Name`, `${first_name} ${last_name}`],
            [t`Email`, email],
            [t`Role`, label(role)],
            [t`Last login`, <Instant key="login" at={last_login_at} />],
          ]}
        />
      </Panel>
    </Page>
  );
}
