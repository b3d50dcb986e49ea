// Progress bars of uploads and exports, on a terminal only.
import { PassThrough, type Transform } from 'node:stream';
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** Counts the bytes that pass. */
  through: Transform;
  bytes(): number;
  end(): void;
}

/** `totalBytes`: null if the size is not known; then only the bytes so far are shown. */
export function counted(totalBytes: number | null): Progress {
  const bar = process.stderr.isTTY ? createBar(totalBytes) : null;
  let bytes = 0;
  const through = new PassThrough();
  through.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    bar?.update(bytes);
  });
  const end = () => bar?.stop();
  through.once('close', end);
  bar?.start(totalBytes ?? 0, 0);
  return { through, bytes: () => bytes, end };
}

function createBar(totalBytes: number | null): SingleBar {
  const format =
    totalBytes === null
      ? '{value} received, {duration_formatted}'
      : '{bar} {percentage} % of {total}, {eta_formatted} left';
  const formatValue = (value: number, _options: unknown, type: string) =>
    type === 'value' || type === 'total' ? readableBytes(value) : String(value);
  return new SingleBar(
    { format, formatValue, stream: process.stderr, hideCursor: true, clearOnComplete: true },
    Presets.rect,
  );
}

/** 1536 becomes 1.5 kB. */
export function readableBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, bytes < 1024 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${units[step]}`;
}
