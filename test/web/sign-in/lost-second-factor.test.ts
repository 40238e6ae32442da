import test from 'ava';
import { insertMember } from '../../../commands/members/members.js';
import { totpCode } from '../../support/browser.js';
import { internal } from '../../support/api-client.js';
import { mailTo } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, findOwnerEmail, uniqueEmail } from '../../support/workspaces.js';
import { readNotice, WebSession } from '../../support/web-session.js';
import { newMember } from '../../support/people.js';

const untilMailed = (email: string): Promise<unknown> =>
  until(async () =>
    (await mailTo(email)).some(({ subject }) => /Two-step verification .* was reset/.test(subject)),
  );

/** Whether a person who signs in by a link must set up an authenticator next. */
async function mustEnrol(email: string): Promise<boolean> {
  const session = await WebSession.start(email);
  return (await session.get('/dashboard')).headers.get('location') === '/sign-in/authenticator';
}

test("the owner resets an admin's lost second factor, with their own code", async (t) => {
  const workspace = await newWorkspace();
  const admin = await newMember(workspace, { role: 'admin' });
  const lost = await WebSession.start(admin.email);
  await lost.enrol();
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  const key = await owner.enrol();
  const page = `/dashboard/${workspace.id}/members/${admin.id}`;
  const reset = (code: string) => owner.submit(page, `${page}/reset-second-factor`, { code });

  const wrong = await reset('000000');
  t.is(wrong.status, 422);
  t.regex(await wrong.text(), /code is wrong/);
  t.is((await lost.get('/account')).status, 200);

  t.regex(readNotice(await reset(totpCode(key, 1)))!, /has been reset, and their sessions have ended/);
  t.is((await lost.get('/account')).status, 302, 'the session has ended');
  t.true(await mustEnrol(admin.email));
  await untilMailed(admin.email);
  const { body: log } = await workspace.api.get('/v1/audit-log?action=second_factor.reset');
  t.like(log.data[0], { object: admin.id, actor: { member_id: workspace.ownerId, key_id: null } });
  t.false((await owner.getText(page)).includes('Reset the second factor'), 'there is none any more');
});

test('the operator resets the second factor of an owner, or of a person with other workspaces', async (t) => {
  const email = uniqueEmail();
  const [home, other] = await Promise.all([newWorkspace({ owner_email: email }), newWorkspace()]);
  const { id } = await insertMember(db.manager, {
    workspace_id: other.id,
    email,
    name: 'Mel',
    role: 'admin',
    tier: 'basic',
  });
  const session = await WebSession.start(email);
  await session.enrol();
  const owner = await WebSession.start(await findOwnerEmail(other.id));
  const key = await owner.enrol();
  const page = `/dashboard/${other.id}/members/${id}`;
  const refused = await owner.submit(page, `${page}/reset-second-factor`, { code: totpCode(key, 1) });
  t.is(refused.status, 409);
  t.is((await session.get('/account')).status, 200);

  const { status, body } = await internal('reset_second_factor', { email: email.toUpperCase() });
  t.is(status, 200);
  t.deepEqual(body, { workspace_ids: [home.id, other.id].toSorted() });
  t.is((await session.get('/account')).status, 302);
  t.true(await mustEnrol(email));
  await untilMailed(email);
  for (const [{ api }, member] of [
    [home, home.ownerId],
    [other, id],
  ] as const) {
    const { body: log } = await api.get('/v1/audit-log?action=second_factor.reset');
    t.like(log.data[0], { object: member, actor: { system: 'operator' } });
  }
  t.is((await internal('reset_second_factor', { email })).status, 404, 'there is none any more');
});
