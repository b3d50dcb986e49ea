// Settings of the USSD menus: the gateway's secret and addresses, and how long a page may be.
import { isAddressBlock } from './checks.ts';
import { type AppEnv, checkedText, exampleFault, integer } from './variable.ts';

const SECRET = /^[A-Za-z0-9_-]{32,200}$/;
const SUPPORT = /^[+*#\d ]{0,20}$/;

export const ussdVariables = {
  USSD_SECRET: checkedText(
    (value) => value === '' || (listOf(value).length <= 2 && listOf(value).every((each) => SECRET.test(each))),
    'must be one or two secrets, separated by a comma, of 32 to 200 letters, digits, hyphens and underscores.',
    {
      default: '',
      description:
        "Secret at the end of the address that the USSD gateway calls ([guide](guides/ussd-gateway.md)). Two, separated by a comma, while it is being changed. Required in production with `USSD_SERVICE_CODE`. Empty: the menus' routes answer 404.",
    },
  ),
  USSD_ALLOWED: checkedText(
    (value) => listOf(value).every(isAddressBlock),
    'must be addresses and CIDR blocks, separated by commas.',
    {
      default: '',
      description:
        'Addresses and CIDR blocks from which the USSD gateway calls, separated by commas. Required in production with `USSD_SECRET`. Empty: any address.',
    },
  ),
  USSD_PAGE_LIMIT: integer(160, 182, {
    default: 182,
    description:
      'Characters of the GSM 7-bit alphabet that the gateway shows on one page, with `CON ` or `END ` before it.',
  }),
  SUPPORT_NUMBER: checkedText((value) => SUPPORT.test(value), 'must be a number to dial.', {
    default: '',
    description:
      'Number of customer support, shown by the USSD menus and the web wallet. Empty: the menus offer no report of a problem.',
  }),
};

export interface UssdConfig {
  /** The first is the current one. None: there is no gateway. */
  secrets: readonly string[];
  /** Empty: any address. */
  allowed: readonly string[];
  pageLimit: number;
  /** Empty: there is none. */
  supportNumber: string;
}

interface UssdValues {
  APP_ENV: AppEnv;
  USSD_SERVICE_CODE: string;
  USSD_SECRET: string;
  USSD_ALLOWED: string;
  USSD_PAGE_LIMIT: number;
  SUPPORT_NUMBER: string;
}

export function ussdConfig(values: UssdValues): UssdConfig {
  return {
    secrets: listOf(values.USSD_SECRET),
    allowed: listOf(values.USSD_ALLOWED),
    pageLimit: values.USSD_PAGE_LIMIT,
    supportNumber: values.SUPPORT_NUMBER,
  };
}

export function ussdFaults({ APP_ENV, USSD_SERVICE_CODE, USSD_SECRET, USSD_ALLOWED }: UssdValues): string[] {
  if (APP_ENV !== 'production') return [];
  const weak = listOf(USSD_SECRET).flatMap((each) => exampleFault(each) ?? []);
  return [
    ...(USSD_SERVICE_CODE !== '' && USSD_SECRET === ''
      ? ['USSD_SECRET must be set in production when USSD_SERVICE_CODE is.']
      : []),
    ...(USSD_SECRET !== '' && USSD_ALLOWED === ''
      ? ['USSD_ALLOWED must be set in production when USSD_SECRET is.']
      : []),
    ...weak.slice(0, 1).map((fault) => `USSD_SECRET ${fault}`),
  ];
}

function listOf(value: string): string[] {
  return value.split(',').flatMap((each) => each.trim() || []);
}
