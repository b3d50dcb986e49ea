// Hashes and compresses the bytes of a file while they arrive.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createGzip } from 'node:zlib';

export interface ArchivedFile {
  sha256: Buffer;
  gzip: Buffer;
}

export class FileArchive {
  private readonly hash = createHash('sha256');
  /** Compresses in Node's thread pool. */
  private readonly compressor = createGzip();
  private readonly parts: Buffer[] = [];

  constructor() {
    this.compressor.on('data', (part: Buffer) => this.parts.push(part));
  }

  async push(chunk: Buffer): Promise<void> {
    this.hash.update(chunk);
    if (!this.compressor.write(chunk)) await once(this.compressor, 'drain');
  }

  async end(): Promise<ArchivedFile> {
    const ended = once(this.compressor, 'end');
    this.compressor.end();
    await ended;
    return { sha256: this.hash.digest(), gzip: Buffer.concat(this.parts) };
  }

  /** For a file that is refused. */
  discard(): void {
    this.compressor.destroy();
  }
}
