import { readFileSync } from 'node:fs';

/** In the order in which they run: each uses what those before it add to `window.desk`. */
const PARTS = ['dialog', 'drawing', 'pointer', 'keyboard'];

/** The script of the calendar. Without it, free times and bookings are links to their pages. */
export const CALENDAR_SCRIPT = PARTS.map((name) =>
  readFileSync(new URL(`./script/${name}.js`, import.meta.url), 'utf8'),
).join('');
