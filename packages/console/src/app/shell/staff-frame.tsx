// The frame around staff's screens: navigation, search, and the user's menu.
import { useLingui } from '@lingui/react/macro';
import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import '../../styles/screens.ts';
import { AccountMenu } from './account-menu.tsx';
import { Connection } from './connection.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import { SearchButton } from './search.tsx';
import classes from './shell.module.css';

export default function StaffFrame() {
  const { t } = useLingui();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another screen is opened.
  useEffect(() => {
    close();
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <>
      <a href="#main" className={classes.skip}>{t`Skip to the content`}</a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 252, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
        padding={{ base: 'md', md: 'xl' }}
      >
        <AppShell.Header className={classes.header}>
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label={t`Navigation`} />
            <Logo />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton />
            <AccountMenu />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar aria-label={t`Screens`}>
          <div className={classes.navigation}>
            <Navigation />
          </div>
        </AppShell.Navbar>
        <AppShell.Main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <Connection />
          <div className={classes.content}>
            <Outlet />
          </div>
        </AppShell.Main>
      </AppShell>
    </>
  );
}
