// The user menu: account, appearance, language, lock and log out.
import { Trans, useLingui } from '@lingui/react/macro';
import {
  Menu,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lock, logOut } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { label } from '../../components/values.tsx';
import { LANGUAGES, setLanguage } from '../language.ts';
import classes from './user-menu.module.css';

export function UserMenu() {
  const { t, i18n } = useLingui();
  const { first_name, last_name, email, role } = useUser();
  const { setColorScheme } = useMantineColorScheme();
  // The stored setting may be "auto", which follows the system.
  const colorScheme = useComputedColorScheme('light');
  const navigate = useNavigate();
  const initials = `${first_name.charAt(0)}${last_name.charAt(0)}`.toUpperCase();
  const other = LANGUAGES.find(({ code }) => code !== i18n.locale) ?? LANGUAGES[0];
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.avatar}>
          <VisuallyHidden>{t`Account of ${first_name} ${last_name}`}</VisuallyHidden>
          <span aria-hidden>{initials}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <Text fw={600} size="sm">
            {first_name} {last_name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {email}
          </Text>
          <Text size="xs" c="dimmed">
            {label(role)}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="user" />} onClick={() => void navigate({ to: '/account' })}>
          <Trans>Password and second factor</Trans>
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name={colorScheme === 'dark' ? 'sun' : 'moon'} />}
          onClick={() => setColorScheme(colorScheme === 'dark' ? 'light' : 'dark')}
        >
          {colorScheme === 'dark' ? <Trans>Light appearance</Trans> : <Trans>Dark appearance</Trans>}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="document" />}
          lang={other.code}
          onClick={() => void setLanguage(other.code)}
        >
          {other.name}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="lock" />} onClick={() => lock()}>{t`Lock`}</Menu.Item>
        <Menu.Item leftSection={<Icon name="logout" />} onClick={() => logOut()}>{t`Log out`}</Menu.Item>
        <Menu.Item leftSection={<Icon name="logout" />} onClick={() => logOut({ everywhere: true })}>
          <Trans>Log out everywhere</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
