// When a float counts as running dry.

/** A float that is used up within a day has to be funded today. */
export const DRY_WITHIN_HOURS = 24;
