// The menu of the account: password, language, appearance, lock and log out.
import { Trans, useLingui } from '@lingui/react/macro';
import { useComputedColorScheme, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { lock, logOut } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { LANGUAGES, setLanguage } from '../language.ts';
import classes from './account-menu.module.css';

/** The browser's own popover: it closes by a click elsewhere and by Escape, and gives the focus back. */
export function AccountMenu() {
  const { t, i18n } = useLingui();
  const { first_name, last_name, email } = useUser();
  const { setColorScheme } = useMantineColorScheme();
  // The stored setting may be "auto", which follows the system.
  const colorScheme = useComputedColorScheme('light');
  const { pathname } = useLocation();
  const menu = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another screen is opened.
  useEffect(() => menu.current?.hidePopover(), [pathname]);
  const other = LANGUAGES.find(({ code }) => code !== i18n.locale) ?? LANGUAGES[0];
  const isDark = colorScheme === 'dark';
  return (
    <>
      <button type="button" className={classes.account} popoverTarget="account">
        <VisuallyHidden>{t`Account of ${first_name} ${last_name}`}</VisuallyHidden>
        <span aria-hidden>{`${first_name.charAt(0)}${last_name.charAt(0)}`.toUpperCase()}</span>
      </button>
      <div id="account" ref={menu} popover="auto" className={classes.items}>
        <p>
          <b>
            {first_name} {last_name}
          </b>
          <br />
          {email}
        </p>
        <Link to="/account">
          <Icon name="user" />
          <Trans>Password and second factor</Trans>
        </Link>
        <button type="button" lang={other.code} onClick={() => void setLanguage(other.code)}>
          <Icon name="document" />
          {other.name}
        </button>
        <button type="button" onClick={() => setColorScheme(isDark ? 'light' : 'dark')}>
          <Icon name={isDark ? 'sun' : 'moon'} />
          {isDark ? <Trans>Light appearance</Trans> : <Trans>Dark appearance</Trans>}
        </button>
        <button type="button" onClick={() => lock()}>
          <Icon name="lock" />
          <Trans>Lock</Trans>
        </button>
        <button type="button" onClick={() => logOut()}>
          <Icon name="logout" />
          <Trans>Log out</Trans>
        </button>
        <button type="button" onClick={() => logOut({ everywhere: true })}>
          <Icon name="logout" />
          <Trans>Log out everywhere</Trans>
        </button>
      </div>
    </>
  );
}
