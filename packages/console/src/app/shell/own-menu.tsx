// The menu of an agent's or merchant's login: password, language, appearance, log out.
import { Trans, useLingui } from '@lingui/react/macro';
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { lock, logOut } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { LANGUAGES, setLanguage } from '../language.ts';
import classes from './own-frame.module.css';

export function OwnMenu() {
  const { t, i18n } = useLingui();
  const { first_name, last_name, email } = useUser();
  const { setColorScheme } = useMantineColorScheme();
  // The choice can be to follow the system.
  const colorScheme = useComputedColorScheme('light');
  const { pathname } = useLocation();
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute('open');
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another screen is opened.
  useEffect(close, [pathname]);
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget as Node)) close();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    close();
    menu.current?.querySelector('summary')?.focus();
  };
  const other = LANGUAGES.find(({ code }) => code !== i18n.locale) ?? LANGUAGES[0];
  const isDark = colorScheme === 'dark';
  return (
    <details ref={menu} className={classes.menu} onBlur={onBlur} onKeyDown={onKeyDown}>
      <summary aria-label={t`Account of ${first_name} ${last_name}`}>
        <Icon name="menu" size={26} />
      </summary>
      <div className={classes.items}>
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
      </div>
    </details>
  );
}
