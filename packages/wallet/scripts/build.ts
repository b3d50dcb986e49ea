// npm run build -w packages/wallet: writes the wallet and its compressed files into packages/wallet/dist.
import { webBuild } from '../../../scripts/web/build.ts';

export const { dist: DIST, ensureBuilt } = webBuild('wallet');

if (import.meta.main) await ensureBuilt();
