// The table of the lab: amounts and phone numbers that make the service do what integrators must be prepared for.
import { parseAmount } from '../../kernel/money.ts';

export const RETRY_AFTER_SECONDS = 5;
export const LATE_SECONDS = 20;
export const REVERSED_AFTER_SECONDS = 60;
/** How long the lab's customer takes to answer a payment request. */
export const ANSWERED_AFTER_SECONDS = { paid: 2, declined: 2, paid_slowly: 20 } as const;
export const EXPIRES_AFTER_SECONDS = 1;

/** Effects on the request itself, on every payment route that API keys call. */
export type RequestEffect = 'cut' | 'late' | 'unavailable';
/** Refusals by the ledger, as if the state were so. */
export type RefusalEffect = 'insufficient' | 'limit';
/** Effects after an inbound credit. */
export type CreditEffect = 'duplicate' | 'fails' | 'out_of_order' | 'reversed';
/** What becomes of a payment request. */
export type PayerEffect = keyof typeof ANSWERED_AFTER_SECONDS | 'expires';

export interface MagicAmount {
  /** Minor units. No amount in daily use has such cents. */
  amount: number;
  effect: RequestEffect | RefusalEffect | CreditEffect | PayerEffect;
  /** How often a delivery is treated as failed. */
  times?: number;
  /** For the documentation. */
  routes: string;
  happens: string;
  expected: string;
}

const PAYMENTS = 'all payments';
const CREDITS = 'inbound credits';
const REQUESTS = 'payment requests';

export const MAGIC_AMOUNTS: readonly MagicAmount[] = [
  {
    amount: 9_101,
    effect: 'cut',
    routes: PAYMENTS,
    happens: 'The payment is committed. Then the connection is closed without a reply. A retry gets the stored reply.',
    expected: 'Retry with the same `request_id` or `reference`, or read the status. Never pay again under a new one.',
  },
  {
    amount: 9_102,
    effect: 'late',
    routes: PAYMENTS,
    happens: `The payment is committed. The reply is sent ${LATE_SECONDS} seconds later; a retry before then gets it at once.`,
    expected: 'Wait, or retry with the same `request_id` or `reference`.',
  },
  {
    amount: 9_103,
    effect: 'unavailable',
    routes: PAYMENTS,
    happens: `The first request is refused with 503 \`SERVICE_UNAVAILABLE\` and \`Retry-After: ${RETRY_AFTER_SECONDS}\`; nothing is done. The next one with the same id is executed.`,
    expected: `Retry with the same id, but not before ${RETRY_AFTER_SECONDS} seconds have passed.`,
  },
  {
    amount: 9_104,
    effect: 'duplicate',
    routes: CREDITS,
    happens: 'Each webhook is sent twice, with the same `X-Hook-Event-Id`.',
    expected: 'Answer both with 2xx and process the event once.',
  },
  {
    amount: 9_105,
    effect: 'fails',
    times: 1,
    routes: CREDITS,
    happens:
      'The first delivery of each webhook is treated as failed, whatever the answer. It is repeated after 30 seconds.',
    expected: 'Answer the repeat with 2xx and process the event once.',
  },
  {
    amount: 9_106,
    effect: 'fails',
    times: 3,
    routes: CREDITS,
    happens: 'Three deliveries of each webhook are treated as failed. The fourth arrives after 10 minutes.',
    expected: 'As above.',
  },
  {
    amount: 9_107,
    effect: 'out_of_order',
    routes: CREDITS,
    happens: 'The credit is reversed at once. `credit.reversed` arrives first, `credit.completed` 30 seconds later.',
    expected: 'Answer both with 2xx. The credit stays reversed.',
  },
  {
    amount: 9_108,
    effect: 'reversed',
    routes: CREDITS,
    happens: 'The credit is completed. A minute later it is reversed, and `credit.reversed` is sent.',
    expected: "Reverse the credit in your books; read the credit's status to be sure.",
  },
  {
    amount: 9_109,
    effect: 'insufficient',
    routes: PAYMENTS,
    happens:
      'The ledger refuses as if the payer had no money: `INSUFFICIENT_BALANCE`, `INSUFFICIENT_FLOAT`, or `PARTNER_EXPOSURE_LIMIT_EXCEEDED`.',
    expected: 'Show the refusal; do not retry under the same id.',
  },
  {
    amount: 9_110,
    effect: 'limit',
    routes: PAYMENTS,
    happens:
      'The ledger refuses as if a limit were reached: `DAILY_LIMIT_EXCEEDED` of the payer, or `MAX_BALANCE_EXCEEDED` of the payee.',
    expected: 'As above.',
  },
  {
    amount: 9_111,
    effect: 'paid',
    routes: REQUESTS,
    happens: `The first subscriber below pays it after ${ANSWERED_AFTER_SECONDS.paid} seconds, from their wallet.`,
    expected: 'Deliver once, on `payment_request.paid` or when you read `paid`; a browser that returns proves nothing.',
  },
  {
    amount: 9_112,
    effect: 'declined',
    routes: REQUESTS,
    happens: `The first subscriber below declines it after ${ANSWERED_AFTER_SECONDS.declined} seconds, whoever was asked.`,
    expected: 'Show that it was declined. Ask again with a new `request_id`, if the customer wants to.',
  },
  {
    amount: 9_113,
    effect: 'expires',
    routes: REQUESTS,
    happens: `It expires after ${EXPIRES_AFTER_SECONDS} second, whatever \`expires_in\` says.`,
    expected: 'Show that it has expired, and release what you kept for the customer.',
  },
  {
    amount: 9_114,
    effect: 'paid_slowly',
    routes: REQUESTS,
    happens: `The first subscriber below pays it after ${ANSWERED_AFTER_SECONDS.paid_slowly} seconds, from their wallet.`,
    expected: 'Show that you are waiting. The customer may close the page: the webhook still comes.',
  },
];

