import type { Membership } from '../../db/queries/members/membership.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES, type Principal } from '../../domain/policies.js';

/** A signed-in person as a member of one of their workspaces, with all scopes. */
export function toPrincipal(profileId: string, membership: Membership): Principal {
  return {
    workspace_id: membership.workspace_id,
    member_id: membership.member_id,
    profile_id: profileId,
    role: membership.role,
    issuer_ids: [],
    key_id: null,
    key_created_at: null,
    resources: [...SCOPE_RESOURCES],
    actions: [...SCOPE_ACTIONS],
    ip_allowlist: [],
  };
}
