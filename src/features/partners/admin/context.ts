// The resource that audit entries of this feature are about.

/** What an audit entry is about. */
export function about(id: string) {
  return { resourceType: 'partner', resourceId: id };
}
