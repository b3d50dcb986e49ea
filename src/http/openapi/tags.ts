// The tags of the OpenAPI document, in the order in which an integrator needs them.

interface Tag {
  name: string;
  'x-displayName': string;
  description: string;
}

const tag = (name: string, title: string, description: string): Tag => ({ name, 'x-displayName': title, description });

export const TAGS: Tag[] = [
  tag(
    'payments',
    'Card payments',
    "Payments and refunds by card, at terminals and in apps. The merchant signs each request with its API key's secret. PINs are encrypted with a key derived from that secret.",
  ),
  tag(
    'payment-requests',
    'Payment requests',
    'A merchant asks for a payment by code, link, QR code or message. The payer confirms on their own phone.',
  ),
  tag(
    'bulk-payments',
    'Bulk payments',
    'Pay many people with one file: it is checked, approved by a second person, and each row is paid once.',
  ),
  tag(
    'inbound',
    'Inbound credits',
    'A partner bank credits wallets: name enquiry, credit, and the outcome by reference. Each credit is executed once per reference. Staff list and reverse the credits.',
  ),
  tag(
    'partner-api',
    'Partner cash-in',
    'A partner that receives cash credits wallets, checks accounts and lists its own transactions.',
  ),
  tag(
    'partner-cashin',
    'Cash-in notifications',
    "A partner's cash-in notification, in the format the partner defines.",
  ),
  tag(
    'cases',
    'Cases',
    'Complaints, wrong transfers and suspected fraud: the queue of staff with its clocks, the recall of wrong transfers, and files.',
  ),
  tag(
    'wallet',
    'Wallets and transactions',
    'Balances, transfers between subscribers, withdrawals, funding, and the transaction history with its evidence.',
  ),
  tag(
    'me',
    "A customer's own wallet",
    'For an app of your own: customers log in with a code and their PIN, see their wallet, and pay. They reach nothing else.',
  ),
  tag('subscribers', 'Subscribers', 'Wallet holders: registration, KYC level, status, PIN.'),
  tag('cards', 'Cards', "Cards and their holders. A child card shares its parent's wallet and has a daily limit."),
  tag(
    'agents',
    'Agents',
    'Super-agents and sub-agents, who take and pay out cash against their float, and their commissions.',
  ),
  tag(
    'processors',
    'Processors',
    'Merchants and payment processors: their records, balances, transfers and pay-outs to banks.',
  ),
  tag('payment-pages', 'Payment pages', 'The page of a payment request, which everybody with its link can open.'),
  tag('receipts', 'Receipts', 'Receipts of payments: the public link, the signed record for its parties.'),
  tag('search', 'Search', 'One search over subscribers, cards, agents, processors and transactions.'),
  tag('compliance', 'Compliance', 'Compliance rules, the alerts that they raise, and the limits of each KYC level.'),
  tag('fees', 'Fees', 'What each type of transaction costs its parties.'),
  tag(
    'approvals',
    'Approvals',
    'Actions that need a second user. A request that a policy covers is answered with 202 and executed once another user approves it.',
  ),
  tag('reporting', 'Reporting', 'Key figures, time series, the accounts of the ledger and their balances.'),
  tag(
    'finance',
    'Finance',
    'Trust accounts and bank statements, reconciliation, suspense, daily closes and commission settlement.',
  ),
  tag(
    'integration',
    'Integration',
    "For a merchant's or partner's keys: their recent requests and the webhooks sent to them.",
  ),
  tag('webhooks', 'Webhooks', 'Where merchants and partners get events, and the deliveries of them.'),
  tag('partners', 'Partners', 'Partner banks: terms, webhook secret, settlement, and the deliveries of webhooks.'),
  tag(
    'lab',
    'Lab',
    'Certification runs: how an integration handles lost replies, refusals, webhooks and reversals. Not in production.',
  ),
  tag('admin', 'Administration', 'Logins, second factors, users, API keys and the audit log.'),
  tag('messaging', 'Messaging', 'Conversations over a messaging platform.'),
  tag('ussd', 'USSD', 'What USSD gateways call: one callback in, one page of the menus out.'),
  tag('health', 'Health', 'Health probes and metrics.'),
  tag('console', 'Console sessions', 'The login of the web console. Other clients use POST /api/v1/admin/login.'),
];
