/** How well a code stands out from its ground, as WCAG reckons it: from 1 to 21. */

export const isHex = (colour: string) => /^#[\da-f]{6}$/i.test(colour);

function readLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Takes colours in the form `#rrggbb`. */
export function findContrast(dark: string, light: string): { ratio: number; isInverted: boolean } {
  const [code, ground] = [readLuminance(dark), readLuminance(light)];
  const ratio = (Math.max(code, ground) + 0.05) / (Math.min(code, ground) + 0.05);
  return { ratio, isInverted: code > ground };
}
