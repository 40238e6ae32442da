import type { Membership } from '../../../db/queries/members/membership.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Mark } from '../../ui/brand.js';
import { Form } from '../../ui/forms.js';
import type { NavigationEntry, NavigationGroup } from './navigation.js';

/** On a phone the header is one row, and its button opens all pages. */
export const HEADER_CSS = `
  header { background: var(--card); border-bottom: 1px solid var(--line); }
  header > div, header > nav:not([popover]), main { width: min(64rem, 100% - 3rem); margin: 0 auto; }
  header a { text-decoration: none; }
  header .bar { display: flex; align-items: center; gap: .25rem 1.25rem; padding: .6rem 0 .4rem; }
  header .brand { display: flex; align-items: center; gap: .6rem; margin-right: auto; color: var(--ink); font-weight: 700; min-width: 0; }
  header .brand svg { flex: none; } header .brand span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  header .search { flex: 0 1 22rem; } header .search input { padding: .35rem .7rem; }
  header form button { background: none; border: 0; padding: 0; color: var(--accent); font-weight: 400; }
  header .wide { display: flex; gap: .25rem 1.5rem; } header nav.wide { white-space: nowrap; }
  header nav.wide a { padding: .1rem 0 .4rem; border-bottom: 3px solid transparent; }
  header nav.wide a[aria-current] { color: var(--ink); border-color: var(--accent); }
  header nav.pages { flex-wrap: wrap; gap: 0 1.1rem; font-size: .9rem; padding-top: .35rem; border-top: 1px solid var(--line); }
  header nav.pages a:not([aria-current]) { color: var(--soft); }
  header .menu { display: none; }
  @media (max-width: 40rem) {
    header .wide { display: none; } header > div, main { width: calc(100% - 2rem); }
    header { position: sticky; top: 0; z-index: 1; } header .bar { gap: .75rem; padding: .5rem 0; }
    header .brand { flex: 0 1 40%; margin: 0; } header .search { flex: 1 1 5rem; }
    header .menu { display: block; background: none; color: var(--ink); border: 1px solid var(--line); padding: .35rem .8rem; }
    #menu { inset: 3.4rem 0 auto; width: 100%; max-height: calc(100vh - 3.4rem); margin: 0; padding: .5rem 1rem 1.25rem; overflow-y: auto;
            color: var(--ink); background: var(--card); border: 0; border-bottom: 1px solid var(--line); box-shadow: 0 8px 24px #0003; }
    #menu ul { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; }
    #menu b { display: block; margin-top: .75rem; font-size: .85rem; font-weight: 500; color: var(--soft); }
    #menu a, #menu form button { display: block; padding: .3rem 0; } #menu a[aria-current] { font-weight: 700; }
  }
`;

interface HeaderProps {
  ctx: ApiContext;
  membership?: Membership;
  groups: NavigationGroup[];
  /** The path of the current entry. */
  at?: string;
}

function Account({ ctx, several }: { ctx: ApiContext; several: boolean }) {
  return (
    <>
      {several && <a href="/dashboard">Workspaces</a>}
      <a href="/account">Account</a>
      <Form action="/sign-out" session={ctx.state.session}>
        <button>Sign out</button>
      </Form>
    </>
  );
}

/** All pages and the account, opened by a button on a phone. */
function Menu({ ctx, membership, groups, home, at }: HeaderProps & { home: string }) {
  return (
    <nav id="menu" popover="auto" aria-label="Menu">
      {groups.map(({ name, entries }) => (
        <div key={name}>
          <b>{name}</b>
          <ul>
            {entries.map((entry) => (
              <li key={entry.at}>
                <a href={home + entry.at} aria-current={entry.at === at ? 'page' : undefined}>
                  {entry.name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <b>You</b>
      <Account ctx={ctx} several={Boolean(membership)} />
    </nav>
  );
}

function Pages({
  of,
  home,
  at,
}: {
  of: { name: string; entries: NavigationEntry[] };
  home: string;
  at?: string;
}) {
  return (
    <nav aria-label={of.name} class="wide pages">
      {of.entries.map((entry) => (
        <a key={entry.at} href={home + entry.at} aria-current={entry.at === at ? 'page' : undefined}>
          {entry.name}
        </a>
      ))}
    </nav>
  );
}

/** The name of the workspace, the search, and the navigation: groups, and the pages of the current one. */
export function Header({ ctx, membership, groups, at }: HeaderProps) {
  const home = membership ? `/dashboard/${membership.workspace_id}` : '/dashboard';
  const current = groups.find(({ entries }) => entries.some((entry) => entry.at === at));
  return (
    <header>
      <div class="bar">
        <a class="brand" href={home}>
          <Mark />
          <span>{membership?.workspace_name ?? 'Holdfast'}</span>
        </a>
        {membership && (
          <form action={`${home}/search`} role="search" aria-label="Menu" class="search">
            <input
              type="search"
              name="q"
              id="search"
              maxLength={100}
              placeholder="ID, name or email"
              aria-label="Search this workspace"
            />
          </form>
        )}
        <div class="wide">
          <Account ctx={ctx} several={Boolean(membership)} />
        </div>
        <button type="button" class="menu" popovertarget="menu">
          Menu
        </button>
      </div>
      {groups.length > 0 && (
        <nav aria-label="Sections" class="wide">
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
      )}
      {current && current.entries.length > 1 && <Pages of={current} home={home} at={at} />}
      <Menu ctx={ctx} membership={membership} groups={groups} home={home} at={at} />
    </header>
  );
}
