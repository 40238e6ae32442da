import type { Membership } from '../../../db/queries/members/membership.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Mark } from '../../ui/brand.js';
import { Form } from '../../ui/forms.js';
import { seesOverview, type NavigationEntry, type NavigationGroup } from './navigation.js';

interface HeaderProps {
  ctx: ApiContext;
  membership?: Membership;
  groups: NavigationGroup[];
  /** The path of the current entry. */
  at?: string;
}

function Account({ ctx, membership }: Pick<HeaderProps, 'ctx' | 'membership'>) {
  // Sessions through a provider are limited to this workspace.
  const isOwn = !ctx.state.session?.provider;
  return (
    <>
      {membership && isOwn && <a href="/dashboard">Workspaces</a>}
      {membership && seesOverview(membership.role) && (
        <a href={`/dashboard/${membership.workspace_id}/membership`}>Membership</a>
      )}
      {isOwn && <a href="/account">Account</a>}
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
      <Account ctx={ctx} membership={membership} />
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
              placeholder="Search"
              title="Name, reference or ID"
              aria-label="Search this workspace"
            />
          </form>
        )}
        <div class="wide">
          <Account ctx={ctx} membership={membership} />
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
