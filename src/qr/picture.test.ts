// Pictures of QR codes, read back by a decoder from outside (jsqr).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeInPng, codeInSvg } from '../../test/support/pictures.ts';
import { staticQr } from './payment-codes.ts';
import { qrOf, qrPng, qrSvg } from './picture.ts';

const merchant = { name: 'Lumley Beach Grill', merchantNumber: '1234566' };
const CODE = staticQr({ guid: 'sl.kissi.m', template: 26 }, merchant);

test('SVG and PNG pictures contain the text, for short and long ones', () => {
  for (const text of ['1', CODE, `${CODE} é 最佳 `.repeat(4)]) {
    assert.equal(codeInSvg(qrSvg(text, 'A title')), text);
    assert.equal(codeInPng(qrPng(text)), text);
  }
});

test('the code has a light border of four modules, and is read with a spot of 81 modules covered', () => {
  const { size, runs } = qrOf(CODE);
  assert.equal(Math.min(...runs.map(({ x }) => x)), 4);
  assert.equal(Math.max(...runs.map(({ x, width }) => x + width)), size - 4);
  const svg = qrSvg(CODE, '');
  const covered = svg.replace('</svg>', '<path d="M32 32h9v9h-9z"/></svg>');
  assert.notEqual(covered, svg);
  assert.equal(codeInSvg(covered), CODE);
});

test('the title of an SVG is text, whatever a merchant calls itself', () => {
  const svg = qrSvg(CODE, '</title><script>alert(1)</script> & "Sons"');
  assert.ok(svg.includes('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; "Sons"</title>'), svg);
  assert.doesNotMatch(svg, /<script/);
});
