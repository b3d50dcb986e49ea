// Re-encodes an uploaded picture: what is stored has no metadata, such as the place of the photo, and nothing but a picture.
import sharp from 'sharp';
import { boundedConcurrency, Overloaded } from '../../kernel/bounded-concurrency.ts';
import { type Refusal, refuse, refuseForNow } from '../../kernel/refusal.ts';

const MAX_PIXELS = 40_000_000;
/** The text of an identity document is readable at this length of the longer edge. */
const MAX_EDGE = 2_400;
const JPEG_QUALITY = 82;
const TIMEOUT_SECONDS = 20;
const RETRY_AFTER_MS = 5_000;
/** Cameras and editors write about ten. */
const MAX_SCANS = 100;
const START_OF_SCAN = Buffer.from([0xff, 0xda]);

// libvips recognises a file by its content. An SVG, which it reads too, is drawn without a time limit.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

export const PICTURE_TYPES = ['image/jpeg', 'image/png'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** A picture of 40 megapixels takes 160 MB while it is decoded. */
const bounded = boundedConcurrency({ maxRunning: 1, maxWaiting: 16 });

/** sharp itself refuses larger pictures before it decodes them. Metadata is dropped unless it is asked for. */
export async function reencode(bytes: Buffer, type: PictureType): Promise<Buffer | Refusal> {
  if (hasManyScans(bytes)) return notAPicture(type);
  try {
    return await bounded(() => {
      const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
        .timeout({ seconds: TIMEOUT_SECONDS })
        .autoOrient()
        .resize({ width: MAX_EDGE, height: MAX_EDGE, fit: 'inside', withoutEnlargement: true });
      return (type === 'image/jpeg' ? picture.jpeg({ quality: JPEG_QUALITY }) : picture.png()).toBuffer();
    });
  } catch (error) {
    if (error instanceof Overloaded) {
      return refuseForNow('RATE_LIMITED', 'Too many pictures arrive at once: try again.', RETRY_AFTER_MS);
    }
    return notAPicture(type);
  }
}

const notAPicture = (type: PictureType) =>
  refuse('INVALID_REQUEST', `The file is not a whole ${type} of at most 40 megapixels.`);

/**
 * Each scan of a progressive JPEG goes over the whole picture, and sharp's timeout begins only after them. In a scan's data zero
 * follows each 0xff.
 */
function hasManyScans(bytes: Buffer): boolean {
  let scans = 0;
  for (let at = bytes.indexOf(START_OF_SCAN); at >= 0; at = bytes.indexOf(START_OF_SCAN, at + 1)) scans += 1;
  return scans > MAX_SCANS;
}
