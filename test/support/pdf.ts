// Reads a page of a PDF file with embedded fonts: its text, and the rectangles it draws.
import { inflateSync } from 'node:zlib';
import type { Rectangle } from './pictures.ts';

export interface PdfPage {
  pages: number;
  /** Every line, separated by spaces. */
  text: string;
  rectangles: Rectangle[];
}

export function readPdf(file: Buffer): PdfPage {
  const source = file.toString('latin1');
  const objects = new Map(
    [...source.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)].map(([, id, body]) => [id, body ?? '']),
  );
  const stream = (id: string | undefined) => {
    const [, deflated = ''] = /stream\n([\s\S]*)\nendstream/.exec(objects.get(id) ?? '') ?? [];
    return inflateSync(Buffer.from(deflated, 'latin1')).toString('latin1');
  };
  const fonts = new Map(
    [...source.matchAll(/^\/(F\d+) (\d+) 0 R$/gm)].map(([, name = '', id]) => {
      const letters = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1];
      return [name, lettersOf(stream(letters))] as const;
    }),
  );
  const content = stream(/\/Contents (\d+) 0 R/.exec(source)?.[1]);
  return {
    pages: source.match(/\/Type \/Page\n/g)?.length ?? 0,
    text: textOf(content, fonts),
    rectangles: rectanglesOf(content),
  };
}

/** The letters of a font by glyph. */
function lettersOf(map: string): string[] {
  const [, range = ''] = /beginbfrange\n[\s\S]*?\[([\s\S]*?)\]/.exec(map) ?? [];
  return [...range.matchAll(/<([0-9a-f ]*)>/g)].map(([, hex = '']) =>
    Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
  );
}

function textOf(content: string, fonts: Map<string, string[]>): string {
  let letters: string[] = [];
  let text = '';
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
    if (font) letters = fonts.get(font) ?? [];
    const glyphs = [...(shown ?? '').matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
    if (shown !== undefined) text += `${glyphs.map((glyph) => letters[Number.parseInt(glyph, 16)] ?? '').join('')} `;
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

function rectanglesOf(content: string): Rectangle[] {
  return [...content.matchAll(/^(\S+) (\S+) (\S+) (\S+) re$/gm)].map((found) => {
    const [x = 0, y = 0, width = 0, height = 0] = found.slice(1).map(Number);
    return { x, y, width, height };
  });
}
