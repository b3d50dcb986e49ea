// The operator's name, as on its payment pages.
import { OPERATOR } from '../operator.ts';

export function Brand() {
  return (
    <p class="brand">
      <img src="/icon.svg" alt="" width="28" height="28" /> {OPERATOR}
    </p>
  );
}
