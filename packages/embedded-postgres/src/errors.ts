// The one error of this folder that an operator can act on, and how raw failures become it.

/** Its message is one clear sentence, fit to be shown as it is. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Turns what the file system says into a sentence; anything unknown is a defect and passes unchanged. */
export function explainFailure(error: unknown, place: string): unknown {
  if (error instanceof EmbeddedServerError) return error;
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(place, error);
  if (code === 'EROFS') return new EmbeddedServerError(`${place} is on a read-only disk.`, { cause: error });
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return new EmbeddedServerError(`${place} is not a folder.`, { cause: error });
  if (code === 'EACCES' || code === 'EPERM') {
    const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : place;
    // The names of drafts say nothing to an operator.
    const where = path.startsWith(place) ? place : path;
    const message = `This user may not use ${where}: give it the rights, or set DATA_DIR to a folder it owns.`;
    return new EmbeddedServerError(message, { cause: error });
  }
  return error;
}

export function diskFull(place: string, cause?: unknown): EmbeddedServerError {
  return new EmbeddedServerError(`The disk that holds ${place} is full: free some space and start again.`, { cause });
}

/** The programs of PostgreSQL say the same only in words. */
export function saysDiskFull(output: string): boolean {
  return /no space left on device|disk quota exceeded|wrote only \d+ of \d+ bytes/i.test(output);
}
