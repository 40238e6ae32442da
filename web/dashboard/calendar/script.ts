import { readFileSync } from 'node:fs';

/** Parts in the order in which they run: each uses what those before it add to `window.desk`. */
const join = (...parts: string[]): string =>
  parts.map((name) => readFileSync(new URL(`./script/${name}.js`, import.meta.url), 'utf8')).join('');

/** The scripts of the calendar. Without them, free times and bookings are links to their pages. */
export const GRID_SCRIPT = join('dialog', 'clicks', 'drawing', 'pointer', 'keyboard');
export const BOARD_SCRIPT = join('dialog', 'clicks', 'board');
