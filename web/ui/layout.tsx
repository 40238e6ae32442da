import { readFileSync } from 'node:fs';
import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../api/http/context.js';
import { sendDocument } from './document.js';

const CSS = readFileSync(new URL('./layout.css', import.meta.url), 'utf8');

interface PageProps {
  title: string;
  mark?: 'good' | 'waiting' | 'bad';
  /** Seconds after which the page looks whether it has changed, and again, until it has another outcome. */
  refresh?: number;
  /** The address that the browser goes to immediately. */
  goTo?: string;
  /** Other origins that the page's forms may redirect to. */
  formTargets?: string[];
  children?: ComponentChildren;
}

/**
 * Fetches the page again and shows what has changed, until it no longer waits. Unlike a reload this keeps the focus, and
 * a screen reader says only what is new.
 */
const UPDATE = readFileSync(new URL('./update.js', import.meta.url), 'utf8');

const MARKS = { good: '✓', waiting: '…', bad: '!' };

/** Sends a page with a single card. */
export function showPage(ctx: ApiContext, status: number, props: PageProps): void {
  const { title, mark, refresh, goTo, formTargets, children } = props;
  sendDocument(ctx, status, {
    title,
    css: CSS,
    script: refresh ? UPDATE : undefined,
    fetches: refresh !== undefined,
    goTo,
    formTargets,
    children: (
      <main data-waits={refresh} aria-live={refresh ? 'polite' : undefined}>
        {mark && (
          <div class={`mark ${mark}`} aria-hidden="true">
            {MARKS[mark]}
          </div>
        )}
        <h1>{title}</h1>
        {children}
        {refresh && (
          <noscript>
            <p>
              <a href="">Check again</a>
            </p>
          </noscript>
        )}
      </main>
    ),
  });
}
