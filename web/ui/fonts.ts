import type Router from '@koa/router';
import { readFileSync } from 'node:fs';
import { route, type Handler } from '../../api/http/context.js';
import { newRouter } from '../../api/http/router.js';

/** A file of the typeface, and the characters that it has. */
interface FontFile {
  name: string;
  url: string;
  range: string;
}

const LATIN =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,' +
  'U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const LATIN_EXTENDED =
  'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,' +
  'U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF';
const CYRILLIC = 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116';
const GREEK = 'U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF';

/**
 * Inter. Browsers only fetch the files whose characters a page has. `ops/image-files.mjs` finds the files by
 * their names here.
 */
const FILES: readonly FontFile[] = [
  {
    name: 'inter-latin.woff2',
    url: import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
    range: LATIN,
  },
  {
    name: 'inter-latin-ext.woff2',
    url: import.meta.resolve('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2'),
    range: LATIN_EXTENDED,
  },
  {
    name: 'inter-cyrillic.woff2',
    url: import.meta.resolve('@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2'),
    range: CYRILLIC,
  },
  {
    name: 'inter-greek.woff2',
    url: import.meta.resolve('@fontsource-variable/inter/files/inter-greek-wght-normal.woff2'),
    range: GREEK,
  },
];

export const FONT_FACES = FILES.map(
  ({ name, range }) =>
    `@font-face{font-family:'Inter Variable';font-weight:100 900;font-display:swap;` +
    `src:url(/fonts/${name}) format('woff2');unicode-range:${range}}`,
).join('\n');

const contents = new Map(FILES.map(({ name, url }) => [name, readFileSync(new URL(url))]));

const sendFont: Handler = async (ctx) => {
  const content = contents.get(ctx.params.file!);
  if (!content) return;
  ctx.type = 'font/woff2';
  ctx.set('Cache-Control', 'public, max-age=604800');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.body = content;
};

/**
 * `GET /fonts/:file`: a file of the typeface of all pages. Not rate limited, because the files are constants.
 */
export function fontRoutes(): Router {
  const router = newRouter();
  router.get('/fonts/:file', ...route(sendFont));
  return router;
}
