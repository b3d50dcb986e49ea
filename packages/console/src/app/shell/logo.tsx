// The mark of Kissi and the environment, which tells a test system from the real one.
import { Link } from '@tanstack/react-router';
import { useUser } from '../../api/user.ts';
import { Status } from '../../components/status.tsx';
import classes from './shell.module.css';

export function Logo() {
  const { environment } = useUser().service;
  const isReal = environment === 'production';
  return (
    <>
      <Link to="/" className={classes.logo}>
        <img src="/icon.svg" width={26} height={26} alt="" />
        <span className={isReal ? undefined : classes.roomy}>Kissi</span>
      </Link>
      {!isReal && <Status value={environment} tone="yellow" />}
    </>
  );
}
