// The mark of Kissi and the environment, which tells a test system from the real one.
import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useUser } from '../../api/user.ts';
import { Status } from '../../components/status.tsx';
import classes from './shell.module.css';

export function Logo() {
  const { environment } = useUser().service;
  return (
    <>
      <Link to="/" className={classes.logo}>
        <img src="/icon.svg" width={26} height={26} alt="" />
        Kissi
      </Link>
      {environment !== 'production' && (
        <Box visibleFrom="xs">
          <Status value={environment} tone="yellow" />
        </Box>
      )}
    </>
  );
}
