/** WCAG's minimum contrast for text. */
export const MIN_CONTRAST = 4.5;

/** The accent colours in the style sheets of mail and pages, in light and dark mode. */
const ACCENTS = { light: '#1e5f7f', dark: '#7fc4e6' };
/** The background of cards in dark mode. */
const DARK_CARD = '#1f2428';

const colourChannels = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Returns WCAG's relative luminance of `#rrggbb`, 0 to 1. */
function luminance(colour: string): number {
  const [r, g, b] = colourChannels(colour).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** Returns WCAG's contrast ratio of two colours, 1 to 21. */
export function contrastRatio(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

/** Mixes a colour with white until it is readable on the cards of dark pages. */
export function lightenForContrast(colour: string): string {
  for (let part = 0; part < 1; part += 0.1) {
    const mixed = colourChannels(colour).map((channel) => Math.round(channel + (255 - channel) * part));
    const hex = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
    if (contrastRatio(hex, DARK_CARD) >= MIN_CONTRAST) return hex;
  }
  return '#ffffff';
}

/**
 * Returns a style sheet with the workspace's accent colour instead of the default; unchanged if it has none.
 */
export const applyAccent = (css: string, accent: string | null): string =>
  accent === null
    ? css
    : css.replaceAll(ACCENTS.light, accent).replaceAll(ACCENTS.dark, lightenForContrast(accent));
