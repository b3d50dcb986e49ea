// Settings for the support of integrators: the request log.
import { integer } from './variable.ts';

export const integrationVariables = {
  REQUEST_LOG_PER_SECOND: integer(0, 1_000, {
    default: 5,
    description:
      'Requests of one API key that each gateway keeps per second for `GET /admin/api-keys/{id}/requests`, and as many refused ones, for 24 hours. The others are counted. 0: none are kept.',
  }),
};
