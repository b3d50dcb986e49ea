// The button of the global search. Its dialog is loaded when it is opened first.
import { useLingui } from '@lingui/react/macro';
import { Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Suspense } from 'react';
import { Icon } from '../../components/icon.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import classes from './shell.module.css';

const SearchDialog = lazyPart(() => import('./search-dialog.tsx'));

export function SearchButton() {
  const { t } = useLingui();
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <UnstyledButton className={classes.search} onClick={open} aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" size={16} />
        <span>{t`Search`}</span>
        <Kbd size="xs" aria-hidden>
          {/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}
        </Kbd>
      </UnstyledButton>
      {isOpen && (
        <Suspense>
          <SearchDialog close={close} />
        </Suspense>
      )}
    </>
  );
}
