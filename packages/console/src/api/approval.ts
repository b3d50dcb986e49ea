// Tells whether a change waits for the approval of a second user.

export function needsApproval(reply: unknown): boolean {
  const { lastResponse, approval } = (reply ?? {}) as { lastResponse?: { status: number }; approval?: object };
  return lastResponse?.status === 202 && approval !== undefined;
}
