// The parts of the certificate that other documents do not have: the title, the panel with the cover, and lines to sign.
import { BOLD, BRAND, GREY, INK, LEFT, RIGHT, RULE, TINT } from '../../../pdf/drawing.ts';
import { INNER, Sheet } from '../../../pdf/sheet.ts';

const WHITE = '#ffffff';
const ALARM = '#a61b1b';
const PALE_ALARM = '#fbeaea';
const NEUTRAL = '#5b6673';

export interface CoverPanel {
  /** The ratio, or a dash. */
  ratio: string;
  verdict: string;
  state: 'covered' | 'short' | 'unknown';
  figures: readonly { label: string; value: string }[];
}

const COLOURS = {
  covered: { strong: BRAND, pale: TINT },
  short: { strong: ALARM, pale: PALE_ALARM },
  unknown: { strong: NEUTRAL, pale: '#f1f3f5' },
} as const;

export class CertificateSheet extends Sheet {
  heading1(text: string, below: string): void {
    this.y += this.paragraph(text, { x: LEFT, width: INNER }, this.y, { size: 20, font: BOLD, color: INK }) + 3;
    this.y += this.paragraph(below, { x: LEFT, width: INNER }, this.y, { size: 9, color: GREY }) + 10;
  }

  /** Starts a new page unless the next part fits on this one. */
  keepTogether(height: number): void {
    this.reserve(height);
  }

  /** A framed remark, such as that the document is a correction. */
  remark(title: string, text: string): void {
    const column = { x: LEFT + 12, width: INNER - 24 };
    const height = this.heightOf(text, column.width, { size: 8.5 }) + 30;
    this.reserve(height + 8);
    this.doc.roundedRect(LEFT, this.y, INNER, height, 5).lineWidth(1).fillAndStroke('#fff8e6', '#d9a406');
    this.text(title, column, this.y + 9, { size: 8, font: BOLD, color: '#7a5b00' });
    this.paragraph(text, column, this.y + 21, { size: 8.5 });
    this.y += height + 10;
  }

  /** The ratio in large digits. Less than full cover is red: it must not be overlooked. */
  cover({ ratio, verdict, state, figures }: CoverPanel): void {
    const { strong, pale } = COLOURS[state];
    const [height, left] = [92, 170];
    this.reserve(height + 10);
    this.doc.roundedRect(LEFT, this.y, INNER, height, 6).fill(pale);
    this.doc.roundedRect(LEFT, this.y, left, height, 6).fill(strong);
    const label = { size: 7.5, font: BOLD, color: WHITE };
    this.text('COVER RATIO', { x: LEFT + 14, width: left - 28 }, this.y + 12, label);
    const digits = { size: 30, font: BOLD, color: WHITE };
    this.rightAligned(ratio, { x: LEFT + left - 14, width: left - 28 }, this.y + 27, digits);
    this.paragraph(verdict, { x: LEFT + 14, width: left - 28 }, this.y + 66, { size: 8.5, font: BOLD, color: WHITE });
    const x = LEFT + left + 16;
    for (const [index, figure] of figures.entries()) {
      const y = this.y + 13 + index * 24;
      const isLast = index === figures.length - 1;
      this.text(figure.label, { x, width: 150 }, y + 2, { size: 8.5, color: GREY });
      const style = { size: 13, font: BOLD, color: isLast ? strong : INK };
      this.rightAligned(figure.value, { x: RIGHT - 14, width: INNER - left - 190 }, y - 2, style);
    }
    this.y += height + 12;
  }

  /** Lines for the names and signatures of people, side by side. */
  signatures(titles: readonly string[]): void {
    this.reserve(74);
    this.y += 34;
    const [gap, width] = [28, (INNER - 28 * (titles.length - 1)) / titles.length];
    for (const [index, title] of titles.entries()) {
      const x = LEFT + index * (width + gap);
      this.doc
        .moveTo(x, this.y)
        .lineTo(x + width, this.y)
        .lineWidth(0.7)
        .strokeColor(RULE)
        .stroke();
      this.text(title, { x, width }, this.y + 5, { size: 7.5, color: GREY });
      this.text('Name, signature, date', { x, width }, this.y + 15, { size: 7, color: GREY });
    }
    this.y += 34;
  }
}
