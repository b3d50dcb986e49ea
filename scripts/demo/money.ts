// The demo's amounts.

/** Minor units of one leone. */
export const SLE = 100;
