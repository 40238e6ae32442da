import type { ComponentChildren } from 'preact';
import { STYLES } from './styles.js';

/** The frame of every hosted page. */
export function Page({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>{title}</title>
        {/* Our own constant, not a visitor's text. */}
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </head>
      <body>{children}</body>
    </html>
  );
}

/** A page that says one thing. */
export function Message({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Page title={title}>
      <div class="message">
        <main>
          <h1>{title}</h1>
          {children}
        </main>
      </div>
    </Page>
  );
}

/** Says that no real money moves here. */
export function TestBadge() {
  return <span class="badge">Test mode</span>;
}
