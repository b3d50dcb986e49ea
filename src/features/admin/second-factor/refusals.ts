// Refusals that the operations on second factors share.
import { type Refusal, refuse } from '../../../kernel/refusal.ts';

export function notEnrolled(): Refusal {
  return refuse('SECOND_FACTOR_NOT_ENROLLED', 'There is no such second factor, or its enrolment has expired.');
}

export function alreadyEnrolled(): Refusal {
  return refuse('SECOND_FACTOR_EXISTS', 'An authenticator app is already enrolled: remove it first.');
}

export function wrongSecondFactor(triesLeft?: number): Refusal {
  const details = triesLeft === undefined ? {} : { details: { attempts_remaining: triesLeft } };
  return refuse('INVALID_SECOND_FACTOR', 'The code or the passkey is not valid.', details);
}
