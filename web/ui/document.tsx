import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { ApiContext } from '../../api/http/context.js';
import { ICON_PATH } from './brand.js';

/** Colours and typography of all pages, in light and dark. */
const BASE_CSS = `
  :root { color-scheme: light dark; --ink: #1b1f24; --soft: #5a6472; --paper: #f5f6f4; --card: #fff; --line: #e2e5e0;
          --accent: #1e5f7f; --good: #1e7f4f; --bad: #b3402e; --warn: #8a5a00; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #eef0ee; --soft: #a9b2bd; --paper: #15181b; --card: #1f2428; --line: #333a40; --accent: #7fc4e6;
            --good: #6fcf9b; --bad: #f08f7d; --warn: #e3b35c; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; background: var(--paper); color: var(--ink);
         font: 16px/1.5 system-ui, sans-serif; }
  label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
  input:not([type=checkbox]):not([type=radio]), select, textarea { width: 100%; padding: .6rem .7rem; font: inherit; font-weight: 400;
         color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 9px; }
  input:focus-visible, select:focus-visible, button:focus-visible, a:focus-visible { outline: 2px solid var(--accent);
         outline-offset: 2px; }
  button { font: inherit; font-weight: 600; cursor: pointer; border: 0; border-radius: 9px; padding: .6rem 1rem;
           background: #1e5f7f; color: #fff; }
  button.quiet { background: none; color: var(--ink); border: 1px solid var(--line); }
  button.danger { background: #b3402e; }
  a { color: var(--accent); }
  code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
  .alert { color: var(--bad); font-weight: 600; }
`;

export interface DocumentProps {
  title: string;
  /** The page's own styles, in addition to the common ones. */
  css: string;
  /** A script at the end of the page; pages without one forbid scripts. */
  script?: string;
  /** The address that the browser goes to at once. */
  goTo?: string;
  /** The script may fetch pages of this origin. */
  fetches?: boolean;
  /** Other origins that forms may redirect to; browsers follow no redirects to others. */
  formTargets?: string[];
  children: ComponentChildren;
}

const digestOf = (source: string): string =>
  `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

/**
 * Sends a page without external resources, that is never cached or framed; its styles and script are allowed by digest.
 */
export function sendDocument(ctx: ApiContext, status: number, props: DocumentProps): void {
  const css = BASE_CSS + props.css;
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-store');
  ctx.set(
    'Content-Security-Policy',
    `default-src 'none'; img-src 'self'; style-src ${digestOf(css)};${props.script ? ` script-src ${digestOf(props.script)};` : ''}${props.fetches ? " connect-src 'self';" : ''} form-action ${["'self'", ...(props.formTargets ?? [])].join(' ')}; ` +
      `base-uri 'none'; frame-ancestors 'none'`,
  );
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.body = `<!doctype html>${render(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {props.goTo && <meta http-equiv="refresh" content={`0;url=${props.goTo}`} />}
        <title>{props.title}</title>
        <link rel="icon" href={ICON_PATH} type="image/svg+xml" />
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        {props.children}
        {props.script && <script dangerouslySetInnerHTML={{ __html: props.script }} />}
      </body>
    </html>,
  )}`;
}
