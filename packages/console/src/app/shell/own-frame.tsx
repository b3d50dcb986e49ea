// The frame of an agent's or merchant's own login, with few parts, because it is loaded over slow networks.
import { useLingui } from '@lingui/react/macro';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useUser } from '../../api/user.ts';
import { loadRefusalWords } from '../../components/own-refusals.ts';
import { mayOpen, SCREENS } from '../screens.ts';
import { AccountMenu } from './account-menu.tsx';
import { Connection } from './connection.tsx';
import { Logo } from './logo.tsx';
import classes from './own-frame.module.css';

export function OwnFrame() {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another screen is opened.
  useEffect(() => main.current?.focus({ preventScroll: true }), [pathname]);
  useEffect(() => void loadRefusalWords().catch(() => undefined), []);
  return (
    <>
      <a href="#main" className={classes.skip}>{t`Skip to the content`}</a>
      <header className={classes.header}>
        <Logo />
        <Screens />
        <AccountMenu />
      </header>
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Connection />
        <Outlet />
      </main>
    </>
  );
}

/** On a phone the first screen has a large button for each instead. */
function Screens() {
  const { t, i18n } = useLingui();
  const user = useUser();
  const visible = SCREENS.filter(
    (screen) => screen.roles?.includes(user.role) && screen.navigation && mayOpen(screen, user),
  );
  return (
    <nav className={classes.screens} aria-label={t`Screens`}>
      {visible.map(({ path, title }) => (
        <Link key={path} to={path} activeOptions={{ exact: true }}>
          {i18n._(title)}
        </Link>
      ))}
    </nav>
  );
}
