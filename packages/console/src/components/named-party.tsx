// A party by name, and by what distinguishes it from others of the same name: phone number, owner or town.
import type { TransactionParty } from '@kissi/client';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface NamedPartyProps {
  name: ReactNode;
  details: (string | null | undefined)[];
}

export const NamedParty = ({ name, details }: NamedPartyProps) => (
  <>
    {name}
    <Text component="span" display="block" size="sm" c="dimmed">
      {details.filter(Boolean).join(' · ')}
    </Text>
  </>
);

type Contact = Partial<Pick<TransactionParty, 'owner' | 'location' | 'phone_number' | 'account_number'>>;

/** The details of one side of a transaction, as far as the user may see them. */
export const contactOf = ({ owner, location, phone_number, account_number }: Contact) => [
  owner,
  location,
  phone_number,
  account_number,
];

interface Agent {
  first_name: string;
  last_name: string;
  location: string | null;
  phone_number: string;
}

export const contactOfAgent = ({ first_name, last_name, location, phone_number }: Agent) => [
  `${first_name} ${last_name}`,
  location,
  phone_number,
];
