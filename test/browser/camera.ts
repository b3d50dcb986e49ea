// A camera for Chromium that films a QR code, and a detector that reads its pictures: Chromium on Linux has none.
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import encodeQR from 'qr';
import { waitFor } from '../support/wait.ts';
import { startChromium } from './chromium.ts';

const WIDTH = 640;
const HEIGHT = 480;
const MODULE = 10;
const WHITE = 235;
const BLACK = 16;
const NO_COLOUR = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);

/** Grey values of a picture with the code in its middle. */
function luma(text: string): Buffer {
  const code = encodeQR(text, 'raw', { border: 2 });
  const left = Math.floor((WIDTH - code.length * MODULE) / 2);
  const top = Math.floor((HEIGHT - code.length * MODULE) / 2);
  const picture = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  for (const [row, modules] of code.entries()) {
    for (const [column, isDark] of modules.entries()) {
      for (let line = 0; isDark && line < MODULE; line++) {
        const start = (top + row * MODULE + line) * WIDTH + left + column * MODULE;
        picture.fill(BLACK, start, start + MODULE);
      }
    }
  }
  return picture;
}

/** Chromium plays the file again and again. */
export async function chromiumFilming(text: string, file: string): Promise<Browser> {
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma(text), NO_COLOUR]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  await writeFile(file, Buffer.concat([header, frame, frame]));
  return startChromium(process.env, [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ]);
}

const JSQR = createRequire(import.meta.url).resolve('jsqr');

/** The interface of phones' browsers, over jsQR. `streams` keeps what the page films. */
const DETECTOR = `
  globalThis.BarcodeDetector = class {
    async detect(video) {
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: video.videoWidth, height: video.videoHeight });
      const drawing = canvas.getContext('2d');
      drawing.drawImage(video, 0, 0);
      const { data, width, height } = drawing.getImageData(0, 0, canvas.width, canvas.height);
      const found = jsQR(data, width, height);
      return found ? [{ rawValue: found.data }] : [];
    }
  };
  globalThis.streams = [];
  const getUserMedia = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices);
  if (getUserMedia) navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await getUserMedia(wanted);
    streams.push(stream);
    return stream;
  };`;

/** From the next load of the page on. */
export async function addDetector(page: Page): Promise<void> {
  await page.addInitScript({ path: JSQR });
  await page.addInitScript({ content: DETECTOR });
}

const HAS_FILMED = `streams.length > 0 &&
  streams.every((stream) => stream.getTracks().every(({ readyState }) => readyState === 'ended'))`;

/** Waits until the camera was on and is off again. */
export async function hasFilmed(page: Page): Promise<void> {
  await waitFor('the camera was on and is off', () => page.evaluate<boolean>(HAS_FILMED));
}
