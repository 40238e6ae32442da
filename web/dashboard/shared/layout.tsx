import type { ComponentChildren } from 'preact';
import type { Membership } from '../../../db/queries/members/membership.js';
import type { ApiContext, Problem } from '../../../api/http/context.js';
import { sendDocument } from '../../ui/document.js';
import { Header, HEADER_CSS } from './header.js';
import type { NavigationGroup } from './navigation.js';
import { takeNotice } from './notice.js';
import { DAY_CSS } from './day-css.js';
import { OFFICE_CSS } from './layout-css.js';
import { SCRIPT } from './script.js';

const CSS = `
  main { padding: 1.5rem 0 3rem; } footer { width: min(64rem, 100% - 3rem); margin: 0 auto; padding: 0 0 2rem; color: var(--soft); font-size: .85rem; }
  details.statuses { margin: 1rem 0; } details.statuses summary { color: var(--soft); cursor: pointer; } details.statuses dl { margin-top: .5rem; } h1 { font-size: 1.5rem; margin: .5rem 0 1rem; }
  h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; } .soft { color: var(--soft); }
  .numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: 1rem; }
  .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; }
  .numbers a { color: inherit; text-decoration: none; } .numbers b { display: block; font-size: 1.8rem; }
  .scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
  table { width: 100%; border-collapse: collapse; }
  th, td { text-align: left; padding: .6rem 1rem; border-bottom: 1px solid var(--line); vertical-align: top; }
  tr:last-child > * { border-bottom: 0; } th { color: var(--soft); font-weight: 500; white-space: nowrap; }
  td.number { text-align: right; white-space: nowrap; }
  .status { border-radius: 99px; padding: .1rem .6rem; border: 1px solid currentColor; white-space: nowrap;
            font-size: .85rem; color: var(--soft); }
  .status.confirmed, .status.succeeded, .status.paid, .status.enabled, .status.active { color: var(--good); }
  .status.pending_payment, .status.pending { color: var(--warn); }
  .status.failed, .status.disputed, .status.disabled, .status.revoked { color: var(--bad); }
  .trouble { border-left: 4px solid var(--bad); margin-bottom: .75rem; } .trouble p { margin: .25rem 0; }
  form.filter { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-bottom: 1rem; }
  form.filter label { margin: 0; } form.filter > div { flex: 1 1 9rem; }
  form.filter label span { display: block; margin-bottom: .25rem; font-size: .9rem; }
  form.filter :is(input, select, button) { height: 2.9rem; display: block; }
  dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .4rem 1.5rem; margin: 0; }
  dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
  form.card { max-width: 32rem; } form.card button { margin-top: 1rem; } form.card label:first-of-type { margin-top: 0; }
  form.card label.choice { font-weight: 400; margin: .25rem 0; } fieldset { border: 0; padding: 0; margin: 1rem 0 0; }
  legend { font-weight: 600; padding: 0; } legend::first-letter { text-transform: uppercase; } .card > :first-child { margin-top: 0; }
  [aria-invalid] { border-color: var(--bad) !important; } form .alert { margin: .25rem 0 0; }
  details.confirm summary { color: var(--accent); cursor: pointer; width: max-content; }
  details.confirm.rare summary { color: var(--soft); } details.confirm form { margin: .25rem 0 1rem; max-width: 24rem; } details.confirm p { margin: .25rem 0 .5rem; }
  .actions + details.confirm { margin-top: 1rem; } .nowrap { white-space: nowrap; }
  .actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1rem; }
  @media (max-width: 40rem) {
    footer { width: calc(100% - 2rem); }
    table, tbody, tr, td { display: block; } thead { display: none; }
    tr { padding: .5rem 0; border-bottom: 1px solid var(--line); } tr:last-child { border: 0; }
    td, td.number { border: 0; padding: .1rem 1rem; text-align: left; }
    dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: .5rem; }
  }
  code.id { display: inline-block; max-width: 9rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
            vertical-align: bottom; user-select: all; font-size: .8rem; color: var(--soft); }
  article.card { margin-bottom: .75rem; } ul.plain { list-style: none; padding: 0; } ul.plain li { margin: .5rem 0; }
`;

interface DashboardProps {
  title: string;
  membership?: Membership;
  navigation?: NavigationGroup[];
  /** The path of the current entry. */
  at?: string;
  children: ComponentChildren;
}

/** The problems of a rejected form, each linked to its field. */
function Problems({ problems }: { problems: Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <div class="card trouble" role="alert">
      {problems.map(({ field, message }) => (
        <p key={message}>{field ? <a href={`#${field}`}>{message}</a> : message}</p>
      ))}
    </div>
  );
}

/** Sends a page of the dashboard. */
export function showDashboard(ctx: ApiContext, props: DashboardProps, status = 200): void {
  const { title, membership, navigation = [], at, children } = props;
  const notice = takeNotice(ctx);
  sendDocument(ctx, status, {
    title: membership ? `${title} · ${membership.workspace_name}` : title,
    css: HEADER_CSS + CSS + OFFICE_CSS + DAY_CSS,
    script: SCRIPT,
    children: (
      <>
        <Header ctx={ctx} membership={membership} groups={navigation} at={at} />
        <main>
          <h1>{title}</h1>
          {notice && (
            <p class="card notice" role="status">
              {notice}
            </p>
          )}
          {ctx.state.rejection && <Problems problems={ctx.state.rejection.problems} />}
          {children}
        </main>
        {membership && <footer>Times are in {membership.time_zone}, unless another zone is named.</footer>}
      </>
    ),
  });
}

/** What statuses are called whose names differ. */
const NAMES: Record<string, string> = { no_show: 'no-show' };

/** A status as a badge. */
export function Status({ value }: { value: string }) {
  return <span class={`status ${value}`}>{NAMES[value] ?? value.replaceAll('_', ' ')}</span>;
}

/** A time in British English, in a time zone. */
export function formatAt(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at);
}
