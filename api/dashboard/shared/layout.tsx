import type { ComponentChildren } from 'preact';
import type { Membership } from '../../../db/repositories/members/membership-queries.js';
import type { ApiContext, Problem } from '../../http/context.js';
import { sendDocument } from '../../pages/document.js';
import { Form } from '../../sign-in/forms.js';
import type { NavigationGroup } from './navigation.js';
import { takeNotice } from './notice.js';
import { DAY_CSS } from './day-css.js';
import { OFFICE_CSS } from './office-css.js';
import { SCRIPT } from './script.js';

const CSS = `
  header { background: var(--card); border-bottom: 1px solid var(--line); }
  header > *, main { width: min(64rem, 100% - 3rem); margin: 0 auto; }
  header > * { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding: .7rem 0 .5rem; }
  header strong { margin-right: auto; } header a { text-decoration: none; }
  nav a { padding: .1rem 0 .4rem; border-bottom: 3px solid transparent; } header nav { padding: .2rem 0 0; }
  header a[aria-current] { color: var(--ink); border-color: var(--accent); }
  header button { background: none; border: 0; padding: 0; color: var(--accent); font-weight: 400; }
  main { padding: 1.5rem 0 4rem; } h1 { font-size: 1.5rem; margin: .5rem 0 1rem; }
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
  dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.5rem; margin: 0; }
  dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
  form.card { max-width: 32rem; } form.card button { margin-top: 1rem; } form.card label:first-of-type { margin-top: 0; }
  form.card label.choice { font-weight: 400; margin: .25rem 0; } fieldset { border: 0; padding: 0; margin: 1rem 0 0; }
  legend { font-weight: 600; padding: 0; } legend::first-letter { text-transform: uppercase; } .card > :first-child { margin-top: 0; }
  [aria-invalid] { border-color: var(--bad) !important; } form .alert { margin: .25rem 0 0; }
  details.confirm summary { color: var(--accent); cursor: pointer; width: max-content; }
  details.confirm form { margin: .25rem 0 1rem; max-width: 24rem; } details.confirm p { margin: .25rem 0 .5rem; }
  .actions + details.confirm { margin-top: 1rem; } .nowrap { white-space: nowrap; }
  .actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1rem; }
  @media (max-width: 40rem) {
    header strong { width: 100%; }
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
  return (
    <div class="card trouble" role="alert">
      {problems.map(({ field, message }) => (
        <p key={message}>{field ? <a href={`#${field}`}>{message}</a> : message}</p>
      ))}
    </div>
  );
}

/** The groups of the navigation, and the pages of the current group. */
function Navigation({ groups, home, at }: { groups: NavigationGroup[]; home: string; at?: string }) {
  const current = groups.find(({ entries }) => entries.some((entry) => entry.at === at));
  if (groups.length === 0) return null;
  return (
    <>
      <nav aria-label="Sections">
        {groups.map(({ name, entries }) => (
          <a
            key={name}
            href={home + entries[0]!.at}
            aria-current={name === current?.name ? 'true' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {current && current.entries.length > 1 && (
        <nav aria-label={current.name} class="pages">
          {current.entries.map((entry) => (
            <a key={entry.at} href={home + entry.at} aria-current={entry.at === at ? 'page' : undefined}>
              {entry.name}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}

/** Sends a page of the dashboard. */
export function showDashboard(ctx: ApiContext, props: DashboardProps, status = 200): void {
  const { title, membership, navigation = [], at, children } = props;
  const notice = takeNotice(ctx);
  const home = membership ? `/dashboard/${membership.workspace_id}` : '/dashboard';
  sendDocument(ctx, status, {
    title: membership ? `${title} · ${membership.workspace_name}` : title,
    css: CSS + OFFICE_CSS + DAY_CSS,
    script: SCRIPT,
    children: (
      <>
        <header>
          <div>
            <strong>{membership?.workspace_name ?? 'Holdfast'}</strong>
            {membership && (
              <form action={`${home}/search`} role="search" aria-label="Everything" class="search">
                <input
                  type="search"
                  name="q"
                  id="search"
                  maxLength={100}
                  placeholder="Id, name or email"
                  aria-label="Search this workspace"
                />
              </form>
            )}
            {membership && <a href="/dashboard">Workspaces</a>}
            <a href="/account">Account</a>
            <Form action="/sign-out" session={ctx.state.session}>
              <button>Sign out</button>
            </Form>
          </div>
          <Navigation groups={navigation} home={home} at={at} />
        </header>
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
      </>
    ),
  });
}

/** A status as a badge. */
export function Status({ value }: { value: string }) {
  return <span class={`status ${value}`}>{value.replaceAll('_', ' ')}</span>;
}

/** A time in British English, in a time zone. */
export function formatAt(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at);
}
