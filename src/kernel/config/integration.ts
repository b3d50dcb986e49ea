// Settings for integrators and their support: the request log and the lab.
import { type AppEnv, choice, integer } from './variable.ts';

export const integrationVariables = {
  LAB: choice(['on', 'off'], {
    default: 'off',
    description:
      'on: certain amounts and phone numbers make the service cut connections, delay replies, repeat webhooks and so on (docs/guides/lab.md lists them), and partners can be certified. Refused in production.',
  }),
  REQUEST_LOG_PER_SECOND: integer(0, 1_000, {
    default: 5,
    description:
      "How many of an API key's requests each gateway keeps per second for `GET /admin/api-keys/{id}/requests`, and the same number of refused ones, for 24 hours. The others are only counted. 0: none are kept.",
  }),
};

export function labFaults({ APP_ENV, LAB }: { APP_ENV: AppEnv; LAB: 'on' | 'off' }): string[] {
  return LAB === 'on' && APP_ENV === 'production' ? ['LAB must be off when APP_ENV is production.'] : [];
}
