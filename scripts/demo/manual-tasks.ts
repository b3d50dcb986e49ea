// Periodic tasks that do not run by themselves in the demo.

/** Finance closes the days, so that there is one left to close. */
export const MANUAL_TASKS = ['close days'];
