// A merchant's poster for the counter: one A4 page with the QR code, the merchant number and how to pay, in English and Krio.
import { groupedMerchantNumber } from '../../kernel/merchant-number.ts';
import { newPdf } from '../../pdf/document.ts';
import { BOLD, BRAND, GREY, HEIGHT, INK, PdfDrawing, REGULAR, type Style, TINT, WIDTH } from '../../pdf/drawing.ts';
import { qrOf } from '../../qr/picture.ts';

export interface PosterContent {
  operator: string;
  /** The merchant's name and number. */
  name: string;
  number: string;
  /** The text of the QR code. */
  qr: string;
  createdAt: number;
}

const STEPS = [
  ['Scan the code or type the number.', 'Skan di kod ɔ rayt di nɔmba.'],
  ['Check the name and enter the amount.', 'Chɛk di nem ɛn put di mɔni we yu de pe.'],
  ['Confirm with your PIN on your own phone.', 'Put yu PIN na yu yon fon.'],
] as const;

const [WHITE, MARGIN, BAND] = ['#ffffff', 44, 132];
const INNER = WIDTH - 2 * MARGIN;
const FOOTER = 52;

export async function posterPdf(content: PosterContent): Promise<Buffer> {
  const { operator, name, createdAt } = content;
  const doc = await newPdf({ title: `Pay ${name} with ${operator}`, author: operator, createdAt });
  doc.addPage();
  new Poster(doc).draw(content);
  doc.end();
  const chunks: Buffer[] = [];
  for await (const chunk of doc) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

class Poster extends PdfDrawing {
  protected override readonly embedsFonts = true;

  draw({ operator, name, number, qr }: PosterContent): void {
    this.band(operator);
    this.centred(name, { top: BAND + 12, height: 74 }, { sizes: [36, 32, 28, 24, 20, 17, 14], font: BOLD });
    this.code(qr, { top: 228, side: 306 });
    this.number(number, 556);
    for (const [index, texts] of STEPS.entries()) this.step(index, texts, 668);
    this.footer();
  }

  private band(operator: string): void {
    this.doc.rect(0, 0, WIDTH, BAND).fill(BRAND);
    const sizes = [44, 36, 30, 25, 21, 18];
    this.centred(`Pay here with ${operator}`, { top: 18, height: 62 }, { sizes, font: BOLD, color: WHITE });
    this.centred(`Pe ya wit ${operator}`, { top: 80, height: 38 }, { sizes: [24, 20, 17, 14, 11], color: '#cfe5dd' });
  }

  /** The text in the middle of the box, in the largest size in which it fits. */
  private centred(
    text: string,
    { top, height }: { top: number; height: number },
    { sizes, ...style }: Omit<Style, 'size'> & { sizes: readonly number[] },
  ): void {
    const fits = (size: number) =>
      this.heightOf(text, INNER, { ...style, size }) <= height && this.longestWord(text) <= INNER;
    const size = sizes.find(fits) ?? Math.min(...sizes);
    const used = this.heightOf(text, INNER, { ...style, size });
    this.paragraph(text, { x: MARGIN, width: INNER }, top + (height - used) / 2, { ...style, size, align: 'center' });
  }

  /** In the current font: a word that is wider than the page would be broken. */
  private longestWord(text: string): number {
    return Math.max(...text.split(' ').map((word) => this.doc.widthOfString(word)));
  }

  private code(text: string, { top, side }: { top: number; side: number }): void {
    const { size, runs } = qrOf(text);
    const module = side / size;
    const left = (WIDTH - side) / 2;
    this.doc
      .roundedRect(left - 5, top - 5, side + 10, side + 10, 16)
      .lineWidth(5)
      .fillAndStroke(WHITE, BRAND);
    for (const { x, y, width } of runs) {
      this.doc.rect(left + x * module, top + y * module, width * module, module);
    }
    this.doc.fill('#000000');
  }

  private number(number: string, top: number): void {
    const label = 'Merchant number  ·  Shɔp nɔmba';
    this.centred(label, { top, height: 20 }, { sizes: [13], color: GREY });
    this.centred(groupedMerchantNumber(number), { top: top + 18, height: 80 }, { sizes: [60], font: BOLD, color: INK });
  }

  private step(index: number, [english, krio]: readonly [string, string], top: number): void {
    const gap = 14;
    const width = (INNER - 2 * gap) / 3;
    const x = MARGIN + index * (width + gap);
    this.doc.roundedRect(x, top, width, 108, 10).fill(TINT);
    this.doc.circle(x + 27, top + 26, 13).fill(BRAND);
    const digit = { size: 16, font: BOLD, color: WHITE, align: 'center' } as const;
    this.paragraph(String(index + 1), { x: x + 13, width: 28 }, top + 17, digit);
    const column = { x: x + 14, width: width - 18 };
    const height = this.paragraph(english, column, top + 46, { size: 10.5, font: BOLD });
    this.paragraph(krio, column, top + 50 + height, { size: 9, font: REGULAR, color: GREY });
  }

  private footer(): void {
    const warning = 'Never tell anybody your PIN.  ·  Nɔ tɛl ɛnibɔdi yu PIN.';
    this.centred(warning, { top: HEIGHT - FOOTER, height: 40 }, { sizes: [11], color: INK });
  }
}
