import test from 'ava';
import { insertMember } from '../../../commands/members/members.js';
import { transferOwnership } from '../../../commands/members/ownership.js';
import { createEncryption } from '../../../db/encryption.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../../domain/policies.js';
import { totpCode } from '../../support/browser.js';
import { db } from '../../support/stack.js';
import { newWorkspace, findOwnerEmail, uniqueEmail, type TestWorkspace } from '../../support/workspaces.js';
import { WebSession } from '../../support/web-session.js';
import { createMember } from '../../support/member-calls.js';
import { newMember } from '../../support/people.js';

/** Adds an address to a workspace without its owner knowing. */
async function offer(
  { id }: TestWorkspace,
  email: string,
  role: 'member' | 'admin' = 'admin',
): Promise<string> {
  const member = { workspace_id: id, email, name: 'Mel', role, tier: 'basic' } as const;
  return (await insertMember(db.manager, member)).id;
}

const readLocation = async (session: WebSession, path: string): Promise<string | null> =>
  (await session.get(path)).headers.get('location');

test('a public guest who makes a person an admin does not force a second factor on them until they accept', async (t) => {
  const [home, outsider] = [await newWorkspace(), await newWorkspace()];
  const { email } = await createMember(home.api, { email: uniqueEmail() });
  const session = await WebSession.start(email);
  await offer(outsider, email);
  t.is((await session.get('/account')).status, 200);
  t.is(await readLocation(session, '/dashboard'), `/dashboard/${home.id}`, 'the workspace that they know');
  const asked = await readLocation(session, `/dashboard/${outsider.id}/members?q=a`);
  t.is(
    asked,
    `/account/memberships/${outsider.id}?return_to=` +
      `${encodeURIComponent(`/dashboard/${outsider.id}/members?q=a`)}`,
  );
  t.regex(await session.getText(asked!), /Accept membership/);
  t.is((await session.get('/account')).status, 200, 'opening the page accepts nothing');
  const accepted = await session.post(`/account/memberships/${outsider.id}`);
  t.is(accepted.headers.get('location'), `/dashboard/${outsider.id}`);
  t.is(await readLocation(session, `/dashboard/${outsider.id}`), '/sign-in/authenticator');
  await session.enrol();
  t.is((await session.get(`/dashboard/${outsider.id}`)).status, 200);
});

test('an unaccepted membership does not prevent the reset of a second factor, nor does it show or reset it', async (t) => {
  const [home, outsider] = [await newWorkspace(), await newWorkspace()];
  const { email, id } = await newMember(home, { role: 'admin' });
  const lost = await WebSession.start(email);
  await lost.enrol();
  const theirs = await offer(outsider, email, 'member');
  const resetBy = async (workspace: TestWorkspace, memberId: string): Promise<Response> => {
    const owner = await WebSession.start(await findOwnerEmail(workspace.id));
    const key = await owner.enrol();
    const page = `/dashboard/${workspace.id}/members/${memberId}`;
    if (workspace === outsider) t.notRegex(await owner.getText(page), /reset-second-factor/);
    return owner.post(`${page}/reset-second-factor`, { code: totpCode(key, 1) });
  };
  const refused = await resetBy(outsider, theirs);
  t.is(refused.status, 409);
  t.regex(await refused.text(), /has not set up two-step verification, or has not accepted/);
  t.is((await lost.get('/account')).status, 200);
  t.is((await resetBy(home, id)).status, 302);
  t.is((await lost.get('/account')).status, 302, 'the session has ended');
});

test('an unaccepted membership cannot own the workspace', async (t) => {
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
  const encryption = createEncryption(Buffer.alloc(32).toString('base64'));
  await t.throwsAsync(transferOwnership({ db, encryption }, owner, id, null), {
    message: /has not accepted the membership/,
  });
});

test('a person whose only membership is unaccepted is asked in the dashboard', async (t) => {
  const workspace = await newWorkspace();
  const email = uniqueEmail();
  await offer(workspace, email, 'member');
  const session = await WebSession.start(email, { accepts: false });
  t.is(await readLocation(session, '/dashboard'), `/account/memberships/${workspace.id}`);
  t.is((await session.post(`/account/memberships/${workspace.id}`)).status, 302);
  t.is(await readLocation(session, '/dashboard'), `/dashboard/${workspace.id}`);
});
