import { findSignInName } from '../../../commands/single-sign-on/sign-in-names.js';
import type { SsoCandidate, SsoConnection } from '../../../db/entities/single-sign-on.js';
import { findSsoCandidate, findSsoConnection } from '../../../db/queries/single-sign-on/single-sign-on.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Plans } from '../../../domain/members/plans.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { callbackUrl, samlUrls } from '../../sign-in/single-sign-on/login.js';
import { findOrCreateServiceKey } from '../../sign-in/single-sign-on/service-key.js';
import type { PageRequest } from '../forms/page.js';
import { providerKind, type Kind } from './kinds.js';

export const AT = '/sign-in';

/** The settings of single sign-on, and the provider that is entered. */
export interface Settings {
  publicUrl: string;
  name: string | null;
  connection: SsoConnection | null;
  candidate: SsoCandidate | null;
  plans: Plans;
  /** The provider to enter; null before one is chosen. */
  kind: Kind | null;
  saved: SsoConnection | SsoCandidate | null;
  /** The values to enter at a provider of this kind. */
  ours: ServiceProviderValues | null;
}

export type ServiceProviderValues =
  | { protocol: 'oidc'; redirect_uri: string }
  | { protocol: 'saml'; entity_id: string; acs_url: string; certificate: string };

async function readOurs(
  deps: ApiDependencies,
  workspaceId: string,
  kind: Kind,
): Promise<ServiceProviderValues> {
  if (kind !== 'saml') return { protocol: 'oidc', redirect_uri: callbackUrl(deps, workspaceId) };
  const { certificate } = await findOrCreateServiceKey(deps, workspaceId);
  return { protocol: 'saml', ...samlUrls(deps, workspaceId), certificate };
}

/** Reads the settings; `provider` in the query is the kind to enter. */
export async function readSettings(
  { caller: { workspace_id }, query }: PageRequest,
  deps: ApiDependencies,
): Promise<Settings> {
  const { manager } = deps.db;
  const connection = await findSsoConnection(manager, workspace_id);
  const candidate = await findSsoCandidate(manager, workspace_id);
  const latest = candidate ?? connection;
  const latestKind = latest && providerKind(latest.provider);
  const kind = (query.provider as Kind | undefined) ?? (candidate ? latestKind : null);
  return {
    publicUrl: deps.publicUrl,
    name: await findSignInName(manager, workspace_id),
    connection,
    candidate,
    plans: (await findWorkspace(manager, workspace_id))!.plans,
    kind,
    saved: latestKind === kind ? latest : null,
    ours: kind && (await readOurs(deps, workspace_id, kind)),
  };
}
