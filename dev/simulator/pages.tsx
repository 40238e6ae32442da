import { readFileSync } from 'node:fs';
import type { Context } from 'koa';
import type { ComponentChildren, VNode } from 'preact';
import { render } from 'preact-render-to-string';
import getRawBody from 'raw-body';

const CSS = readFileSync(new URL('./pages.css', import.meta.url), 'utf8');

interface PageProps {
  title: string;
  /** The heading, if it differs from the title. */
  heading?: string;
  children: ComponentChildren;
}

/** A page of a simulator. */
export function Page({ title, heading = title, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>{title}</title>
        {/* Safe: a constant, no user input. */}
        <style dangerouslySetInnerHTML={{ __html: CSS }} />
      </head>
      <body>
        <main>
          <h1>{heading}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

/** A page with texts. */
export function Message({ title, texts }: { title: string; texts: string[] }) {
  return (
    <Page title={title}>
      {texts.map((text) => (
        <p class="muted">{text}</p>
      ))}
    </Page>
  );
}

interface GridProps {
  head?: string[];
  rows: (readonly ComponentChildren[])[];
}

/** A table. */
export function Grid({ head, rows }: GridProps) {
  return (
    <table>
      {head && (
        <tr>
          {head.map((name) => (
            <th>{name}</th>
          ))}
        </tr>
      )}
      {rows.map((cells) => (
        <tr>
          {cells.map((cell) => (
            <td>{cell}</td>
          ))}
        </tr>
      ))}
    </table>
  );
}

export const renderPage = (page: VNode): string => `<!doctype html>${render(page)}`;

/** Sends a page. Its policy forbids scripts. */
export function show(ctx: Context, page: VNode, status = 200): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:");
  ctx.body = renderPage(page);
}

/** Sends the page for an unknown URL. */
export function showNotFound(ctx: Context): void {
  const texts = ['This link is incomplete, or the page does not exist.'];
  show(ctx, <Message title="Page not found" texts={texts} />, 404);
}

/** Redirects the browser with a 303. */
export function redirect(ctx: Context, to: string): void {
  ctx.status = 303;
  ctx.set('Location', to);
}

/** The fields of a submitted form. */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  return new URLSearchParams(await getRawBody(ctx.req, { encoding: 'utf8', limit: '64kb' }));
}
