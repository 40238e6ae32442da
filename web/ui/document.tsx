import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { ApiContext } from '../../api/http/context.js';
import { applyAccent } from '../../domain/workspaces/colour.js';
import { ICON_PATH } from './brand.js';
import { FONT_FACES } from './fonts.js';

/** Style sheets by their paths in `web/`, such as `ui/styles/base`, in the order in which they apply. */
export const readStyles = (...paths: string[]): string =>
  paths.map((path) => readFileSync(new URL(`../${path}.css`, import.meta.url), 'utf8')).join('');

/** Colours, sizes and typography of all pages, in light and dark. */
const BASE_CSS = FONT_FACES + readStyles('ui/styles/tokens', 'ui/styles/base');

/** Keeps a double click from sending a form twice. */
const SEND_ONCE = readFileSync(new URL('./send-once.js', import.meta.url), 'utf8');

export interface DocumentProps {
  title: string;
  /** `en` if not given. */
  language?: string;
  /** The page's own styles, in addition to the common ones. */
  css: string;
  /** A script at the end of the page, which also sends forms once; pages without one forbid scripts. */
  script?: string;
  /** The address that the browser goes to immediately. */
  goTo?: string;
  /** The script may fetch pages of this origin. */
  fetches?: boolean;
  /** Other origins that forms may redirect to; browsers follow no redirects to others. */
  formTargets?: string[];
  /** In place of the product's colour. */
  accent?: string | null;
  /** Other origins that the page shows images of. */
  images?: string[];
  /** Origins whose pages may show this one in a frame; none if not given. */
  framedBy?: string[];
  /** In a frame: the site's colour scheme instead of the visitor's; `auto` for the visitor's. */
  frameScheme?: 'light' | 'dark' | 'auto';
  children: ComponentChildren;
}

const cspHash = (source: string): string =>
  `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

/** The styles for one colour scheme, whatever the visitor has chosen. */
const inScheme = (css: string, scheme: 'light' | 'dark'): string =>
  css.replaceAll('color-scheme: light dark', `color-scheme: ${scheme}`);

/**
 * Sends a page that is never cached. Its only external resources are the workspace's images, and only
 * `framedBy` may frame it. Styles and script are allowed by their hash. Browsers keep the response to a form
 * where `keepsAnswers` is used.
 */
export function sendDocument(ctx: ApiContext, status: number, props: DocumentProps): void {
  const { frameScheme = 'auto' } = props;
  const script = props.script === undefined ? undefined : SEND_ONCE + props.script;
  const both = applyAccent(BASE_CSS + props.css, props.accent ?? null);
  const css = frameScheme === 'auto' ? both : inScheme(both, frameScheme);
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('Cache-Control', ctx.state.keepsAnswer ? 'private, max-age=0' : 'no-store');
  ctx.set(
    'Content-Security-Policy',
    `default-src 'none'; font-src 'self'; img-src ${["'self'", ...(props.images ?? [])].join(' ')}; ` +
      `style-src ${cspHash(css)};${script ? ` script-src ${cspHash(script)};` : ''}` +
      `${props.fetches ? " connect-src 'self';" : ''} ` +
      `form-action ${["'self'", ...(props.formTargets ?? [])].join(' ')}; ` +
      `base-uri 'none'; frame-ancestors ${props.framedBy?.length ? props.framedBy.join(' ') : "'none'"}`,
  );
  // Pages that a link opens have a stricter policy.
  if (!ctx.response.get('Referrer-Policy')) ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.body = `<!doctype html>${render(
    <html lang={props.language ?? 'en'}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {props.goTo && <meta http-equiv="refresh" content={`0;url=${props.goTo}`} />}
        <title>{props.title}</title>
        <link rel="icon" href={ICON_PATH} type="image/svg+xml" />
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body class={props.frameScheme && 'in-frame'}>
        {props.children}
        {script && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>,
  )}`;
}
