// npm run build -w packages/console: writes the console and its compressed files into packages/console/dist.
import { webBuild } from '../../../scripts/web/build.ts';

export const { dist: DIST, ensureBuilt } = webBuild('console');

if (import.meta.main) await ensureBuilt();
