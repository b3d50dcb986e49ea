// The pictures of docs/console: which screen, by whom, and the sentence beside it.
import type { Page } from 'playwright-core';

export interface Picture {
  /** The file's name, without its extension. */
  name: string;
  title: string;
  text: string;
  role: string;
  /** The screen's path in its screens.ts. */
  screen: string;
  isPhone?: boolean;
  isDark?: boolean;
  /** What the user did on the previous screen. */
  prepare?(page: Page): Promise<void>;
}

/** As docs/guides/lab.md has it. */
const LAB_CUSTOMER = { phone: '+23210000001', pin: '7083' };

const press = (name: string) => async (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

/** The lab's customer, whose wallet has money, pays the first customer of the list. */
async function sendMoneyByUssd(page: Page): Promise<void> {
  const payee = await page.locator('[class*=person] [class*=Text]').first().innerText();
  for (const number of [LAB_CUSTOMER.phone, payee]) {
    await page.getByLabel('Phone number or name').fill(number);
    await press('Open')(page);
  }
  const phone = page.getByRole('region', { name: LAB_CUSTOMER.phone });
  await phone.getByRole('button', { name: 'Call' }).click();
  for (const answer of ['1', payee, '50']) {
    await phone.getByLabel('Answer').fill(answer);
    await phone.getByRole('button', { name: 'Send' }).click();
  }
  await phone.getByLabel('PIN').fill(LAB_CUSTOMER.pin);
  await phone.getByRole('button', { name: 'Send' }).click();
  await phone.getByText('You sent SLE 50.00').waitFor();
  const other = page.getByRole('region', { name: payee });
  await other.getByRole('tab', { name: 'Messages' }).click();
  await other.getByText('You got SLE 50.00').waitFor();
}

export const PICTURES: readonly Picture[] = [
  {
    name: 'overview',
    title: 'Overview',
    text: 'What needs attention now, with its age, and today against the same hours of last week.',
    role: 'system_admin',
    screen: '/overview',
  },
  {
    name: 'overview-dark',
    title: 'Overview in the dark appearance',
    text: 'The appearance follows the device, or is chosen in the menu of the user.',
    role: 'system_admin',
    screen: '/overview',
    isDark: true,
  },
  {
    name: 'customer',
    title: 'Customer',
    text: 'Wallet, limits used today, cards, payments and timeline, identity, and the notes of other staff.',
    role: 'system_admin',
    screen: '/customers/$id',
  },
  {
    name: 'transaction',
    title: 'Transaction',
    text: 'Who paid whom, with fee and commission, and every posting with its balance.',
    role: 'system_admin',
    screen: '/transactions/$id',
  },
  {
    name: 'agents',
    title: 'Agents',
    text: 'The networks as a tree, with floats and how long each is estimated to last.',
    role: 'system_admin',
    screen: '/agents',
    prepare: press('Open all'),
  },
  {
    name: 'agent-phone',
    title: "An agent's phone",
    text: 'The first screen of an agent: float, the daily work as large buttons, and the commission of today.',
    role: 'super_agent',
    screen: '/agent',
    isPhone: true,
  },
  {
    name: 'agent-cash-in',
    title: 'Cash in on a phone',
    text: 'The amount is typed as people write it, and shown back in words before it is paid.',
    role: 'super_agent',
    screen: '/agent/cash-in',
    isPhone: true,
    prepare: async (page) => page.getByRole('textbox', { name: 'Amount' }).fill('1,250.50'),
  },
  {
    name: 'merchant-phone',
    title: "A merchant's phone",
    text: 'The balance, the daily work as large buttons, and the sales of today.',
    role: 'processor',
    screen: '/shop',
    isPhone: true,
  },
  {
    name: 'charge',
    title: 'Charging a customer',
    text: 'The amount, and if the merchant knows it, the number of the customer, who gets a message.',
    role: 'processor',
    screen: '/shop/charge',
    isPhone: true,
    prepare: async (page) => page.getByRole('textbox', { name: 'Amount' }).fill('250'),
  },
  {
    name: 'charge-code',
    title: 'What the customer scans',
    text: 'QR code, code to dial and link of a payment request. The screen turns to Paid by itself.',
    role: 'processor',
    screen: '/shop/requests/$id',
    isPhone: true,
  },
  {
    name: 'requests',
    title: "A merchant's requests and links",
    text: 'What was asked for and what became of it, in every state.',
    role: 'processor',
    screen: '/shop/requests',
    isPhone: true,
  },
  {
    name: 'webhooks',
    title: "A merchant's webhooks",
    text: 'Endpoints with the events they get, and every delivery with its attempts and a replay.',
    role: 'processor',
    screen: '/shop/webhooks',
  },
  {
    name: 'delivery',
    title: 'Delivery debugger',
    text: 'Each attempt of a webhook with its request, reply, time and the check of its signature. The first attempt of this one failed.',
    role: 'system_admin',
    screen: '/deliveries/$id',
  },
  {
    name: 'cover',
    title: 'Cover',
    text: 'E-money against the money in the trust accounts, day by day.',
    role: 'finance_user',
    screen: '/finance',
  },
  {
    name: 'matching',
    title: 'Matching desk',
    text: 'Bank and books side by side, with suggestions that one key accepts.',
    role: 'finance_user',
    screen: '/finance/reconciliation',
  },
  {
    name: 'close',
    title: 'Daily close',
    text: 'The figures of a closed day, with its signed certificate as a PDF.',
    role: 'finance_user',
    screen: '/finance/closes/$date',
  },
  {
    name: 'alert',
    title: 'Alert',
    text: 'The rule and its figures at the time, and the network of payments around the subject.',
    role: 'compliance_user',
    screen: '/alerts/$id',
  },
  {
    name: 'what-if',
    title: 'What a rule would have done',
    text: 'A rule is tried on the payments of the last 30 days before it is switched on.',
    role: 'compliance_user',
    screen: '/rules/$id',
    prepare: async (page) => {
      await press('Try on the last 30 days')(page);
      await page.getByText('Try it before you switch it on').waitFor({ state: 'detached' });
      await page.evaluate('scrollTo(0, 0)');
    },
  },
  {
    name: 'approvals',
    title: 'Approvals',
    text: 'Requests that wait for a second person, the oldest first.',
    role: 'system_admin',
    screen: '/approvals',
  },
  {
    name: 'roles',
    title: 'Roles',
    text: 'What each role may do, from the same table that the service decides by.',
    role: 'system_admin',
    screen: '/roles',
  },
  {
    name: 'lab-phone',
    title: "The lab's phones",
    text: 'Support dials the USSD menus as a customer, and sees the SMS that both sides of a payment get. Not in production.',
    role: 'support_user',
    screen: '/lab/phone',
    prepare: sendMoneyByUssd,
  },
];
