// Finds the customer by phone number or card, and shows the name so that agent and customer can check it.
import { useLingui } from '@lingui/react/macro';
import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Suspense } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { NamedParty } from '../../components/named-party.tsx';
import { RefusalNotice } from '../../components/states.tsx';
import classes from './own-agent.module.css';

const Camera = lazyPart(() => import('../../components/own/camera.tsx'));

const MIN_LENGTH = 8;
/** 076123456 and +23276123456. Looking for half a number would use up the agent's look-ups. */
const MIN_DIGITS = { local: 9, international: 11 };
const PAUSE_MS = 400;

export interface Customer {
  id: string;
  name: string;
  /** The phone number, which another customer of this name does not have. */
  details: string | null;
}

export type Found = { customer: Customer | null; isSearching: boolean; isMissing: boolean; error: unknown };

/** Agents find customers by a complete phone, card or account number only. */
export function useCustomer(text: string): Found {
  const { t } = useLingui();
  const typed = text.trim();
  const [query] = useDebouncedValue(typed, PAUSE_MS);
  const isQuery = isComplete(query) && query === typed;
  const { data, error } = useRead(
    ['own-agent', 'customer', query],
    (options) => kissi.search.query({ q: query }, options),
    { enabled: isQuery },
  );
  const hit = isQuery
    ? data?.hits.find(({ type, subscriber_id }) => type === 'subscriber' || subscriber_id)
    : undefined;
  // The service writes `+23276123456, account 5561378356`, in English only.
  const customer = hit && {
    id: hit.type === 'subscriber' ? hit.id : (hit.subscriber_id ?? ''),
    name: hit.title,
    details: hit.subtitle?.replace(/, account (\d+)$/, (_, number) => `, ${t`account ${number}`}`) ?? null,
  };
  return {
    customer: customer ?? null,
    isSearching: isComplete(typed) && (!isQuery || (!data && !error)),
    isMissing: isQuery && data !== undefined && !hit,
    error: isQuery ? error : null,
  };
}

function isComplete(text: string): boolean {
  const number = text.replaceAll(/[\s-]/g, '');
  if (/^0\d*$/.test(number)) return number.length >= MIN_DIGITS.local;
  if (/^\+\d*$/.test(number)) return number.length > MIN_DIGITS.international;
  return text.length >= MIN_LENGTH;
}

/** The code of the wallet's screen, a card's serial or a number: one line without an address. */
export function readCode(text: string): string | null {
  const code = text.trim().replace(/^kissi:/, '');
  return /^[+\w:-]{8,40}$/.test(code) ? code : null;
}

interface CustomerFieldProps {
  value: string;
  onChange: (text: string) => void;
  found: Found;
  /** What follows if no customer is found. */
  missingNote: string;
}

export function CustomerField({ value, onChange, found, missingNote }: CustomerFieldProps) {
  const { t } = useLingui();
  const { customer, isSearching, isMissing, error } = found;
  return (
    <div>
      <TextInput
        label={t`Customer's phone or card number`}
        size="lg"
        type="text"
        inputMode="tel"
        autoComplete="off"
        placeholder="076 123456"
        required
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Suspense>
        <Camera onText={(text) => onChange(readCode(text) ?? '')} />
      </Suspense>
      <div className={classes.found} aria-live="polite">
        {customer && (
          <span className={classes.name}>
            <Icon name="approve" size={20} />
            <span>
              <NamedParty name={customer.name} details={[customer.details]} />
            </span>
          </span>
        )}
        {isSearching && <Text size="sm" c="dimmed">{t`Looking for the customer …`}</Text>}
        {isMissing && <Text size="sm">{missingNote}</Text>}
        <RefusalNotice error={error} />
      </div>
    </div>
  );
}
