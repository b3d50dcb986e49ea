// The script of the payment page: it asks for the status, less and less often, and shows and announces a change.
import { scriptOf } from '../../http/pages/page.ts';

/**
 * It asks instead of keeping a stream open: on 2G a connection that idles is dropped without notice, proxies buffer streams,
 * and every open page would hold a connection. Asked again at once when the page is shown again or the phone is online again.
 * The new page replaces the content; the region that screen readers follow stays. Without a script, a link reloads the page.
 */
export const SCRIPT = scriptOf(`
(() => {
  const main = document.querySelector('main');
  const live = document.getElementById('live');
  const FIRST = 3000, MOST = 60000;
  let wait = FIRST, timer = 0, asking = false;
  const load = (accept) => fetch(main.dataset.url + location.search, { headers: { accept }, cache: 'no-store' });
  const plan = () => {
    clearTimeout(timer);
    if (main.dataset.status === 'open' && main.dataset.live === 'yes') timer = setTimeout(ask, wait);
    wait = Math.min(wait * 1.4, MOST);
  };
  const show = async () => {
    const next = new DOMParser().parseFromString(await (await load('text/html')).text(), 'text/html');
    const content = next.querySelector('main');
    if (!content) return;
    main.replaceChildren(...content.childNodes);
    Object.assign(main.dataset, content.dataset);
    document.title = next.title;
    live.textContent = main.dataset.says || next.title;
  };
  const ask = async () => {
    if (document.hidden || asking) return;
    asking = true;
    try {
      const reply = await load('application/json');
      if (reply.status === 429) wait = MOST;
      const found = reply.ok ? await reply.json() : null;
      if (found && found.payment_request.status !== main.dataset.status) await show();
    } catch {}
    asking = false;
    plan();
  };
  const askNow = () => {
    if (document.hidden || main.dataset.status !== 'open') return;
    wait = FIRST;
    clearTimeout(timer);
    if (main.dataset.live === 'yes') ask();
  };
  document.addEventListener('visibilitychange', askNow);
  addEventListener('online', askNow);
  addEventListener('pageshow', (event) => event.persisted && askNow());
  document.addEventListener('submit', ({ target }) => {
    const button = target.querySelector('button');
    setTimeout(() => { button.disabled = true; });
    addEventListener('pageshow', () => { button.disabled = false; }, { once: true });
  });
  plan();
})();
`);
