import { type ExecutionContext } from 'ava';
import * as oauth from 'oauth4webapi';
import type { Browser, Page } from 'playwright-core';
import { allow, exchange, startApp, type OauthApp, type Tokens } from '../../support/oauth-app.js';
import { client } from '../../support/api-client.js';
import { db } from '../../support/stack.js';
import { newWorkspace, type TestWorkspace } from '../../support/workspaces.js';
import { openSignedIn } from '../../support/web-session.js';
import { newMember, type Person } from '../../support/people.js';

export const apps: OauthApp[] = [];

interface Scene {
  workspace: TestWorkspace;
  person: Person;
  app: OauthApp;
  page: Page & { complaints: string[] };
}

/** A workspace with a member who is signed in, and an application. */
export async function newScene(
  browser: Browser,
  options: { public?: boolean; redirectUris?: string[] } = {},
): Promise<Scene> {
  const workspace = await newWorkspace();
  const person = await newMember(workspace);
  const app = await startApp(workspace.api, options);
  apps.push(app);
  return { workspace, person, app, page: await openSignedIn(browser, person.email) };
}

export async function newTokens(scene: Scene, scope = 'calendar:read calendar:write'): Promise<Tokens> {
  return exchange(scene.app, await allow(scene.page, scene.app, scope));
}

/** Asserts that the stock client reports this OAuth error. */
export async function refused(t: ExecutionContext, work: Promise<unknown>, error: string, message?: string) {
  const thrown = await t.throwsAsync(work, { instanceOf: oauth.ResponseBodyError }, message);
  t.is(thrown?.error, error, message);
}

/** The workspace's audit entries about revoked grants. */
export const revocations = async ({ workspace }: Scene) =>
  (await workspace.api.get('/v1/audit-log?action=oauth_grant.revoked')).body.data;

export const findProfileId = async (memberId: string): Promise<string> =>
  (await db.query('SELECT profile_id FROM members WHERE id = $1', [memberId]))[0].profile_id;

export const works = async ({ access_token }: Tokens): Promise<boolean> =>
  (await client(access_token).get('/v1/bookings')).status === 200;
