// How many things wait on each screen, shown beside its name in the navigation.

/** By the path of the screen. */
export function useAttention(): Record<string, number> {
  return {};
}
