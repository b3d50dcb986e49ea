// Tells whether a change waits for the approval of a second user.

export function needsApproval(reply: unknown): boolean {
  const { lastResponse } = (reply ?? {}) as { lastResponse?: { status: number } };
  return lastResponse?.status === 202;
}
