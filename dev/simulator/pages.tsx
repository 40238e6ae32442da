import type { Context } from 'koa';
import type { ComponentChildren, VNode } from 'preact';
import { render } from 'preact-render-to-string';
import getRawBody from 'raw-body';

/** The HTML document of every simulator page. */
export function Document(props: { title: string; css: string; children: ComponentChildren }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>{props.title}</title>
        {/* Safe: a constant, no user input. */}
        <style dangerouslySetInnerHTML={{ __html: props.css }} />
      </head>
      <body>{props.children}</body>
    </html>
  );
}

/** Sends a page. Its policy forbids scripts. */
export function show(ctx: Context, page: VNode, status = 200): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:");
  ctx.body = `<!doctype html>${render(page)}`;
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
