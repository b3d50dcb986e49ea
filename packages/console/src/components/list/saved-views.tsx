// Filters that the user saved under a name.

export function SavedViews() {
  return null;
}
