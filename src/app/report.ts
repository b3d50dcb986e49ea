// Logs what components report: a sentence with details, and the error if there is one.
import { loggableError } from '../http/failure.ts';
import type { Logger } from '../http/log.ts';

export function reportTo(logger: Logger): (message: string, details: Record<string, unknown>) => void {
  return (message, { error, ...details }) =>
    logger.warn({ ...details, ...(error === undefined ? {} : { err: loggableError(error) }) }, message);
}
