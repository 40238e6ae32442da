import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { ApiContext } from '../http/context.js';

const CSS = `
  :root { color-scheme: light dark; --ink: #1b1f24; --soft: #5a6472; --paper: #f5f6f4; --card: #fff; --line: #e2e5e0; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #eef0ee; --soft: #a9b2bd; --paper: #15181b; --card: #1f2428; --line: #333a40; }
  }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink);
         font: 16px/1.5 system-ui, sans-serif; }
  main { width: min(26rem, 100% - 3rem); background: var(--card); border: 1px solid var(--line); border-radius: 14px;
         padding: 2rem; margin: 2rem 0; }
  .mark { width: 3rem; height: 3rem; border-radius: 50%; display: grid; place-items: center; font-size: 1.5rem;
          color: #fff; background: #5a6472; }
  .mark.good { background: #1e7f4f; } .mark.bad { background: #b3402e; }
  h1 { font-size: 1.4rem; margin: 1rem 0 .5rem; } p { margin: .5rem 0; color: var(--soft); }
  dl { margin: 1.25rem 0 0; border-top: 1px solid var(--line); }
  dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .6rem 0;
           border-bottom: 1px solid var(--line); }
  dt { color: var(--soft); } dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
  a.button { display: block; margin-top: 1.5rem; padding: .75rem; border-radius: 9px; text-align: center;
             background: #1e5f7f; color: #fff; text-decoration: none; font-weight: 600; }
`;

interface PageProps {
  title: string;
  mark: 'good' | 'waiting' | 'bad';
  /** Seconds after which the browser looks again. */
  refresh?: number;
  children?: ComponentChildren;
}

const MARKS = { good: '✓', waiting: '…', bad: '!' };

function Page({ title, mark, refresh, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {refresh && <meta http-equiv="refresh" content={String(refresh)} />}
        <title>{title}</title>
        <style>{CSS}</style>
      </head>
      <body>
        <main>
          <div class={`mark ${mark}`} aria-hidden="true">
            {MARKS[mark]}
          </div>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

/** Answers with a page: no scripts, nothing from elsewhere, never cached. */
export function showPage(ctx: ApiContext, status: number, props: PageProps): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.body = `<!doctype html>${render(<Page {...props} />)}`;
}
