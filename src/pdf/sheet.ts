// Lays out a document's pages: header, sections, tables, and a footer with page numbers.
import {
  BOLD,
  BRAND,
  type Column,
  GREY,
  HEIGHT,
  LEFT,
  PdfDrawing,
  RIGHT,
  RULE,
  type Style,
  TINT,
  WIDTH,
} from './drawing.ts';

const BOTTOM = HEIGHT - 52;
export const INNER = RIGHT - LEFT;
const LABEL = 118;

export interface SheetTitle {
  operator: string;
  /** The kind of document, at the top of every page. */
  kind: string;
  documentId: string;
  /** When and by whom the document was generated. */
  generated: string;
}

export interface TableColumn {
  label: string;
  width: number;
  align?: 'right';
}

export class Sheet extends PdfDrawing {
  private readonly title: SheetTitle;
  protected y = 0;

  constructor(doc: PDFKit.PDFDocument, title: SheetTitle) {
    super(doc);
    this.title = title;
    this.firstPage();
  }

  /** Two boxes side by side, as high as the longer one needs. */
  boxes(boxes: readonly { label: string; lines: readonly string[] }[]): void {
    const gap = 12;
    const width = (INNER - gap * (boxes.length - 1)) / boxes.length;
    const column = (index: number): Column => ({ x: LEFT + index * (width + gap) + 12, width: width - 24 });
    const styleOf = (line: number): Style => (line === 0 ? { size: 12, font: BOLD } : { size: 8.5, color: GREY });
    const heights = boxes.map(({ lines }) =>
      lines.reduce((sum, text, line) => sum + this.heightOf(text, width - 24, styleOf(line)) + 2, 0),
    );
    const height = 27 + Math.max(...heights);
    this.reserve(height);
    for (const [index, { label, lines }] of boxes.entries()) {
      this.doc.roundedRect(LEFT + index * (width + gap), this.y, width, height, 5).fill(TINT);
      this.text(label, column(index), this.y + 11, { size: 7.5, color: BRAND, font: BOLD });
      let y = this.y + 24;
      for (const [line, text] of lines.entries()) y += this.paragraph(text, column(index), y, styleOf(line)) + 2;
    }
    this.y += height + 8;
  }

  /** The amount in figures and in words. */
  amount(figures: string, words: string, status: string): void {
    this.text(figures, { x: LEFT, width: 330 }, this.y, { size: 24, font: BOLD, color: BRAND });
    this.rightAligned(status, { x: RIGHT, width: 180 }, this.y + 9, { size: 11, font: BOLD });
    this.y += 31;
    this.y += this.paragraph(words, { x: LEFT, width: INNER }, this.y, { size: 9.5, color: GREY }) + 12;
  }

  heading(text: string): void {
    this.reserve(60);
    this.y += 4;
    this.text(text, { x: LEFT, width: INNER }, this.y, { size: 10, font: BOLD, color: BRAND });
    this.y += 15;
    this.rule(this.y, BRAND, 0.8);
    this.y += 5;
  }

  fact(label: string, value: string): void {
    const style = { size: 9 };
    const height = this.heightOf(value, INNER - LABEL, style);
    this.reserve(height + 6);
    this.text(label, { x: LEFT, width: LABEL - 8 }, this.y + 1.5, { size: 8, color: GREY });
    this.paragraph(value, { x: LEFT + LABEL, width: INNER - LABEL }, this.y, style);
    this.y += height + 4;
  }

  /**
   * Cells in as many lines as they need, so that ids and names are never cut off. The labels are repeated on every page.
   * `total`: a last row in bold.
   */
  table(columns: readonly TableColumn[], rows: readonly (readonly string[])[], total?: readonly string[]): void {
    const labels = columns.map(({ label }) => label);
    const header = () => this.row(columns, labels, { size: 7.5, color: GREY, font: BOLD });
    header();
    for (const cells of rows) this.row(columns, cells, { size: 8.5 }, header);
    if (total) this.row(columns, total, { size: 8.5, font: BOLD }, header);
    this.y += 8;
  }

  note(text: string): void {
    const style = { size: 8 };
    const height = this.heightOf(text, INNER, style);
    this.reserve(height + 5);
    this.paragraph(text, { x: LEFT, width: INNER }, this.y, style);
    this.y += height + 5;
  }

  gap(): void {
    this.y += 8;
  }

  /** Numbers the pages once their count is known. */
  end(): void {
    const { start, count } = this.doc.bufferedPageRange();
    const small = { size: 7, color: GREY };
    for (let page = start; page < start + count; page++) {
      this.doc.switchToPage(page);
      this.rule(HEIGHT - 46, RULE, 0.5);
      const { operator, documentId } = this.title;
      this.text(`${operator}  ·  Document ${documentId}`, { x: LEFT, width: 400 }, HEIGHT - 38, small);
      this.rightAligned(`Page ${page - start + 1} of ${count}`, { x: RIGHT, width: 100 }, HEIGHT - 38, small);
    }
  }

  private row(
    columns: readonly TableColumn[],
    cells: readonly string[],
    style: Style,
    onNewPage: () => void = () => undefined,
  ): void {
    const heights = columns.map(({ width, align }, index) =>
      align === 'right' ? style.size : this.heightOf(cells[index] ?? '', width - 8, style),
    );
    const height = Math.max(...heights) + 7;
    if (this.reserve(height)) onNewPage();
    let x = LEFT;
    for (const [index, { width, align }] of columns.entries()) {
      const cell = cells[index] ?? '';
      if (align === 'right') this.rightAligned(cell, { x: x + width - 2, width: width - 6 }, this.y + 3, style);
      else this.paragraph(cell, { x, width: width - 8 }, this.y + 3, style);
      x += width;
    }
    this.y += height;
    this.rule(this.y, RULE, 0.5);
  }

  /** Starts a new page unless the height fits on this one. Returns whether it did. */
  protected reserve(height: number): boolean {
    if (this.y + height <= BOTTOM) return false;
    this.doc.addPage();
    this.text(this.title.operator, { x: LEFT, width: 250 }, 36, { size: 11, font: BOLD, color: BRAND });
    this.rightAligned(this.title.kind, { x: RIGHT, width: 250 }, 38, { size: 8, color: GREY });
    this.y = 66;
    return true;
  }

  private firstPage(): void {
    this.doc.addPage();
    this.doc.rect(0, 0, WIDTH, 66).fill(BRAND);
    const white = '#ffffff';
    const column = { x: LEFT, width: 330 };
    const style = { font: BOLD, color: white };
    // A long legal name is set smaller, so that it stays inside the band.
    const size =
      [18, 13, 10, 8].find((each) => this.heightOf(this.title.operator, 330, { ...style, size: each }) <= 40) ?? 6;
    const height = this.heightOf(this.title.operator, 330, { ...style, size });
    this.paragraph(this.title.operator, column, Math.min(22, 34 - height / 2), { ...style, size });
    this.rightAligned(this.title.kind, { x: RIGHT, width: 180 }, 27, { size: 14, color: white });
    const { documentId, generated } = this.title;
    const small = { size: 7.5, color: GREY };
    this.text(`Document ${documentId}`, { x: LEFT, width: 200 }, 76, small);
    this.rightAligned(generated, { x: RIGHT, width: 320 }, 76, small);
    this.y = 100;
  }
}
