// Loaded after what is shared is shown, so that the first screens stay small.
import { lazyPart } from '../lazy-part.ts';

export const ShareLink = lazyPart(() => import('./share-link.tsx'));
