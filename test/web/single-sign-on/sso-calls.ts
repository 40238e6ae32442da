import { insertMember } from '../../../commands/members/members.js';
import type { SsoConnection } from '../../../db/entities/single-sign-on.js';
import { db, dev } from '../../support/stack.js';
import { startOidcProvider, type Account, type TestOidcProvider } from '../../support/oidc-provider.js';
import { Visitor } from '../../support/visitor.js';
import { newWorkspace, uniqueEmail, type TestWorkspace } from '../../support/workspaces.js';

export const at = (path: string): string => dev.baseUrl + path;

type Options = Partial<Pick<SsoConnection, 'required' | 'trust_second_factor' | 'provision' | 'provider'>>;

export interface Scene {
  workspace: TestWorkspace;
  provider: TestOidcProvider;
  /** The name of the workspace's sign-in page. */
  name: string;
}

/** Switches on single sign-on for a workspace. Returns the name of its sign-in page. */
export async function connect(
  workspaceId: string,
  { required = 'none', trust_second_factor = false, provision = null, provider }: Options,
): Promise<string> {
  const name = `house-${workspaceId.slice(-8)}`;
  await db.query(`INSERT INTO sign_in_names (name, workspace_id) VALUES ($1, $2)`, [name, workspaceId]);
  await db.query(
    `INSERT INTO sso_connections (workspace_id, name, provider, enabled, required,
      trust_second_factor, provision)
     VALUES ($1, 'Okta', $2, true, $3, $4, $5)`,
    [
      workspaceId,
      JSON.stringify(provider),
      required,
      trust_second_factor,
      provision && JSON.stringify(provision),
    ],
  );
  return name;
}

/** A workspace with an OpenID Connect provider, at which `account` is signed in. */
export async function newScene(
  t: { teardown(close: () => unknown): void },
  account: Partial<Account> = {},
  options: Options = {},
): Promise<Scene> {
  const workspace = await newWorkspace();
  const identityProvider = await startOidcProvider(t, workspace.id, {
    sub: 'Ada-1',
    email: uniqueEmail(),
    name: 'Ada',
    ...account,
  });
  const provider = { protocol: 'oidc', issuer: identityProvider.issuer, client_id: 'holdfast' } as const;
  return {
    workspace,
    provider: identityProvider,
    name: await connect(workspace.id, { ...options, provider }),
  };
}

/** Adds a member to a workspace who has accepted nothing, and whose address is not proven. */
export async function addMember(
  { id: workspace_id }: TestWorkspace,
  email: string,
  more: Partial<Parameters<typeof insertMember>[1]> = {},
): Promise<string> {
  const member = await insertMember(db.manager, {
    workspace_id,
    email,
    name: 'Ada',
    role: 'member',
    tier: 'basic',
    ...more,
  });
  return member.id;
}

/** Signs in through a workspace's provider. Returns the next page. */
export async function signIn({ name }: Scene, visitor = new Visitor(), stops?: (url: string) => boolean) {
  const page = await visitor.follow(at(`/sign-in/${name}`));
  const shown = await visitor.submit(page, `/sign-in/${name}`, {}, stops);
  return { visitor, ...shown };
}

export const readHeading = (html: string): string => /<h1[^>]*>([^<]*)/.exec(html)?.[1] ?? html.slice(0, 300);

/** The reasons for refused answers in the workspace's audit log, oldest first. */
export const refusals = async (workspaceId: string): Promise<string[]> =>
  (
    await db.query(
      `SELECT details FROM audit_log WHERE workspace_id = $1 AND action = 'sso.refused' ORDER BY id`,
      [workspaceId],
    )
  ).map(({ details }: { details: { reason: string } }) => details.reason);
