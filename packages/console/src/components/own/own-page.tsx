// The frame of a screen in an agent's or merchant's own login: large targets for phones.
import { Trans } from '@lingui/react/macro';
import { Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';
import { LargeMoney } from '../large-money.tsx';
import { useTitle } from '../title.ts';
import classes from './own.module.css';

interface OwnPageProps {
  title: string;
  /** This login's first screen. */
  home?: string;
  aside?: ReactNode;
  children: ReactNode;
  /** As wide as a form, for screens of one column. */
  narrow?: boolean;
}

export function OwnPage({ title, home, aside, children, narrow = false }: OwnPageProps) {
  useTitle(title);
  return (
    <div className={narrow ? `${classes.page} ${classes.narrow}` : classes.page}>
      {home && (
        <Link to={home} className={classes.back}>
          <Icon name="chevronLeft" size={22} />
          <Trans>Back</Trans>
        </Link>
      )}
      <div className={classes.heading}>
        <Title order={1}>{title}</Title>
        {aside}
      </div>
      {children}
    </div>
  );
}

interface TileProps {
  to: string;
  icon: IconName;
  label: string;
  primary?: boolean;
}

/** A large button that opens a screen. */
export function Tile({ to, icon, label, primary = false }: TileProps) {
  return (
    <Link to={to} className={primary ? `${classes.tile} ${classes.primary}` : classes.tile}>
      <Icon name={icon} size={26} />
      <span>{label}</span>
    </Link>
  );
}

export const Tiles = ({ children }: { children: ReactNode }) => <nav className={classes.tiles}>{children}</nav>;

export function Balance({ label, value, note }: { label: ReactNode; value: number | string; note?: ReactNode }) {
  return (
    <section className={classes.balance}>
      <div className={classes.label}>{label}</div>
      <LargeMoney value={value} of="screen" />
      {note && <div className={classes.note}>{note}</div>}
    </section>
  );
}

export const Figures = ({ children }: { children: ReactNode }) => <dl className={classes.figures}>{children}</dl>;

interface FigureProps {
  label: ReactNode;
  value: ReactNode;
  note?: ReactNode;
  /** The screen that shows what it consists of. */
  to?: string;
}

export function Figure({ label, value, note, to }: FigureProps) {
  return (
    <div>
      <dt>{to ? <Link to={to}>{label}</Link> : label}</dt>
      <dd>{value}</dd>
      {note && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}

/** Beside each other where there is room. */
export const Columns = ({ children }: { children: ReactNode }) => <div className={classes.columns}>{children}</div>;
