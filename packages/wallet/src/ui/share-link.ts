// Gives a link to another app, by the phone's own list where there is one.

/** False: the phone has no such list. */
export async function shareLink(url: string): Promise<boolean> {
  const { share } = navigator as { share?: typeof navigator.share };
  if (!share) return false;
  // It also fails if the customer closes the list.
  await share.call(navigator, { url }).catch(() => undefined);
  return true;
}

/** True: it was copied instead. */
export async function shareOrCopy(url: string): Promise<boolean> {
  if (await shareLink(url)) return false;
  return navigator.clipboard.writeText(url).then(
    () => true,
    () => false,
  );
}
