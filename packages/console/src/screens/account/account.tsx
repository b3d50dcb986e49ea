// The own account: password and second factors.
import { useLingui } from '@lingui/react/macro';
import { SimpleGrid, Stack } from '@mantine/core';
import { useUser } from '../../api/user.ts';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Instant, label } from '../../components/values.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactors } from './second-factors.tsx';

export default function Account() {
  const { t } = useLingui();
  const { first_name, last_name, email, phone_number, role, last_login_at, pep_access_authorized } = useUser();
  return (
    <Page title={t`Your account`}>
      <Panel>
        <Facts
          facts={[
            [t`Name`, `${first_name} ${last_name}`],
            [t`Email`, email],
            [t`Phone number`, phone_number],
            [t`Role`, label(role)],
            [t`Last login`, <Instant key="login" at={last_login_at} />],
            pep_access_authorized && [t`Records of politically exposed persons`, t`Authorized, with a code by message`],
          ]}
        />
      </Panel>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <SecondFactors />
        <Stack>
          <Panel title={t`Password`}>
            <PasswordForm />
          </Panel>
        </Stack>
      </SimpleGrid>
    </Page>
  );
}
