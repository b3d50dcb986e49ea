// A link to another screen of the console, and one to a document outside it.
import { Anchor, type AnchorProps } from '@mantine/core';
import { Link as RouterLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface LinkProps extends AnchorProps {
  /** A path of the console, such as /customers/sub_1. */
  to: string;
  search?: Record<string, string>;
  onClick?: () => void;
  children: ReactNode;
}

export function Link({ to, search, children, ...props }: LinkProps) {
  return (
    <Anchor inherit {...props} renderRoot={(root) => <RouterLink to={to} search={(search ?? {}) as never} {...root} />}>
      {children}
    </Anchor>
  );
}

/** The other page gets neither a handle on this one nor its address. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor inherit href={href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
      {children} <Icon name="external" size={13} />
    </Anchor>
  );
}
