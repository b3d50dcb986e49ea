// Amounts of the demo.

/** Minor units of one leone. */
export const SLE = 100;
