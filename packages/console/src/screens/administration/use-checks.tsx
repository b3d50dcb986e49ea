// The checks on the going-live list, in words.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { count } from '../../format/money.ts';
import type { Findings } from './going-live-checks.ts';

const SHOWN_NAMES = 3;

export interface Check {
  name: string;
  isDone: boolean;
  about: ReactNode;
  link?: { to: string; title: string };
}

export function useChecks(f: Findings): Check[] {
  return [...useAccessChecks(f), ...useMoneyChecks(f), ...useIntegrationChecks(f)];
}

function useAccessChecks(f: Findings): Check[] {
  const { t } = useLingui();
  const [on, all] = [f.policiesOn, f.policies];
  return [
    {
      name: t`Production configuration`,
      isDone: f.isProduction,
      about: f.isProduction ? (
        <Trans>Common PINs, test keys and unencrypted PINs are refused.</Trans>
      ) : (
        <Trans>
          Set <Code>APP_ENV=production</Code>. Test keys, common PINs and the lab are then refused.
        </Trans>
      ),
      link: { to: '/health', title: t`Health` },
    },
    {
      name: t`Second factor for all staff`,
      isDone: f.requiresSecondFactor,
      about: f.requiresSecondFactor ? (
        <Trans>Staff without one can only set one up.</Trans>
      ) : (
        <Trans>
          Set <Code>REQUIRE_SECOND_FACTOR=true</Code>. Staff are asked to set one up at their next login.
        </Trans>
      ),
      link: { to: '/account', title: t`Your account` },
    },
    {
      name: t`Two administrators`,
      isDone: f.administrators > 1,
      about: (
        <Plural
          value={f.administrators}
          one="There is one. A second administrator must approve user changes."
          other="There are #."
        />
      ),
      link: { to: '/users', title: t`Users` },
    },
    {
      name: t`Approval policies`,
      isDone: f.policiesOn === f.policies && f.policies > 0,
      about: (
        <Trans>
          {on} of {all} are on. Staff payments and access changes should need a second user.
        </Trans>
      ),
      link: { to: '/approvals/policies', title: t`Policies` },
    },
  ];
}

function useMoneyChecks(f: Findings): Check[] {
  const { t } = useLingui();
  const [accounts, missing] = [count(f.trustAccounts), count(f.statementsMissing)];
  return [
    {
      name: t`Backup`,
      isDone: f.isArchiving,
      about: f.isArchiving ? (
        <Trans>The database archives its write-ahead log.</Trans>
      ) : (
        <Trans>The database does not archive its write-ahead log, or the last attempt failed.</Trans>
      ),
      link: { to: '/health', title: t`Health` },
    },
    {
      name: t`Trust accounts`,
      isDone: f.trustAccounts > 0 && f.statementsMissing === 0,
      about: (
        <Trans>
          {accounts} active, {missing} without yesterday's statement.
        </Trans>
      ),
      link: { to: '/finance', title: t`Finance` },
    },
    {
      name: t`E-money is covered`,
      isDone: f.isCovered,
      about: (
        <Trans>
          On the last day for which all statements are available, the money at the banks covers the e-money.
        </Trans>
      ),
      link: { to: '/finance', title: t`Finance` },
    },
  ];
}

function useIntegrationChecks(f: Findings): Check[] {
  const { t } = useLingui();
  const [failing, endpoints] = [count(f.failingDeliveries), count(f.endpoints)];
  return [
    {
      name: t`Partners with an allow-list`,
      isDone: f.partners > 0 && f.partnersWithoutAllowlist.length === 0,
      about:
        f.partners === 0 ? (
          <Trans>There are no partners yet.</Trans>
        ) : (
          <Names
            names={f.partnersWithoutAllowlist}
            none={t`Each partner can call only from its addresses.`}
            some={t`Without one:`}
          />
        ),
      link: { to: '/partners', title: t`Partners` },
    },
    {
      name: t`Webhooks`,
      isDone: f.insecureWebhooks.length === 0 && f.failingDeliveries === 0,
      about:
        f.insecureWebhooks.length > 0 ? (
          <Names names={f.insecureWebhooks} none="" some={t`Without https:`} />
        ) : (
          <Trans>
            All addresses use https, including {endpoints} webhook endpoints. {failing} deliveries are failing.
          </Trans>
        ),
      link: { to: '/deliveries', title: t`Deliveries` },
    },
    {
      name: t`Keys`,
      isDone: f.oldKeys.length === 0 && (!f.isProduction || f.testKeys === 0),
      about: (
        <Names
          names={f.oldKeys}
          none={t`No valid key is older than a year.`}
          some={t`Older than a year, to be rotated:`}
        />
      ),
      link: { to: '/keys', title: t`API keys` },
    },
  ];
}

function Names({ names, none, some }: { names: string[]; none: string; some: string }) {
  if (names.length === 0) return none;
  const more = names.length - SHOWN_NAMES;
  return (
    <>
      {some} {names.slice(0, SHOWN_NAMES).join(', ')}
      {more > 0 && <Trans> and {more} more</Trans>}.
    </>
  );
}
