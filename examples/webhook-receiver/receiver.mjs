// Receives Kissi's webhooks: checks the signature on the raw body, takes each event once, and acknowledges it.
// Needs Node 18 or newer and nothing else. See README.md beside this file.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

// During a rotation both secrets are good: the new one first, then the old one, separated by a comma.
const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(',').filter((secret) => secret !== '');
const port = Number(process.env.PORT ?? 9000);
const seenFile = process.env.SEEN_FILE ?? './seen-events.txt';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_AGE_MS = 5 * 60 * 1000;

if (secrets.length === 0) {
  process.stderr.write('Set WEBHOOK_SECRETS to the webhook_secret you were given.\n');
  process.exit(1);
}

// A database table with a unique event id does the same for a real system, in the transaction of what the event causes.
const seen = new Set(readSeen());
const journal = openSync(seenFile, 'a');

const server = createServer(async (request, response) => {
  const reply = (status, text) => response.writeHead(status).end(`${text}\n`);
  try {
    if (request.method !== 'POST') return reply(405, 'POST only');
    const raw = await rawBody(request);
    if (raw === null) return reply(413, 'too large');
    const fault = faultOf(request.headers, raw);
    if (fault) return reply(401, fault);
    const id = request.headers['x-hook-event-id'];
    // Without it one event could not be told from another.
    if (!id) return reply(400, 'X-Hook-Event-Id is missing');
    take(id, JSON.parse(raw.toString('utf8')));
    reply(200, 'ok');
  } catch (error) {
    // Anything but 2xx is delivered again later.
    process.stderr.write(`${error}\n`);
    reply(500, 'try again');
  }
});
server.listen(port, '127.0.0.1', () => process.stdout.write(`listening on ${server.address().port}\n`));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(closeSync(journal)));

/** The bytes as they were sent: a body that was parsed and written again is no longer what was signed. */
async function rawBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What is wrong with the signature or its time; null when it is ours. Nothing of the body has been looked at before. */
function faultOf(headers, raw) {
  const timestamp = headers['x-hook-timestamp'] ?? '';
  if (!(Math.abs(Date.now() - Date.parse(timestamp)) < MAX_AGE_MS)) return 'the timestamp is missing or too old';
  // While the sender rotates its secret, it signs with the old one and lists the signatures of both.
  const given = `${headers['x-hook-signature'] ?? ''},${headers['x-hook-signatures'] ?? ''}`.split(',');
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest());
  const matches = expected.some((mine) => given.some((theirs) => isSame(mine, theirs)));
  return matches ? null : 'the signature is wrong';
}

/** In constant time. */
function isSame(mine, theirs) {
  return /^[0-9a-f]{64}$/i.test(theirs) && timingSafeEqual(mine, Buffer.from(theirs, 'hex'));
}

/** Once, however often it is delivered; on disk before it is acknowledged. */
function take(id, event) {
  if (seen.has(id)) return;
  process.stdout.write(`${event.event} ${event.reference} ${event.amount} ${event.currency} (${id})\n`);
  writeSync(journal, `${id}\n`);
  fsyncSync(journal);
  seen.add(id);
}

function readSeen() {
  try {
    return readFileSync(seenFile, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
