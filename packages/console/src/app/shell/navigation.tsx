// The screens that the role may open, in groups.
import { useLingui } from '@lingui/react/macro';
import { Badge, NavLink } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useUser } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import type { Screen } from '../screen.ts';
import { GROUPS, mayOpen, SCREENS } from '../screens.ts';
import { useAttention } from './attention.ts';
import classes from './shell.module.css';

export function Navigation() {
  const user = useUser();
  const { i18n } = useLingui();
  const waiting = useAttention();
  const visible = SCREENS.filter((screen) => screen.navigation && mayOpen(screen, user));
  return GROUPS.map((group) => {
    const entries = visible.filter(({ navigation }) => navigation?.group === group);
    if (entries.length === 0) return null;
    return (
      <section key={group} aria-label={i18n._(group)}>
        <div className={classes.group}>{i18n._(group)}</div>
        {entries.map((screen) => (
          <Entry key={screen.path} screen={screen} waiting={waiting[screen.path] ?? 0} />
        ))}
      </section>
    );
  });
}

function Entry({ screen, waiting }: { screen: Screen; waiting: number }) {
  const { i18n, t } = useLingui();
  const { pathname } = useLocation();
  const { path, title, navigation } = screen;
  const isActive = path === activePath(pathname);
  return (
    <NavLink
      className={classes.entry ?? ''}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      label={i18n._(title)}
      leftSection={navigation && <Icon name={navigation.icon} />}
      rightSection={
        waiting > 0 && (
          <Badge size="sm" color="red.8" circle={waiting < 10} aria-label={t`${waiting} waiting`}>
            {waiting > 99 ? '99+' : waiting}
          </Badge>
        )
      }
      renderRoot={(root) => <Link to={path} activeOptions={{ exact: true }} {...root} />}
    />
  );
}

/** Only the innermost of nested entries, such as /finance and /finance/closes, is active. */
function activePath(pathname: string): string | undefined {
  const around = SCREENS.filter(({ navigation, path }) => navigation && `${pathname}/`.startsWith(`${path}/`));
  return around.sort((a, b) => b.path.length - a.path.length)[0]?.path;
}
