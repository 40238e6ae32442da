import test from 'ava';
import { insertMember } from '../../../commands/members/members.js';
import { transferOwnership } from '../../../commands/members/ownership.js';
import { transaction } from '../../../db/transaction.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../../domain/policies.js';
import { codeOf } from '../../support/browser.js';
import { db } from '../../support/stack.js';
import { newWorkspace, ownerOf, uniqueEmail, type TestWorkspace } from '../../support/workspaces.js';
import { WebSession } from '../../support/web-session.js';
import { createMember } from '../../support/member-calls.js';
import { newMember } from '../../support/people.js';

/** Adds an address to a workspace, whose person does not know of it. */
async function offer(
  { id }: TestWorkspace,
  email: string,
  role: 'member' | 'admin' = 'admin',
): Promise<string> {
  const member = { workspace_id: id, email, name: 'Mel', role, tier: 'basic' } as const;
  return (await insertMember(db.manager, member)).id;
}

const locationOf = async (session: WebSession, path: string): Promise<string | null> =>
  (await session.get(path)).headers.get('location');

test('a stranger who makes a person an admin does not force a second factor on them, until they accept', async (t) => {
  const [home, stranger] = [await newWorkspace(), await newWorkspace()];
  const { email } = await createMember(home.api, { email: uniqueEmail() });
  const session = await WebSession.start(email);
  await offer(stranger, email);
  t.is((await session.get('/account')).status, 200);
  t.is(await locationOf(session, '/dashboard'), `/dashboard/${home.id}`, 'the workspace that they know');
  const asked = await locationOf(session, `/dashboard/${stranger.id}/members?q=a`);
  t.is(
    asked,
    `/account/memberships/${stranger.id}?return_to=` +
      `${encodeURIComponent(`/dashboard/${stranger.id}/members?q=a`)}`,
  );
  t.regex(await session.textOf(asked!), /Accept membership/);
  t.is((await session.get('/account')).status, 200, 'opening the page accepts nothing');
  const accepted = await session.post(`/account/memberships/${stranger.id}`);
  t.is(accepted.headers.get('location'), `/dashboard/${stranger.id}`);
  t.is(await locationOf(session, `/dashboard/${stranger.id}`), '/sign-in/authenticator');
  await session.enrol();
  t.is((await session.get(`/dashboard/${stranger.id}`)).status, 200);
});

test('a membership that is not accepted does not prevent the reset of a second factor, nor shows or resets it', async (t) => {
  const [home, stranger] = [await newWorkspace(), await newWorkspace()];
  const { email, id } = await newMember(home, { role: 'admin' });
  const lost = await WebSession.start(email);
  await lost.enrol();
  const theirs = await offer(stranger, email, 'member');
  const resetBy = async (workspace: TestWorkspace, memberId: string): Promise<Response> => {
    const owner = await WebSession.start(await ownerOf(workspace.id));
    const key = await owner.enrol();
    const page = `/dashboard/${workspace.id}/members/${memberId}`;
    if (workspace === stranger) t.notRegex(await owner.textOf(page), /reset-second-factor/);
    return owner.post(`${page}/reset-second-factor`, { code: codeOf(key, 1) });
  };
  const refused = await resetBy(stranger, theirs);
  t.is(refused.status, 409);
  t.regex(await refused.text(), /has no second factor, or has not accepted/);
  t.is((await lost.get('/account')).status, 200);
  t.is((await resetBy(home, id)).status, 302);
  t.is((await lost.get('/account')).status, 302, 'the session has ended');
});

test('a membership that is not accepted cannot own the workspace', async (t) => {
  const workspace = await newWorkspace();
  const id = await offer(workspace, uniqueEmail());
  const owner = {
    workspace_id: workspace.id,
    member_id: workspace.ownerId,
    profile_id: '',
    role: 'owner' as const,
    issuer_ids: [],
    key_id: null,
    key_created_at: null,
    resources: [...SCOPE_RESOURCES],
    actions: [...SCOPE_ACTIONS],
    ip_allowlist: [],
  };
  await t.throwsAsync(
    transaction(db, (tx) => transferOwnership(tx, owner, id)),
    { message: /has not accepted the membership/ },
  );
});

test('a person whose only membership is not accepted is asked at the dashboard', async (t) => {
  const workspace = await newWorkspace();
  const email = uniqueEmail();
  await offer(workspace, email, 'member');
  const session = await WebSession.start(email, { accepts: false });
  t.is(await locationOf(session, '/dashboard'), `/account/memberships/${workspace.id}`);
  t.is((await session.post(`/account/memberships/${workspace.id}`)).status, 302);
  t.is(await locationOf(session, '/dashboard'), `/dashboard/${workspace.id}`);
});
