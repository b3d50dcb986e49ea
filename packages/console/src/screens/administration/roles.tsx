// Which role may do what, as a matrix of permissions and roles.
import type { RolePermission } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Switch, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { label, Status } from '../../components/values.tsx';
import classes from './administration.module.css';

export default function Roles() {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const [isOwnOnly, setOwnOnly] = useState(false);
  const { role } = useUser();
  const { data, error, refetch } = useRead(['roles'], (options) => kissi.users.roles(options));
  const shown = (data?.permissions ?? []).filter(
    ({ permission, description, roles }) =>
      `${permission} ${description}`.toLowerCase().includes(text.trim().toLowerCase()) &&
      (!isOwnOnly || roles.includes(role)),
  );
  return (
    <Page title={t`Roles`} description={t`The table that the service itself uses. Roles are fixed; each user has one.`}>
      {!data && <Waiting error={error} retry={refetch} rows={12} />}
      {data && (
        <>
          <TextInput
            aria-label={t`Find a permission`}
            placeholder={t`Find a permission, such as refund`}
            leftSection={<Icon name="search" size={16} />}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            maw={360}
          />
          <Switch
            label={t`Only my role's permissions`}
            checked={isOwnOnly}
            onChange={({ currentTarget }) => setOwnOnly(currentTarget.checked)}
          />
          {shown.length === 0 ? (
            <Empty icon="search" title={<Trans>No permission matches</Trans>} />
          ) : (
            <Matrix roles={data.roles} permissions={shown} />
          )}
        </>
      )}
    </Page>
  );
}

function Matrix({ roles, permissions }: { roles: readonly string[]; permissions: RolePermission[] }) {
  const { t } = useLingui();
  const { role: own } = useUser();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has to be able to scroll the table.
    <section className={classes.matrix} tabIndex={0} aria-label={t`Permissions by role`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Permission`}</th>
            {roles.map((role) => (
              <th key={role} scope="col" data-own={role === own}>
                {label(role.replace(/_user$/, ''))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissions.map((permission) => (
            <Row key={permission.permission} permission={permission} roles={roles} own={own} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ permission, roles, own }: { permission: RolePermission; roles: readonly string[]; own: string }) {
  const { t } = useLingui();
  return (
    <tr>
      <th scope="row">
        {permission.description} {permission.pep_access_authorized && <Status value={t`PEP access`} tone="grape" />}
        <Text size="xs" c="dimmed" ff="monospace">
          {permission.permission}
        </Text>
      </th>
      {roles.map((role) => {
        const has = permission.roles.includes(role as never);
        return (
          <td key={role} data-own={role === own}>
            <span className={has ? classes.yes : classes.no}>
              {has ? <Icon name="approve" size={16} /> : <span aria-hidden>·</span>}
              <VisuallyHidden>{has ? t`Yes` : t`No`}</VisuallyHidden>
            </span>
          </td>
        );
      })}
    </tr>
  );
}
