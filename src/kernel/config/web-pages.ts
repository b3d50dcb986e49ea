// Which pages the gateway serves to browsers.
import { choice } from './variable.ts';

export const pageVariables = {
  DOCS: choice(['on', 'off'], {
    default: 'on',
    description: 'off: `/docs` and `/openapi.json` answer 404.',
  }),
  CONSOLE: choice(['on', 'off'], {
    default: 'on',
    description: 'off: the web console at `/console` and its login answer 404.',
  }),
  WALLET: choice(['on', 'off'], {
    default: 'on',
    description: "off: the customers' web wallet at `/wallet` answers 404.",
  }),
};
