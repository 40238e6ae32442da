import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../api/http/context.js';
import { sendDocument } from './document.js';

const CSS = `
  body { display: grid; place-items: center; }
  main { width: min(26rem, 100% - 3rem); background: var(--card); border: 1px solid var(--line); border-radius: 14px;
         padding: 2rem; margin: 2rem 0; }
  .mark { width: 3rem; height: 3rem; border-radius: 50%; display: grid; place-items: center; font-size: 1.5rem;
          color: #fff; background: #5a6472; }
  .mark.good { background: #1e7f4f; } .mark.bad { background: #b3402e; }
  h1 { font-size: 1.4rem; margin: 1rem 0 .5rem; } h1:first-child { margin-top: 0; }
  p { margin: .5rem 0; color: var(--soft); } .alert { color: var(--bad); }
  dl { margin: 1.25rem 0 0; border-top: 1px solid var(--line); }
  dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .6rem 0;
           border-bottom: 1px solid var(--line); }
  dt { color: var(--soft); } dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
  a.button { display: block; margin-top: 1.5rem; padding: .75rem; border-radius: 9px; text-align: center;
             background: #1e5f7f; color: #fff; text-decoration: none; font-weight: 600; }
  a.button.plain { background: none; color: var(--ink); border: 1px solid var(--line); margin-top: .75rem; }
  ul.times { display: grid; grid-template-columns: repeat(auto-fill, minmax(5rem, 1fr)); gap: .5rem; padding: 0;
             list-style: none; }
  ul.times a { display: block; padding: .5rem; text-align: center; border: 1px solid var(--line); border-radius: 9px; }
  p[role=status] { color: var(--good); font-weight: 600; } p[role=alert] { color: var(--bad); font-weight: 600; }
  form button { width: 100%; margin-top: 1rem; padding: .75rem; }
  form + form { margin-top: 0; }
  ul { padding-left: 1.2rem; } ul.codes { columns: 2; list-style: none; padding: 0; }
  details { margin: 1rem 0; } summary { color: var(--accent); cursor: pointer; }
  h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; } .application { border-top: 1px solid var(--line); padding: .75rem 0; }
  .qr svg { display: block; width: 12rem; margin: 1rem auto; border-radius: 9px; }
`;

interface PageProps {
  title: string;
  mark?: 'good' | 'waiting' | 'bad';
  /** Seconds after which the page looks whether it has changed, and again, until it has another outcome. */
  refresh?: number;
  /** The address that the browser goes to at once. */
  goTo?: string;
  /** Other origins that the page's forms may redirect to. */
  formTargets?: string[];
  children?: ComponentChildren;
}

/**
 * Fetches the page again and shows what has changed, until it no longer waits. Unlike a reload this keeps the focus, and
 * a screen reader says only what is new.
 */
const scriptToUpdate = (seconds: number): string => `
  const main = document.querySelector('main');
  async function look() {
    try {
      const response = await fetch(location.href, { cache: 'no-store' });
      const next = new DOMParser().parseFromString(await response.text(), 'text/html');
      const shown = next.querySelector('main');
      if (response.ok && shown && !('waits' in shown.dataset)) {
        document.title = next.title;
        main.replaceChildren(...shown.childNodes);
        return;
      }
    } catch {
      // Offline, or the service is restarting.
    }
    setTimeout(look, ${seconds * 1000});
  }
  setTimeout(look, ${seconds * 1000});
`;

const MARKS = { good: '✓', waiting: '…', bad: '!' };

/** Sends a page with a single card. */
export function showPage(ctx: ApiContext, status: number, props: PageProps): void {
  const { title, mark, refresh, goTo, formTargets, children } = props;
  sendDocument(ctx, status, {
    title,
    css: CSS,
    script: refresh ? scriptToUpdate(refresh) : undefined,
    fetches: refresh !== undefined,
    goTo,
    formTargets,
    children: (
      <main data-waits={refresh ? '' : undefined} aria-live={refresh ? 'polite' : undefined}>
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
