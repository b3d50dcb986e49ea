// A value that is offered to a user, such as the bank account of the last pay-out.
import { useState } from 'react';

/** The first value that is known. Later ones do not replace it, because the user may be reading it. */
export function useFirst<T>(value: T | undefined): T | undefined {
  const [first, setFirst] = useState(value);
  if (first === undefined && value !== undefined) setFirst(value);
  return first;
}
