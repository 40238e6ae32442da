import type { ComponentChildren } from 'preact';
import { Document } from '../../simulator/pages.js';

const STYLES = `
:root { --ink: #1b2733; --muted: #5d6b79; --line: #dde3e8; --accent: #0b6e8f; --paper: #f4f6f8; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 15px/1.5 system-ui, -apple-system, sans-serif; }
main { max-width: 900px; margin: 0 auto; padding: 40px 24px; }
main.narrow { max-width: 460px; margin-top: 8vh; padding: 36px; background: #fff; border: 1px solid var(--line); border-radius: 10px; }
h1 { font-size: 21px; margin: 0 0 16px; }
a { color: var(--accent); }
.muted { color: var(--muted); }
.badge { padding: 1px 8px; border-radius: 4px; background: #d8eef5; color: #084a60; font-size: 12px; font-weight: 600; }
table { width: 100%; border-collapse: collapse; background: #fff; border: 1px solid var(--line); }
th, td { padding: 9px 12px; text-align: left; border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-size: 13px; font-weight: 500; }
.amount { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
label { display: block; margin-bottom: 6px; font-weight: 500; }
select { width: 100%; padding: 10px 12px; margin-bottom: 20px; font: inherit; background: #fff; border: 1px solid #c9d2da; border-radius: 6px; }
button { padding: 11px 16px; border: 1px solid var(--accent); border-radius: 6px; background: var(--accent); color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button.plain { background: #fff; color: var(--ink); border-color: #c9d2da; }
button.small { padding: 3px 10px; font-size: 13px; }
button:focus-visible, select:focus-visible, a:focus-visible { outline: 3px solid rgb(11 110 143 / 35%); outline-offset: 2px; }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; }
td form { margin: 0; }
`;

/** The layout of every page; `narrow` for a form. */
export function Page({
  title,
  narrow = false,
  children,
}: {
  title: string;
  narrow?: boolean;
  children: ComponentChildren;
}) {
  return (
    <Document title={title} css={STYLES}>
      <main class={narrow ? 'narrow' : ''}>
        <h1>{title}</h1>
        {children}
      </main>
    </Document>
  );
}

/** Shown for an unknown URL. */
export function NotFoundPage() {
  return (
    <Page title="Page not found" narrow>
      <p class="muted">This link is incomplete, or the page does not exist.</p>
    </Page>
  );
}

/** Shows why an action failed. */
export function RefusedPage({ messages }: { messages: string[] }) {
  return (
    <Page title="The request was rejected" narrow>
      {messages.map((message) => (
        <p class="muted">{message}</p>
      ))}
    </Page>
  );
}
