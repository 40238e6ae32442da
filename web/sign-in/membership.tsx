import joi from 'joi';
import type { DataSource } from 'typeorm';
import { acceptMembership } from '../../commands/members/accept-membership.js';
import { findMembership, findOffer, type Membership } from '../../db/queries/members/membership.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { PageError } from '../ui/browser.js';
import { Form } from '../ui/forms.js';
import { showPage } from '../ui/layout.js';
import { localPath } from '../ui/session.js';

export const offerFields = { return_to: joi.string().allow('') };

/** The page on which a person accepts a membership that they were given. */
export const offerPath = ({ workspace_id }: Pick<Membership, 'workspace_id'>, returnTo?: string): string =>
  `/account/memberships/${workspace_id}${returnTo ? `?return_to=${encodeURIComponent(returnTo)}` : ''}`;

/**
 * Redirects a person to the page where they accept their membership in a workspace, and from there to the
 * page that they requested. Returns false if there is none to accept.
 */
export async function redirectToOffer(
  ctx: ApiContext,
  db: DataSource,
  workspaceId: string,
): Promise<boolean> {
  // Sessions through a provider cannot accept memberships.
  if (workspaceId.includes('\0') || ctx.state.session!.provider) return false;
  const offer = await findOffer(db.manager, ctx.state.session!.profile_id, workspaceId);
  if (offer) ctx.redirect(offerPath(offer, ctx.method === 'GET' ? ctx.originalUrl : undefined));
  return offer !== null;
}

/**
 * The membership of the path, which the person has not accepted yet; null after a redirect to the workspace,
 * because they have. Errors: 404.
 */
async function findOfferedMembership(
  ctx: ApiContext,
  { db: { manager } }: Pick<ApiDependencies, 'db'>,
): Promise<Membership | null> {
  const { profile_id } = ctx.state.session!;
  const workspace = ctx.params.workspace!;
  const isNone = workspace.includes('\0');
  const offer = isNone ? null : await findOffer(manager, profile_id, workspace);
  if (offer) return offer;
  if (isNone || !(await findMembership(manager, profile_id, workspace)))
    throw new PageError(404, 'There is no membership to accept', 'The workspace has ended it.');
  ctx.redirect(`/dashboard/${workspace}`);
  return null;
}

/**
 * `GET /account/memberships/:workspace` asks whether the person accepts the membership, and changes nothing.
 */
export function showOffer(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const offer = await findOfferedMembership(ctx, deps);
    if (!offer) return;
    const { workspace_name, role, workspace_id } = offer;
    showPage(ctx, 200, {
      title: `Join ${workspace_name}?`,
      children: (
        <Form action={offerPath({ workspace_id })} session={ctx.state.session}>
          <p>
            <strong>{workspace_name}</strong> has added {ctx.state.session!.email}{' '}
            {role === 'member' ? 'as a member' : `with the role ${role.replaceAll('_', ' ')}`}. Once you
            accept, its audit log shows when you sign in.
          </p>
          <input type="hidden" name="return_to" value={String(ctx.query.return_to ?? '')} />
          <button>Accept membership</button>
        </Form>
      ),
    });
  };
}

/**
 * `POST /account/memberships/:workspace` accepts the membership
 * (docs/rules/members.md#accepting-a-membership). From then on an owner or admin needs an authenticator.
 */
export function acceptOffer(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const offer = await findOfferedMembership(ctx, deps);
    if (!offer) return;
    const { return_to } = ctx.state.body as { return_to?: string };
    const next = return_to ? localPath(return_to) : `/dashboard/${offer.workspace_id}`;
    const { id_hash } = ctx.state.session!;
    await acceptMembership(deps.db, offer, { id_hash, return_to: next });
    ctx.redirect(next);
  };
}
