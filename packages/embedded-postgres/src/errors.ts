// The error class for failures that an operator can fix, and its mapping from file-system errors.

/** A failure that an operator can fix. Its message is one sentence that can be shown to the operator unchanged. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Converts known file-system errors to an `EmbeddedServerError`. Any other error is a defect and is returned unchanged. */
export function explainFailure(error: unknown, dataDir: string): unknown {
  if (error instanceof EmbeddedServerError) return error;
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(dataDir, error);
  if (code === 'EROFS') {
    return new EmbeddedServerError(`${dataDir} is on a read-only file system.`, { cause: error });
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return new EmbeddedServerError(`${dataDir} is not a directory.`, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : dataDir;
    // The names of temporary files inside DATA_DIR mean nothing to an operator.
    const where = path.startsWith(dataDir) ? dataDir : path;
    const message = `This user has no permission to use ${where}: grant it access, or set DATA_DIR to a directory it owns.`;
    return new EmbeddedServerError(message, { cause: error });
  }
  return error;
}

export function diskFull(path: string, cause?: unknown): EmbeddedServerError {
  return new EmbeddedServerError(`The disk that holds ${path} is full: free some space and start again.`, { cause });
}

/** PostgreSQL's programs report a full disk only as text. */
export function isDiskFullMessage(output: string): boolean {
  return /no space left on device|disk quota exceeded|wrote only \d+ of \d+ bytes/i.test(output);
}
