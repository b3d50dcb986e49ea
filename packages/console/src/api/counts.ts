// How many things wait for staff: one read for the navigation and the overview, so that they show the same numbers.
import { takeChange, useRead } from './queries.ts';
import { kissi } from './session.ts';

/** While the page is visible. The service counts from indexes, and only what the role may read. */
const EVERY_MS = 30_000;

export const useCounts = (enabled = true) =>
  useRead(['counts'], (options) => kissi.reports.counts(takeChange('counts'), options), {
    enabled,
    everyMs: EVERY_MS,
  });
