// Opens a PDF document of A4 pages on which PdfDrawing draws.

interface DocumentOptions {
  title: string;
  author: string;
  createdAt: number;
  /** Keeps all pages until the end, so that a footer can name their number. */
  bufferPages?: boolean;
}

export async function newPdf({ title, author, createdAt, bufferPages = false }: DocumentOptions) {
  // Loaded with the first PDF, to save memory in gateways that generate none.
  const { default: PDFDocument } = await import('pdfkit');
  const info = { Title: title, Author: author, CreationDate: new Date(createdAt) };
  // Without margins and an automatic first page, so that PDFKit inserts no page breaks.
  const page = { size: 'A4', margin: 0, autoFirstPage: false, bufferPages } as const;
  return new PDFDocument({ ...page, info, lang: 'en', displayTitle: true });
}
