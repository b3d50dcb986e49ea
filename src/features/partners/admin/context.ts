// The resource fields of this feature's audit entries.

export function auditResource(id: string) {
  return { resourceType: 'partner', resourceId: id };
}
