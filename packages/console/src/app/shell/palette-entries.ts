// What the search offers besides the hits of the service: screens, commands and the last records, as the role may see them.
import { useLingui } from '@lingui/react/macro';
import { useLocation } from '@tanstack/react-router';
import { useUser } from '../../api/user.ts';
import { visitedScreens } from '../../components/title.ts';
import { mayOpen, SCREENS } from '../screens.ts';

export interface Entry {
  title: string;
  subtitle?: string;
  status?: string;
  to: string;
  /** Opens the main dialog of the screen. */
  open?: boolean;
}

const MAX_COMMANDS = 5;
const MAX_RECENT = 8;

interface Command extends Pick<Entry, 'title' | 'to' | 'open'> {
  permission: string;
}

function useCommands(): Command[] {
  const { t } = useLingui();
  return [
    { title: t`New customer`, to: '/customers/new', permission: 'subscribers:write' },
    { title: t`Register an agent`, to: '/agents', open: true, permission: 'agents:write' },
    { title: t`New merchant`, to: '/merchants', open: true, permission: 'processors:write' },
    { title: t`New partner`, to: '/partners', open: true, permission: 'partners' },
    { title: t`New user`, to: '/users', open: true, permission: 'users' },
    { title: t`New key`, to: '/keys', open: true, permission: 'api-keys' },
    { title: t`New rule`, to: '/rules/new', permission: 'compliance:write' },
    { title: t`Close yesterday`, to: '/finance/closes', open: true, permission: 'closes:write' },
  ];
}

/** The commands and screens that have all words of the text, each at least as the start of a word. */
export function useMatches(text: string): Entry[] {
  const { t, i18n } = useLingui();
  const user = useUser();
  const commands = useCommands().filter(({ permission }) => user.permissions.includes(permission));
  const screens = SCREENS.filter((screen) => screen.navigation && mayOpen(screen, user));
  const entries: Entry[] = [
    ...commands.map(({ permission: _, ...command }) => ({ ...command, subtitle: t`Command` })),
    ...screens.map(({ title, path }) => ({ title: i18n._(title), subtitle: t`Screen`, to: path })),
    { title: t`Your account`, subtitle: t`Screen`, to: '/account' },
  ];
  const words = wordsOf(text);
  if (words.length === 0) return [];
  return entries.filter(({ title }) => startsWords(wordsOf(title), words)).slice(0, MAX_COMMANDS);
}

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);
const startsWords = (words: string[], starts: string[]) =>
  starts.every((start) => words.some((word) => word.startsWith(start)));

/** The records that were opened last, without the one on the screen. */
export function useRecent(): Entry[] {
  const { i18n } = useLingui();
  const user = useUser();
  const { pathname } = useLocation();
  return visitedScreens()
    .filter(({ path }) => path !== pathname)
    .flatMap(({ path, title }) => {
      const screen = recordScreen(path);
      return screen && mayOpen(screen, user) ? [{ title, subtitle: i18n._(screen.title), to: path }] : [];
    })
    .slice(0, MAX_RECENT);
}

/** The screen of a record, such as /customers/$id, but not of a list or a form. */
function recordScreen(path: string) {
  const segments = path.split('/');
  const isAt = (screen: string) => {
    const pattern = screen.split('/');
    return (
      pattern.length === segments.length && pattern.every((each, n) => each.startsWith('$') || each === segments[n])
    );
  };
  const screens = SCREENS.filter((screen) => isAt(screen.path));
  return screens.some((screen) => !screen.path.includes('$')) ? undefined : screens[0];
}