export interface LabSubscriber {
  phone: string;
  firstName: string;
  serial: string;
  blocked: boolean;
  /** For the documentation. */
  description: string;
}

/** Really registered, with a card, when the service starts with the lab. */
export const LAB_SUBSCRIBERS: readonly LabSubscriber[] = [
  {
    phone: '+23210000001',
    firstName: 'Ready',
    serial: 'LAB-0001',
    blocked: false,
    description: 'An active subscriber.',
  },
  {
    phone: '+23210000002',
    firstName: 'Blocked',
    serial: 'LAB-0002',
    blocked: true,
    description:
      'A blocked subscriber: `BENEFICIARY_BLOCKED`, `SUBSCRIBER_BLOCKED` or `CARD_BLOCKED`, and `can_credit: false`.',
  },
];

export const LAB_PIN = '7083';

const BY_AMOUNT = new Map(MAGIC_AMOUNTS.map((magic) => [magic.amount, magic]));

export function magicAmount(amount: unknown): MagicAmount | undefined {
  const minorUnits = typeof amount === 'number' || typeof amount === 'string' ? parseAmount(amount) : null;
  return minorUnits === null ? undefined : BY_AMOUNT.get(minorUnits);
}

export function amountsOf(effect: MagicAmount['effect']): number[] {
  return MAGIC_AMOUNTS.filter((magic) => magic.effect === effect).map(({ amount }) => amount);
}

/** The tables of docs/guides/lab.md. */
export function effectTables(): string {
  const amounts = MAGIC_AMOUNTS.map(
    ({ amount, routes, happens, expected }) => `| \`${amount}\` | ${routes} | ${happens} | ${expected} |`,
  );
  const people = LAB_SUBSCRIBERS.map(
    ({ phone, serial, description }) => `| \`${phone}\` | \`${serial}\` | ${description} |`,
  );
  return [
    '| amount | on | what happens | what you should do |\n|---|---|---|---|',
    ...amounts,
    `\n| phone number | card | who |\n|---|---|---|`,
    ...people,
  ].join('\n');
}
