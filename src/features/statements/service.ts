// Account statements, the public part of this feature.

export {
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
} from './pdf-drawing.ts';
export { shortDay } from './pdf-sheet.ts';
export { type AccountStatements, createAccountStatements, type Statement } from './statement.ts';
