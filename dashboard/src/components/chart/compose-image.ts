/** A chart as an image that explains itself: with its title, what it is about, and its legend. */
import type { Look } from './look';

export interface LegendItem {
  readonly name: string;
  readonly color: string;
  /** A dashed line: what is compared with. */
  readonly isDashed?: boolean;
}

export interface ImageParts {
  /** The chart, as a data URL of twice its size. */
  readonly chart: string;
  readonly title: string;
  /** For example the project and the days. */
  readonly about: string;
  readonly legend: readonly LegendItem[];
  readonly look: Pick<Look, 'text' | 'muted' | 'surface'>;
}

const SCALE = 2;
const PADDING = 20;
const TITLE = { size: 16, line: 24 };
const SMALL = { size: 12, line: 20 };
const SWATCH = 10;
/** The pieces of a dashed swatch. */
const DASHES = [
  [0, 4],
  [6, 4],
] as const;
const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif';

async function load(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

/** What of a text has room, with an ellipsis where that is not all. */
function fit(canvas: CanvasRenderingContext2D, text: string, width: number): string {
  if (canvas.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 1 && canvas.measureText(`${text.slice(0, length)}…`).width > width) length -= 1;
  return `${text.slice(0, length)}…`;
}

interface Placed extends LegendItem {
  readonly x: number;
  readonly line: number;
}

/** Names of the legend beside each other, in as many lines as they need. */
function placeLegend(canvas: CanvasRenderingContext2D, legend: ImageParts['legend'], width: number): Placed[] {
  let [x, line] = [0, 0];
  return legend.map((item) => {
    const shown = fit(canvas, item.name, width - 2 * SWATCH);
    const size = canvas.measureText(shown).width + 2 * SWATCH + 14;
    if (x > 0 && x + size > width) [x, line] = [0, line + 1];
    const placed = { ...item, name: shown, x, line };
    x += size;
    return placed;
  });
}

/** The image as a data URL. */
export async function composeImage({ chart, title, about, legend, look }: ImageParts): Promise<string> {
  const image = await load(chart);
  const element = document.createElement('canvas');
  const canvas = element.getContext('2d') as CanvasRenderingContext2D;
  const inner = image.width / SCALE;
  canvas.font = `${SMALL.size}px ${FONT}`;
  const placed = placeLegend(canvas, legend, inner);
  const lines = placed.length === 0 ? 0 : (placed.at(-1) as Placed).line + 1;
  const top = PADDING + TITLE.line + SMALL.line + lines * SMALL.line + 8;
  element.width = (inner + 2 * PADDING) * SCALE;
  element.height = (top + image.height / SCALE + PADDING) * SCALE;
  canvas.scale(SCALE, SCALE);
  canvas.fillStyle = look.surface;
  canvas.fillRect(0, 0, element.width, element.height);
  canvas.textBaseline = 'middle';
  canvas.fillStyle = look.text;
  canvas.font = `600 ${TITLE.size}px ${FONT}`;
  canvas.fillText(fit(canvas, title, inner), PADDING, PADDING + TITLE.line / 2);
  canvas.font = `${SMALL.size}px ${FONT}`;
  canvas.fillStyle = look.muted;
  canvas.fillText(fit(canvas, about, inner), PADDING, PADDING + TITLE.line + SMALL.line / 2);
  for (const { name, color, isDashed = false, x, line } of placed) {
    const y = PADDING + TITLE.line + SMALL.line * (1.5 + line) + 4;
    canvas.fillStyle = color;
    for (const [from, width] of isDashed ? DASHES : [[0, SWATCH] as const])
      canvas.fillRect(PADDING + x + from, y - 2, width, 4);
    canvas.fillStyle = look.text;
    canvas.fillText(name, PADDING + x + SWATCH + 6, y);
  }
  canvas.drawImage(image, PADDING, top, inner, image.height / SCALE);
  return element.toDataURL('image/png');
}
