// The service's address: says what to do if it is missing or cannot be one.

const EXAMPLE = 'such as https://api.example.com or http://127.0.0.1:8080, without /api/v1';
/** Paths of the service itself, which people copy from a browser. A proxy may serve the API below another path. */
const OWN_PATH = /(?:\/(?:api|v1|docs|console|health|openapi\.json))+$/;

/** Without a slash at its end. */
export function readBaseUrl(given: unknown): string {
  if (given === undefined || given === null || given === '') {
    throw new TypeError(`baseUrl is missing: new Kissi({ baseUrl, … }) needs the service's address, ${EXAMPLE}.`);
  }
  const shown = JSON.stringify(String(given));
  const url = URL.parse(String(given));
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl ${shown} is not an address: write it with http:// or https://, ${EXAMPLE}.`);
  }
  const base = url.origin + url.pathname.replace(/\/+$/, '');
  if (url.search || url.hash || OWN_PATH.test(base)) {
    throw new TypeError(`baseUrl ${shown} is not the address of the service alone: use ${base.replace(OWN_PATH, '')}.`);
  }
  return base;
}
