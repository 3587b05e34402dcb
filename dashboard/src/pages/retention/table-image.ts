/**
 * The triangle as a PNG: drawn from the table as it stands, so that figures, colours and marks are those that the page
 * shows.
 */
import type { Look } from '../../components/chart/look';

const MARGIN = 16;
const LINE = 20;
/** Stripes as wide and as far from each other as those of the page. */
const STRIPE = { width: 2, every: 10 };
const SHARPNESS = 2;
/** Browsers draw nothing on a canvas that is larger; an image of very many cohorts is less sharp instead. */
const MAX_SIDE = 16_000;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Captions {
  readonly above: readonly string[];
  readonly below: readonly string[];
}

/** A data URL of the table with lines of text above it, the first of them a title, and below it. */
export function tableImage(table: HTMLTableElement, { above, below }: Captions, look: Look): string {
  const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  const { canvas } = context;
  const { fontFamily } = getComputedStyle(table);
  const fonts = { title: `600 14px ${fontFamily}`, text: `12px ${fontFamily}` };
  const area = table.getBoundingClientRect();
  const top = above.length * LINE + 2 * MARGIN;
  const bottom = top + area.height + MARGIN;
  const lines = [
    ...above.map((text, at) => ({ text, y: MARGIN + (at + 0.5) * LINE, font: at === 0 ? fonts.title : fonts.text })),
    ...below.map((text, at) => ({ text, y: bottom + (at + 0.5) * LINE, font: fonts.text })),
  ];
  const widths = lines.map(({ text, font }) => {
    context.font = font;
    return context.measureText(text).width;
  });
  const width = Math.ceil(Math.max(area.width, ...widths)) + 2 * MARGIN;
  const height = Math.ceil(bottom) + below.length * LINE + MARGIN;
  const scale = Math.min(SHARPNESS, MAX_SIDE / Math.max(width, height));
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  context.scale(scale, scale);
  context.fillStyle = look.surface;
  context.fillRect(0, 0, width, height);
  context.textBaseline = 'middle';
  context.fillStyle = look.text;
  for (const { text, y, font } of lines) {
    context.font = font;
    context.fillText(text, MARGIN, y);
  }
  for (const cell of table.querySelectorAll<HTMLTableCellElement>('th, td')) {
    const { left, top: from, width: wide, height: high } = cell.getBoundingClientRect();
    // The first column stays in view while the table is scrolled.
    const x = cell.cellIndex === 0 ? 0 : left - area.left;
    drawCell(context, cell, { x: MARGIN + x, y: top + from - area.top, width: wide, height: high });
  }
  return canvas.toDataURL('image/png');
}

function drawCell(context: CanvasRenderingContext2D, cell: HTMLTableCellElement, box: Box): void {
  const style = getComputedStyle(cell);
  context.fillStyle = style.backgroundColor;
  context.fillRect(box.x, box.y, box.width, box.height);
  if (cell.dataset.state === 'partial') {
    drawStripes(context, style.getPropertyValue('--stripe'), box);
    context.strokeStyle = style.outlineColor;
    context.setLineDash([3, 3]);
    context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
    context.setLineDash([]);
  }
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.fillStyle = style.color;
  const [left, right] = [parseFloat(style.paddingLeft), parseFloat(style.paddingRight)];
  const middle = box.y + box.height / 2;
  context.textAlign = style.textAlign as CanvasTextAlign;
  const x = { center: box.x + box.width / 2, right: box.x + box.width - right }[style.textAlign] ?? box.x + left;
  context.fillText(cell.textContent, x, middle);
  context.textAlign = 'left';
}

function drawStripes(context: CanvasRenderingContext2D, color: string, { x, y, width, height }: Box): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.beginPath();
  for (let from = x - height; from < x + width; from += STRIPE.every) {
    context.moveTo(from, y + height);
    context.lineTo(from + height, y);
  }
  context.strokeStyle = color;
  context.lineWidth = STRIPE.width;
  context.stroke();
  context.restore();
}
