import type { ComponentChildren } from 'preact';
import { listMemberships, listOffers } from '../../../db/queries/members/membership.js';
import { can, CAPABILITIES, type Capability, type Role } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { offerPath, redirectToOffer } from '../../sign-in/membership.js';
import { membershipIn, mustSignInThere } from '../../sign-in/single-sign-on/membership.js';
import { PageError } from '../../ui/browser.js';
import { showDashboard, type Tab } from './layout.js';
import { navigationFor } from './navigation.js';
import { toPrincipal } from '../../ui/principal.js';

/**
 * Sets the principal to the person's membership of the workspace in the path, with all scopes. Errors: 404
 * for a workspace that they are not a member of. A person who has not accepted the membership is redirected
 * to the page where they can.
 */
export function inWorkspace({ db }: ApiDependencies): Handler {
  return async (ctx, next) => {
    const { workspace } = ctx.params;
    const membership = await membershipIn(ctx, db, workspace!);
    if (!membership) {
      if (await redirectToOffer(ctx, db, workspace!)) return;
      throw new PageError(404, 'Workspace not found', 'It does not exist, or you are not a member of it.');
    }
    if (mustSignInThere(ctx, membership)) return;
    ctx.state.membership = membership;
    ctx.state.principal = toPrincipal(ctx.state.session!.profile_id, membership);
    await next();
  };
}

const formatRole = (role: Role): string => role.replaceAll('_', ' ');

export function requiresCapability(capability: Capability): Handler {
  return async (ctx, next) => {
    const { role } = ctx.state.principal;
    if (!can(role, capability))
      throw new PageError(
        403,
        'You don’t have access to this page',
        `Your role is ${formatRole(role)}. This page requires the role ` +
          `${CAPABILITIES[capability].map(formatRole).join(' or ')}.`,
      );
    await next();
  };
}

export interface Shown {
  title: string;
  /** The entry of the navigation that it belongs to. */
  at: string;
  primary?: ComponentChildren;
  tabs?: readonly Tab[];
  passkeys?: boolean;
  css?: string;
  script?: string;
  children: ComponentChildren;
}

export function showSection(ctx: ApiContext, page: Shown, status = 200): void {
  const membership = ctx.state.membership!;
  showDashboard(ctx, { ...page, membership, navigation: navigationFor(membership) }, status);
}

/** `GET /`: redirects browsers to the dashboard; not found for other clients. */
export const redirectBrowsers: Handler = async (ctx, next) => {
  if (ctx.accepts('json', 'html') === 'html') ctx.redirect('/dashboard');
  else await next();
};

/**
 * `GET /dashboard`: the person's workspaces, and those that they can accept. A person with one
 * workspace is redirected to it.
 */
export function showWorkspaces({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { profile_id, provider } = ctx.state.session!;
    if (provider) return ctx.redirect(`/dashboard/${provider.workspace_id}`);
    const memberships = await listMemberships(db.manager, profile_id);
    const offers = await listOffers(db.manager, profile_id);
    if (memberships.length === 0 && offers.length === 1) return ctx.redirect(offerPath(offers[0]!));
    if (memberships.length === 1) return ctx.redirect(`/dashboard/${memberships[0]!.workspace_id}`);
    showDashboard(ctx, {
      title: 'Your workspaces',
      children: (
        <ul class="plain">
          {memberships.map((membership) => (
            <li key={membership.workspace_id} class="card">
              <a href={`/dashboard/${membership.workspace_id}`}>{membership.workspace_name}</a>{' '}
              <span class="soft">{membership.role.replaceAll('_', ' ')}</span>
            </li>
          ))}
          {offers.map((offer) => (
            <li key={offer.workspace_id} class="card">
              <a href={offerPath(offer)}>Accept your membership in {offer.workspace_name}</a>
            </li>
          ))}
          {memberships.length + offers.length === 0 && (
            <li>You are not a member of any workspace. Ask your workspace’s team to invite you.</li>
          )}
        </ul>
      ),
    });
  };
}
