// The resource fields of this feature's audit entries.

export function about(id: string) {
  return { resourceType: 'partner', resourceId: id };
}
