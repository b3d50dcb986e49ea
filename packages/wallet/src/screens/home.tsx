// Home: the balance, hidden until it is tapped, what waits for the customer, the last transactions, and all that one can do.
import { t } from '@lingui/core/macro';
import { useState } from 'preact/hooks';
import { useLoad } from '../data/load.ts';
import type { Balance, Me, OwnCase, PaymentRequest } from '../data/types.ts';
import { digits, money, time } from '../format.ts';
import { CASES, CaseRow, isAsked } from '../ui/cases.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Loaded } from '../ui/parts.tsx';
import { INCOMING, RequestRow } from '../ui/request-row.tsx';
import { Link, Offline, useHeading } from '../ui/screen.tsx';
import { TransactionList, type Transactions } from '../ui/transactions.tsx';

const LAST = '/me/transactions?limit=5';

export function Home() {
  const me = useLoad<Me>('/me');
  const last = useLoad<Transactions>(LAST);
  const incoming = useLoad<{ payment_requests: PaymentRequest[] }>(INCOMING);
  const cases = useLoad<{ cases: OwnCase[] }>(CASES);
  const name = me.data?.profile.first_name;
  const title = name ? t`Hello, ${name}` : t`Your wallet`;
  const heading = useHeading(title);
  const requests = incoming.data?.payment_requests ?? [];
  const asked = (cases.data?.cases ?? []).filter(isAsked);
  return (
    <div class="screen">
      <header class="top">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {me.data && <p class="quiet">{t`Account ${digits(me.data.profile.account_number)}`}</p>}
      </header>
      <main>
        <Offline />
        <BalanceCard me={me.data} />
        {me.data && <DeviceNotes me={me.data} />}
        {requests.length + asked.length > 0 && (
          <section>
            <h2>{t`Waiting for you`}</h2>
            <div class="card rows">
              {asked.map((each) => (
                <CaseRow key={each.id} of={each} />
              ))}
              {requests.slice(0, 2).map((request) => (
                <RequestRow key={request.id} request={request} />
              ))}
            </div>
            {requests.length > 2 && <Link to="/requests" class="all">{t`All requests`}</Link>}
          </section>
        )}
        <section>
          <h2>{t`Last transactions`}</h2>
          <Loaded load={last}>
            {({ transactions }) => (
              <>
                <TransactionList transactions={transactions} />
                {transactions.length > 0 && <Link to="/transactions" class="all">{t`All transactions`}</Link>}
              </>
            )}
          </Loaded>
        </section>
      </main>
      <nav class="bar tabs" aria-label={t`What you can do`}>
        <Tab to="/send" icon="send" name={t`Send`} />
        <Tab to="/ask" icon="ask" name={t`Ask`} />
        <Tab to="/pay" icon="scan" name={t`Pay`} isMain />
        <Tab to="/withdraw" icon="cash" name={t`Withdraw`} />
        <Tab to="/more" icon="more" name={t`More`} />
      </nav>
    </div>
  );
}

function Tab({ to, icon, name, isMain = false }: { to: string; icon: IconName; name: string; isMain?: boolean }) {
  return (
    <Link to={to} class={isMain ? 'tab main' : 'tab'}>
      <span class="disc">
        <Icon name={icon} />
      </span>
      {name}
    </Link>
  );
}

/** Read only when it is shown, so that nobody who looks on sees it, nor a copy of the page. */
function BalanceCard({ me }: { me: Me | null }) {
  const [isShown, setShown] = useState(false);
  return (
    <section class="balance" aria-label={t`Balance`}>
      {isShown ? (
        <ShownBalance left={me && leftToday(me)} />
      ) : (
        <p class="amount" aria-hidden="true">
          SLE ••••••
        </p>
      )}
      <button type="button" onClick={() => setShown(!isShown)} aria-expanded={isShown}>
        {isShown ? t`Hide the balance` : t`Show the balance`}
      </button>
    </section>
  );
}

/** What the limits still allow to pay today. Null: they do not say. */
function leftToday({ limits, new_device }: Me): number | null {
  const { remaining } = limits.daily;
  if (!new_device) return remaining;
  const ofDevice = new_device.limit - new_device.used;
  return remaining === null ? ofDevice : Math.min(remaining, ofDevice);
}

function ShownBalance({ left }: { left: number | null }) {
  const load = useLoad<Balance>('/me/balance');
  return (
    <Loaded load={load}>
      {({ available, held }) => (
        <>
          <p class="amount">{money(available)}</p>
          <p>{held > 0 ? t`available; ${money(held)} more is held` : t`available`}</p>
          {left !== null && <p>{t`Today you can still pay ${money(left)}.`}</p>}
        </>
      )}
    </Loaded>
  );
}

/** The customer may not know of another phone that logged in. */
function DeviceNotes({ me: { new_device, other_new_devices } }: { me: Me }) {
  return (
    <>
      {other_new_devices.map(({ id, name, created_at }) => (
        <p key={id} class="note warm">
          {t`A new phone, “${name}”, logged in on ${time(created_at)}. Not you?`}{' '}
          <Link to="/devices">{t`Remove it`}</Link>
        </p>
      ))}
      {new_device && (
        <p class="note">
          {t`This phone is new. Until ${time(new_device.restricted_until)} it pays at most ${money(new_device.limit)}.`}
        </p>
      )}
    </>
  );
}
