// The button of the global search. Its dialog is loaded when it is opened first.
import { useLingui } from '@lingui/react/macro';
import { Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Suspense, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import classes from './shell.module.css';

const SearchDialog = lazyPart(() => import('./search-dialog.tsx'));

export function SearchButton() {
  const { t } = useLingui();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [isLoaded, setLoaded] = useState(false);
  const show = () => {
    setLoaded(true);
    open();
  };
  useHotkeys([['mod+K', show]], []);
  return (
    <>
      <UnstyledButton className={classes.search} onClick={show} aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" size={16} />
        <span>{t`Search`}</span>
        <Kbd size="xs" aria-hidden>
          ⌘K
        </Kbd>
      </UnstyledButton>
      {isLoaded && (
        <Suspense>
          <SearchDialog opened={isOpen} close={close} />
        </Suspense>
      )}
    </>
  );
}
