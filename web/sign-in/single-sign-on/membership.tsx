import type { DataSource } from 'typeorm';
import type { Session } from '../../../commands/sign-in/sessions.js';
import {
  findMembership,
  findProviderMembership,
  type Membership,
} from '../../../db/queries/members/membership.js';
import type { ApiContext } from '../../../api/http/context.js';
import { showPage } from '../../ui/layout.js';

/**
 * The membership in a workspace that the session of a request opens, or null: of a session through a
 * provider, only that of the provider's workspace (docs/rules/single-sign-on.md#what-it-opens).
 */
export async function membershipIn(
  ctx: ApiContext,
  db: DataSource,
  workspaceId: string,
): Promise<Membership | null> {
  const session = ctx.state.session!;
  if (workspaceId.includes('\0') || !opensWorkspace(session, workspaceId)) return null;
  const find = session.provider ? findProviderMembership : findMembership;
  return find(db.manager, session.profile_id, workspaceId);
}

/** Whether a session is for a workspace: one through a provider is for the provider's workspace only. */
export const opensWorkspace = ({ provider }: Session, workspaceId: string): boolean =>
  provider === null || provider.workspace_id === workspaceId;

/** False if the person has to sign in through the workspace's provider. */
export const entersFreely = (session: Session, { required_sign_in }: Membership): boolean =>
  session.provider !== null || required_sign_in === null;

/** Whether the owner is signed in through the provider, whose manager could impersonate anyone. */
export const isOwnerByProvider = (session: Session, { role }: Membership): boolean =>
  session.provider !== null && role === 'owner';

/** Sends a person who must sign in through the workspace's provider there. True if they must. */
export function mustSignInThere(ctx: ApiContext, membership: Membership): boolean {
  const session = ctx.state.session!;
  if (entersFreely(session, membership)) return false;
  const page = `/sign-in/${membership.required_sign_in}`;
  const returnTo = ctx.method === 'GET' ? ctx.originalUrl : `/dashboard/${membership.workspace_id}`;
  showPage(ctx, 403, {
    title: `Sign in to ${membership.workspace_name}`,
    children: (
      <>
        <p>{membership.workspace_name} requires single sign-on.</p>
        <p>
          <a class="button" href={`${page}?return_to=${encodeURIComponent(returnTo)}`}>
            Continue
          </a>
        </p>
        <p>
          <a href="/account">Your account</a>
        </p>
      </>
    ),
  });
  return true;
}
