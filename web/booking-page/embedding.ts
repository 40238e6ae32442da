import { readFileSync } from 'node:fs';
import type { ApiContext, Handler } from '../../api/http/context.js';

/** The address of the script with which sites show booking pages. */
export const EMBED_PATH = '/book/embed.js';

/** The query parameter that tells a page that it is in a frame, and the frame's colour scheme. */
export const FRAME = 'frame';

const SCHEMES = ['light', 'dark', 'auto'] as const;

/** The colour scheme of the frame that the page is in; undefined at top level. */
export const frameSchemeIn = ({ query }: ApiContext): (typeof SCHEMES)[number] | undefined =>
  SCHEMES.find((scheme) => scheme === query[FRAME]);

const SCRIPT = readFileSync(new URL('./embed.js', import.meta.url), 'utf8');

/**
 * `GET /book/embed.js` (docs/rules/booking-page.md#in-a-frame). Not rate limited, because the script is a
 * constant.
 */
export const sendEmbedScript: Handler = async (ctx) => {
  ctx.type = 'text/javascript';
  ctx.set('Cache-Control', 'public, max-age=3600');
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  ctx.body = SCRIPT;
};

/** The HTML that operators paste into their website. */
export const embedSnippet = (publicUrl: string, slug: string): string =>
  `<script async src="${publicUrl}${EMBED_PATH}" data-page="${slug}"></script>`;
