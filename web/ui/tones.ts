/** A class for each colour, `prefix-0` and so on, that sets `--name`. */
const toneClasses = (prefix: string, name: string, colours: readonly (string | number)[]): string =>
  colours.map((colour, n) => `.${prefix}-${n}{--${name}:${colour}}`).join('');

/** The hues of rooms; `tones.css` makes colours of them. */
const ROOM_HUES = [250, 55, 155, 325, 205, 95, 290, 20];
/** The colours of a room's rates. */
const RATE_COLOURS = ['#2f7fb5', '#c9821a', '#3f9a5f', '#9a5fb8', '#c4515f', '#4d9a9a'];
/** The colours of rooms without a picture. */
const PICTURE_COLOURS = [
  'var(--accent)',
  'var(--good)',
  'var(--warn)',
  'color-mix(in oklab, var(--accent), var(--bad))',
  'color-mix(in oklab, var(--good), var(--accent))',
  'color-mix(in oklab, var(--warn), var(--bad))',
];

/** The number of colours; further things repeat them. */
export const TONES = {
  room: ROOM_HUES.length,
  rate: RATE_COLOURS.length,
  picture: PICTURE_COLOURS.length,
};

export const DASHBOARD_TONES =
  toneClasses('tone', 'hue', ROOM_HUES) + toneClasses('rate', 'tone', RATE_COLOURS);
export const PICTURE_TONES = toneClasses('picture', 'tone', PICTURE_COLOURS);
