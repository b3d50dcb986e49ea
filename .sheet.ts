import { readdirSync, readFileSync } from 'node:fs';
import { startChromium } from './test/browser/chromium.ts';
const [prefix = '', per = '7', w = '280', out = '/tmp/sheet'] = process.argv.slice(2);
const files = readdirSync('/tmp/shots').filter((f) => f.startsWith(prefix)).sort();
const browser = await startChromium();
for (let at = 0, n = 1; at < files.length; at += Number(per), n++) {
  const page = await browser.newPage({ viewport: { width: Number(per) * (Number(w) + 8), height: 100 } });
  const imgs = files.slice(at, at + Number(per)).map((f) => `<figure style="margin:2px;display:inline-block"><img width=${w} style="border:1px solid red" src="data:image/png;base64,${readFileSync(`/tmp/shots/${f}`).toString('base64')}"></figure>`);
  await page.setContent(`<body style="margin:0;white-space:nowrap">${imgs.join('')}`);
  await page.screenshot({ path: `${out}-${prefix}-${n}.png`, fullPage: true });
  await page.close();
}
await browser.close();
