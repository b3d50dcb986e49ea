// Which screen an address opens.
import type { ComponentChild } from 'preact';
import { Ask } from './ask.tsx';
import { Cards } from './cards.tsx';
import { ChangePin } from './change-pin.tsx';
import { Devices } from './devices.tsx';
import { Home } from './home.tsx';
import { More } from './more.tsx';
import { Pay } from './pay.tsx';
import { PendingPayment } from './pending.tsx';
import { Problem, Problems } from './problems.tsx';
import { RecallTransfer, Report } from './report.tsx';
import { RequestScreen, Requests } from './requests.tsx';
import { Send } from './send.tsx';
import { Settings } from './settings.tsx';
import { Statement } from './statement.tsx';
import { AllTransactions, OneTransaction } from './transactions.tsx';
import { Withdraw } from './withdraw.tsx';

const SCREENS: Record<string, () => ComponentChild> = {
  '/send': () => <Send />,
  '/pay': () => <Pay />,
  '/ask': () => <Ask />,
  '/withdraw': () => <Withdraw />,
  '/requests': () => <Requests />,
  '/transactions': () => <AllTransactions />,
  '/statement': () => <Statement />,
  '/cards': () => <Cards />,
  '/devices': () => <Devices />,
  '/pin': () => <ChangePin />,
  '/settings': () => <Settings />,
  '/more': () => <More />,
  '/problems': () => <Problems />,
  '/report': () => <Report />,
  '/pending': () => <PendingPayment />,
};

const WITH_ID: Record<string, (id: string) => ComponentChild> = {
  problems: (id) => <Problem id={id} key={id} />,
  report: (id) => <Report transactionId={id} key={id} />,
  recall: (id) => <RecallTransfer id={id} key={id} />,
  pay: (code) => <Pay code={code} key={code} />,
  requests: (id) => <RequestScreen id={id} key={id} />,
  transactions: (id) => <OneTransaction id={id} key={id} />,
};

/** An unknown address opens the home screen. */
export function screenFor(path: string): ComponentChild {
  const [, family = '', id = ''] = /^\/(\w+)\/([\w-]+)$/.exec(path) ?? [];
  return SCREENS[path]?.() ?? WITH_ID[family]?.(id) ?? <Home />;
}
