import type { ComponentChildren } from 'preact';
import { Document } from '../../simulator/pages.js';
import { STYLES } from './styles.js';

/** The layout of every hosted page. */
export function Page({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Document title={title} css={STYLES}>
      {children}
    </Document>
  );
}

/** A page with one message. */
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

/** Says that no real money is involved. */
export function TestBadge() {
  return <span class="badge">Test mode</span>;
}
