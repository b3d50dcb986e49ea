// Draws text and lines on the pages of a PDF: the size, the colours and the fonts that all documents share.
import { fileURLToPath } from 'node:url';
import { extended, isWestern, printable } from './text.ts';

export const WIDTH = 595.28;
export const HEIGHT = 841.89;
export const LEFT = 40;
export const RIGHT = WIDTH - 40;

export const INK = '#17212b';
export const GREY = '#697684';
export const BRAND = '#0b5d4b';
export const TINT = '#eef5f2';
export const STRIPE = '#f7f9fa';
export const RULE = '#d9e0e5';

export const REGULAR = 'Helvetica';
export const BOLD = 'Helvetica-Bold';

/** For texts with letters that the standard fonts lack, such as ɔ, ɛ and ŋ. Embedded in documents that need them. */
const EXTENDED: Record<string, string> = {
  [REGULAR]: fileURLToPath(new URL('./fonts/DejaVuSans-Latin.ttf', import.meta.url)),
  [BOLD]: fileURLToPath(new URL('./fonts/DejaVuSans-Bold-Latin.ttf', import.meta.url)),
};

export interface Column {
  x: number;
  width: number;
}

export interface Style {
  size: number;
  font?: string;
  color?: string;
  /** Of a paragraph. */
  align?: 'center';
}

const LINE_GAP = 1.5;

export class PdfDrawing {
  protected readonly doc: PDFKit.PDFDocument;
  /** Paragraphs always use the embedded fonts, so that the document looks the same on every printer. */
  protected readonly embedsFonts: boolean = false;

  constructor(doc: PDFKit.PDFDocument) {
    this.doc = doc;
  }

  protected rule(y: number, color: string, weight: number): void {
    this.doc.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(weight).strokeColor(color).stroke();
  }

  protected text(text: string, { x, width }: Column, y: number, style: Style): void {
    if (text === '') return;
    this.use(style);
    this.doc.text(this.fitted(printable(text), width, style.size), x, y, { lineBreak: false });
  }

  /** Right-aligned at x. Scaled down instead of truncated, because a truncated number is wrong. */
  protected rightAligned(text: string, { x, width }: Column, y: number, style: Style): void {
    if (text === '') return;
    this.use(style);
    const fullWidth = this.doc.widthOfString(text);
    const scale = Math.min(1, width / fullWidth);
    if (scale < 1) this.doc.fontSize(style.size * scale);
    this.doc.text(text, x - fullWidth * scale, y + style.size * (1 - scale) * 0.8, { lineBreak: false });
  }

  /** A paragraph in as many lines as it needs; returns its height. Names keep every letter. */
  protected paragraph(text: string, { x, width }: Column, y: number, style: Style): number {
    const { drawn, height } = this.measured(text, width, style);
    if (drawn !== '') this.doc.text(drawn, x, y, { width, lineGap: LINE_GAP, align: style.align ?? 'left' });
    return height;
  }

  protected heightOf(text: string, width: number, style: Style): number {
    return this.measured(text, width, style).height;
  }

  private measured(text: string, width: number, style: Style): { drawn: string; height: number } {
    const exact = text.normalize('NFC');
    const [drawn, font] =
      isWestern(exact) && !this.embedsFonts
        ? [exact, style.font ?? REGULAR]
        : [extended(exact), EXTENDED[style.font ?? REGULAR] ?? REGULAR];
    this.use({ ...style, font });
    return { drawn, height: drawn === '' ? 0 : this.doc.heightOfString(drawn, { width, lineGap: LINE_GAP }) };
  }

  protected use({ size, font = REGULAR, color = INK }: Style): void {
    this.doc.font(font).fontSize(size).fillColor(color);
  }

  /** Truncated to the width of its column. */
  protected fitted(text: string, width: number, size: number): string {
    // Letters are hardly wider than the font size, so most texts need no measuring.
    if (text.length * size * 1.02 <= width || this.doc.widthOfString(text) <= width) return text;
    let [fits, long] = [0, text.length];
    while (long - fits > 1) {
      const middle = (fits + long) >> 1;
      if (this.doc.widthOfString(`${text.slice(0, middle)}…`) <= width) fits = middle;
      else long = middle;
    }
    return `${text.slice(0, fits).trimEnd()}…`;
  }
}
