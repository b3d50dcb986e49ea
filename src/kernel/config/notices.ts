// Settings of notices to customers: which are sent, and the provider of SMS.
import { Type } from 'typebox';
import { isWebUrl } from './checks.ts';
import { type AppEnv, checkedText, choice, integer, text } from './variable.ts';

const URL_FAULT =
  'must be a URL that begins with https:// (outside production also http://), without a user, a fragment or |.';

export const noticeVariables = {
  NOTICES: Type.Optional(
    choice(['off', 'security', 'all'], {
      defaultNote: '`all` in production once a provider is set, otherwise `security`',
      description:
        'Which notices customers get. all: of every payment, and about their security. security: about new devices, changed PINs and numbers, wrong PINs and the like. off: only codes that they asked for.',
    }),
  ),
  SMS_PROVIDER: Type.Optional(
    choice(['africastalking', 'http', 'lab'], {
      defaultNote: 'no SMS: texts go by the chat, or stay in the local outbox',
      description:
        "Who sends SMS ([guide](guides/sms-provider.md)). africastalking: Africa's Talking. http: any gateway that takes a POST, described by `SMS_BODY`. lab: nobody; the texts stay in the local outbox, where the lab shows them (not in production).",
    }),
  ),
  SMS_URL: Type.Optional(
    checkedText(isWebUrl, URL_FAULT, {
      defaultNote: "Africa's Talking's own address",
      description:
        "Address that SMS are posted to; https in production. For Africa's Talking, set it only for the sandbox.",
    }),
  ),
  SMS_USERNAME: Type.Optional(text({ description: "Username of the application at Africa's Talking." })),
  SMS_SECRET: Type.Optional(
    text({
      rejectExampleInProduction: true,
      description: "API key of Africa's Talking, or the value of `{secret}` in `SMS_HEADERS` and `SMS_BODY`.",
    }),
  ),
  SMS_SENDER: Type.Optional(
    text({
      defaultNote: "the provider's default",
      description:
        'Sender that phones show: a short code or a name that the provider has registered; `{from}` in `SMS_BODY`.',
    }),
  ),
  SMS_HEADERS: Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }), Type.String({ pattern: '^[\\x20-\\x7e]*$' }), {
      fault: 'must be a JSON object of header name → value.',
      description:
        'JSON object of the headers of `SMS_PROVIDER=http`, such as `{"Authorization":"Bearer {secret}"}`. The body is JSON unless `Content-Type` says `application/x-www-form-urlencoded`.',
    }),
  ),
  SMS_BODY: Type.Optional(
    text({
      description:
        'Body of `SMS_PROVIDER=http`, in which `{id}`, `{to}`, `{from}`, `{text}` and `{secret}` are replaced, encoded as the content type requires: `{"to":"{to}","text":"{text}","reference":"{id}"}`.',
    }),
  ),
  SMS_CONCURRENCY: integer(1, 256, {
    default: 16,
    description: 'SMS that each gateway hands to the provider at the same time.',
  }),
};

interface NoticeValues {
  APP_ENV: AppEnv;
  NOTICES?: NoticesConfig['notices'];
  SMS_PROVIDER?: 'africastalking' | 'http' | 'lab';
  SMS_URL?: string;
  SMS_USERNAME?: string;
  SMS_SECRET?: string;
  SMS_SENDER?: string;
  SMS_HEADERS?: Record<string, string>;
  SMS_BODY?: string;
  SMS_CONCURRENCY: number;
  MESSAGING_API_URL?: string;
}

export type SmsConfig =
  | { provider: 'lab' }
  | {
      provider: 'africastalking';
      url: string;
      username: string;
      apiKey: string;
      sender: string | undefined;
      concurrency: number;
    }
  | {
      provider: 'http';
      url: string;
      headers: Record<string, string>;
      body: string;
      secret: string;
      sender: string;
      concurrency: number;
    };

export interface NoticesConfig {
  notices: 'off' | 'security' | 'all';
  /** Undefined: no SMS are sent. */
  sms: SmsConfig | undefined;
}

const AFRICASTALKING_URL = 'https://api.africastalking.com/version1/messaging';

export function noticesConfig(values: NoticeValues): NoticesConfig {
  const { APP_ENV, SMS_PROVIDER, MESSAGING_API_URL, NOTICES } = values;
  const hasProvider = SMS_PROVIDER !== undefined || MESSAGING_API_URL !== undefined;
  const byDefault = APP_ENV === 'production' && hasProvider ? 'all' : 'security';
  return { notices: NOTICES ?? byDefault, sms: smsConfig(values) };
}

function smsConfig(values: NoticeValues): SmsConfig | undefined {
  const { SMS_PROVIDER: provider, SMS_CONCURRENCY: concurrency, SMS_SECRET: secret = '' } = values;
  switch (provider) {
    case 'africastalking':
      return {
        ...{ provider, concurrency, apiKey: secret, sender: values.SMS_SENDER },
        url: new URL(values.SMS_URL ?? AFRICASTALKING_URL).href,
        username: values.SMS_USERNAME ?? '',
      };
    case 'http':
      return {
        ...{ provider, concurrency, secret, sender: values.SMS_SENDER ?? '', headers: values.SMS_HEADERS ?? {} },
        url: new URL(values.SMS_URL ?? '').href,
        body: values.SMS_BODY ?? '',
      };
    case 'lab':
      return { provider };
  }
}

const NEEDED = {
  africastalking: ['SMS_USERNAME', 'SMS_SECRET'],
  http: ['SMS_URL', 'SMS_BODY'],
  lab: [],
} as const;

export function noticeFaults(values: NoticeValues): string[] {
  const { APP_ENV, SMS_PROVIDER: provider, SMS_URL: url } = values;
  if (provider === undefined) return [];
  const faults: string[] = NEEDED[provider]
    .filter((name) => values[name] === undefined)
    .map((name) => `${name} must be set when SMS_PROVIDER is ${provider}.`);
  if (APP_ENV !== 'production') return faults;
  if (provider === 'lab') faults.push('SMS_PROVIDER must not be lab when APP_ENV is production.');
  // The requests carry the API key and codes.
  if (url !== undefined && URL.parse(url)?.protocol !== 'https:') faults.push(`SMS_URL ${URL_FAULT}`);
  return faults;
}
