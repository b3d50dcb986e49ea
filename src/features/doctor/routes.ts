// The endpoint that says what production still needs.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { textOrNull } from '../../http/fields.ts';
import { AREAS, LEVELS } from './check.ts';
import type { Doctor } from './service.ts';

const line = Type.Object(
  {
    id: Type.String({ description: 'The check, such as database_tls.' }),
    area: Type.Enum([...AREAS], { description: 'What the check is about.' }),
    name: Type.String({ description: 'For people, such as TLS to the database.' }),
    level: Type.Enum([...LEVELS], { description: 'error: not ready for production.' }),
    message: Type.String({ description: 'What was found.' }),
    action: textOrNull('What to do; null if the level is ok.'),
  },
  { title: 'ProductionCheck' },
);

const reply = Type.Object(
  {
    status: Type.Enum([...LEVELS], { description: 'The worst level of all checks.' }),
    checks: Type.Array(line, { description: 'One for each check, always in the same order.' }),
  },
  { title: 'ProductionReport' },
);

export function doctorRoutes(doctor: Doctor): Endpoint[] {
  return [
    endpoint({
      id: 'getProductionHealth',
      clientMethod: 'health.production',
      method: 'GET',
      path: '/health/production',
      permission: 'production:read',
      summary: 'What production still needs: each check with its level and what to do',
      description: 'The same as `npm run doctor`, of the gateway that answers. It never names a secret.',
      csv: false,
      replies: { 200: reply },
      handle: async () => ok(await doctor.examine()),
    }),
  ];
}
