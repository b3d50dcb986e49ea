// The header of a dialog, which would otherwise be a second banner of the page.
export const NO_BANNER = { role: 'none' };
