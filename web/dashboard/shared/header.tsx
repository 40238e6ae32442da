import type { ComponentChildren } from 'preact';
import type { Membership } from '../../../db/queries/members/membership.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Mark } from '../../ui/brand.js';
import { Form } from '../../ui/forms.js';
import { Icon, type IconName } from '../../ui/icons.js';
import { seesOverview, type NavigationEntry, type NavigationGroup } from './navigation.js';

interface HeaderProps {
  ctx: ApiContext;
  membership?: Membership;
  groups: NavigationGroup[];
  /** The path of the current entry. */
  at?: string;
}

function Item(props: { href: string; icon: IconName; current?: boolean; children: ComponentChildren }) {
  return (
    <li>
      <a href={props.href} aria-current={props.current ? 'page' : undefined}>
        <Icon name={props.icon} />
        {props.children}
      </a>
    </li>
  );
}

function Account({ ctx, membership, at }: Pick<HeaderProps, 'ctx' | 'membership' | 'at'>) {
  // Sessions through a provider are limited to this workspace.
  const isOwn = !ctx.state.session?.provider;
  return (
    <ul class="you">
      {membership && isOwn && (
        <Item href="/dashboard" icon="workspaces">
          Workspaces
        </Item>
      )}
      {membership && seesOverview(membership.role) && (
        <Item
          href={`/dashboard/${membership.workspace_id}/membership`}
          icon="membership"
          current={at === '/membership'}
        >
          Membership
        </Item>
      )}
      {isOwn && (
        <Item href="/account" icon="account">
          Account
        </Item>
      )}
      <li>
        <Form action="/sign-out" session={ctx.state.session}>
          <button>
            <Icon name="signOut" />
            Sign out
          </button>
        </Form>
      </li>
    </ul>
  );
}

function Entries({ of, home, at }: { of: NavigationEntry[]; home: string; at?: string }) {
  return (
    <ul>
      {of.map((entry) => (
        <Item key={entry.at} href={home + entry.at} icon={entry.icon} current={entry.at === at}>
          {entry.name}
        </Item>
      ))}
    </ul>
  );
}

/** Pages of one kind. Those that are rarely needed are closed unless the current page is one of them. */
function Group({ of, home, at }: { of: NavigationGroup; home: string; at?: string }) {
  if (!of.isRare)
    return (
      <div>
        <b>{of.name}</b>
        <Entries of={of.entries} home={home} at={at} />
      </div>
    );
  return (
    <details open={of.entries.some((entry) => entry.at === at)}>
      <summary>{of.name}</summary>
      <Entries of={of.entries} home={home} at={at} />
    </details>
  );
}

/** The name of the workspace, the search and the navigation: a sidebar, and a menu on narrow screens. */
export function Header({ ctx, membership, groups, at }: HeaderProps) {
  const home = membership ? `/dashboard/${membership.workspace_id}` : '/dashboard';
  const { q } = (ctx.state.query ?? {}) as { q?: string };
  return (
    <header class="side">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <a class="brand" href={home}>
        <Mark />
        <span>{membership?.workspace_name ?? 'Holdfast'}</span>
      </a>
      {membership && (
        <form action={`${home}/search`} role="search" aria-label="Workspace" class="search">
          <Icon name="search" />
          <input
            type="search"
            name="q"
            id="search"
            value={ctx.path === `${home}/search` ? q : undefined}
            maxLength={100}
            placeholder="Search"
            title="Name, reference or ID"
            aria-label="Search this workspace"
          />
        </form>
      )}
      <button type="button" class="menu quiet" popovertarget="menu" aria-label="Menu">
        <Icon name="menu" />
      </button>
      <nav id="menu" popover="auto" aria-label="Pages">
        {groups.map((group) => (
          <Group key={group.name} of={group} home={home} at={at} />
        ))}
        <Account ctx={ctx} membership={membership} at={at} />
      </nav>
    </header>
  );
}
