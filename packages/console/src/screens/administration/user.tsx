// One user: role, status, and what an administrator can do after a loss.
import type { User } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { Choices } from '../../components/choices.tsx';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Waiting } from '../../components/states.tsx';
import { Id, Instant, label, Status } from '../../components/values.tsx';
import { AuditList } from './audit-list.tsx';
import { ChangeStatus, EditUser, ResetPassword, ResetSecondFactor } from './user-actions.tsx';

export default function UserScreen() {
  const { t } = useLingui();
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useRead(['users', id], (options) => kissi.users.get(id, options));
  const above = [{ title: t`Users`, to: '/users' }];
  if (!data) {
    return (
      <Page title={t`User`} above={above}>
        <Waiting error={error} retry={refetch} />
      </Page>
    );
  }
  return <Content user={data.user} above={above} />;
}

function Content({ user, above }: { user: User; above: { title: string; to: string }[] }) {
  const { t } = useLingui();
  const isSelf = useUser().id === user.id;
  const suspends = user.status === 'active';
  return (
    <Page
      title={`${user.first_name} ${user.last_name}`}
      badge={<Status value={user.status} />}
      above={above}
      actions={
        <Choices
          buttons={[{ label: t`Edit`, dialog: (onClose) => <EditUser user={user} onClose={onClose} /> }]}
          more={
            isSelf
              ? []
              : [
                  {
                    label: t`Reset the password`,
                    dialog: (onClose) => <ResetPassword user={user} onClose={onClose} />,
                  },
                  user.second_factor_since !== null && {
                    label: t`Reset the second factor`,
                    dialog: (onClose) => <ResetSecondFactor user={user} onClose={onClose} />,
                  },
                  {
                    label: suspends ? t`Suspend` : t`Activate`,
                    dialog: (onClose) => <ChangeStatus user={user} onClose={onClose} />,
                  },
                ]
          }
        />
      }
    >
      {isSelf && (
        <Alert icon={<Icon name="user" />}>
          <Trans>
            This is you. Password and second factor are in <Link to="/account">your account</Link>.
          </Trans>
        </Alert>
      )}
      <Panel>
        <Facts facts={useFacts(user)} />
      </Panel>
      <Panel
        title={t`What this user did`}
        aside={<Link to="/audit" search={{ actor_id: user.id }} size="sm">{t`All entries`}</Link>}
      >
        <AuditList query={{ actor_id: user.id }} />
      </Panel>
    </Page>
  );
}

function useFacts(user: User): Fact[] {
  const { t } = useLingui();
  return [
    [t`Email`, user.email],
    [t`Phone number`, user.phone_number],
    [t`Role`, label(user.role)],
    [t`Records of politically exposed persons`, user.pep_access_authorized ? t`Authorized` : t`Not authorized`],
    [
      t`Second factor`,
      user.second_factor_since ? (
        <Instant key="f" at={user.second_factor_since} />
      ) : (
        <Status key="f" value={t`None`} tone="yellow" />
      ),
    ],
    user.agent_id !== null && [t`Agent`, <Party key="a" id={user.agent_id} />],
    user.processor_id !== null && [t`Merchant`, <Party key="m" id={user.processor_id} />],
    [t`Last login`, <Instant key="l" at={user.last_login_at} />],
    [t`Created`, <Instant key="c" at={user.created_at} />],
    [t`Id`, <Id key="i" value={user.id} short />],
  ];
}
