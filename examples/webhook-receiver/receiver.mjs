// Example webhook receiver: verifies the signature on the raw body, processes each event once and acknowledges it.
// Requires Node 18 or newer, no dependencies. See README.md.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

// Before a rotation with activate_at, list both secrets separated by a comma.
const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(',').filter((secret) => secret !== '');
const port = Number(process.env.PORT ?? 9000);
const seenFile = process.env.SEEN_FILE ?? './seen-events.txt';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_AGE_MS = 5 * 60 * 1000;

if (secrets.length === 0) {
  process.stderr.write('Set WEBHOOK_SECRETS to the webhook_secret of the partner.\n');
  process.exit(1);
}

// In production, use a table with a unique event id, and insert into it in the transaction that processes the event.
const seen = new Set(readSeen());
const journal = openSync(seenFile, 'a');

const server = createServer(async (request, response) => {
  const reply = (status, text) => response.writeHead(status).end(`${text}\n`);
  try {
    if (request.method !== 'POST') return reply(405, 'POST only');
    const raw = await rawBody(request);
    if (raw === null) return reply(413, 'too large');
    const error = signatureError(request.headers, raw);
    if (error) return reply(401, error);
    const id = request.headers['x-hook-event-id'];
    // Without the id, a repeated event cannot be recognized.
    if (!id) return reply(400, 'X-Hook-Event-Id is missing');
    processOnce(id, JSON.parse(raw.toString('utf8')));
    reply(200, 'ok');
  } catch (error) {
    // Kissi retries every delivery that is not answered with 2xx.
    process.stderr.write(`${error}\n`);
    reply(500, 'try again');
  }
});
server.listen(port, '127.0.0.1', () => process.stdout.write(`listening on ${server.address().port}\n`));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(closeSync(journal)));

/** The signature covers the exact bytes, not the parsed JSON. Returns null if the body is too large. */
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

/** Returns null if the timestamp and the signature are valid. Call this before parsing the body. */
function signatureError(headers, raw) {
  const timestamp = headers['x-hook-timestamp'] ?? '';
  if (!(Math.abs(Date.now() - Date.parse(timestamp)) < MAX_AGE_MS)) return 'missing or expired timestamp';
  // For 24 hours after a rotation, X-Hook-Signature-Previous is made with the old secret.
  const given = [headers['x-hook-signature'] ?? '', headers['x-hook-signature-previous'] ?? ''];
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest());
  const matches = expected.some((digest) => given.some((hex) => equalsInConstantTime(digest, hex)));
  return matches ? null : 'invalid signature';
}

function equalsInConstantTime(digest, hex) {
  return /^[0-9a-f]{64}$/i.test(hex) && timingSafeEqual(digest, Buffer.from(hex, 'hex'));
}

/** Skips an event that was processed before. The id is on disk before the event is acknowledged. */
function processOnce(id, event) {
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
