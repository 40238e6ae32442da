import test from 'ava';
import { toUUID, type TypeId } from 'typeid-js';
import { anonymous, type ApiClient } from '../../support/api-client.js';
import { mailTo } from '../../support/simulators.js';
import { openLink } from '../../support/links.js';
import { db, dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { totpCode } from '../../support/browser.js';
import { WebSession } from '../../support/web-session.js';
import { isError } from '../../support/booking-calls.js';
import { createMember } from '../../support/member-calls.js';
import { newKey, newMember } from '../../support/people.js';

const isIn = async (session: WebSession): Promise<boolean> => (await session.get('/account')).status === 200;

const findProfileId = async (memberId: string): Promise<string> =>
  (await db.query(`SELECT profile_id FROM members WHERE id = $1`, [memberId]))[0].profile_id;

/**
 * Signs in as a new member of a workspace, whose address is then changed to `victim`. The member also belongs
 * to `elsewhere`, if given.
 */
async function claim(mine: { api: ApiClient }, victim: string, elsewhere?: { api: ApiClient }) {
  const email = uniqueEmail();
  const member = await createMember(mine.api, { email });
  if (elsewhere) await createMember(elsewhere.api, { email });
  const session = await WebSession.start(email);
  const changed = await mine.api.patch(`/v1/members/${member.id}`, { email: victim });
  if (changed.status !== 200) throw new Error(JSON.stringify(changed.body));
  return { email, member, session };
}

test('whoever claims an address first has no access to what its person gets later', async (t) => {
  const [mine, alsoMine, theirs] = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
  const [first, second] = [uniqueEmail(), uniqueEmail()];
  const lone = await claim(mine, first);
  const kept = await claim(mine, second, alsoMine);
  t.false(await isIn(lone.session), 'the old profile is gone, and its session with it');
  t.true(await isIn(kept.session), 'the old profile is still a member elsewhere');
  for (const [victim, { session, member }] of [
    [first, lone],
    [second, kept],
  ] as const) {
    const hired = await createMember(theirs.api, { email: victim });
    t.is((await theirs.api.patch(`/v1/members/${hired.id}`, { role: 'admin' })).status, 200);
    t.is(await findProfileId(hired.id), await findProfileId(member.id), 'one profile per address');
    t.not((await session.get(`/dashboard/${theirs.id}`)).status, 200);
    const [{ sessions, factors }] = await db.query(
      `SELECT (SELECT count(*)::int FROM sessions WHERE profile_id = $1) AS sessions,
              (SELECT count(*)::int FROM second_factors WHERE profile_id = $1) AS factors`,
      [await findProfileId(hired.id)],
    );
    t.deepEqual([sessions, factors], [0, 0], 'an unproven profile has neither a session nor a second factor');
  }
});

test('a new address is proven by the link mailed to it, and the old address is notified', async (t) => {
  const { api } = await newWorkspace({ name: 'Harbour House' });
  const before = uniqueEmail();
  const after = uniqueEmail();
  const member = await createMember(api, { email: before, name: 'Ada' });
  const { body } = await api.patch(`/v1/members/${member.id}`, { email: after });
  t.is(body.email, after);
  const awaitMail = (address: string) => until(async () => (await mailTo(address))[0]);
  const told = await awaitMail(before);
  t.regex(told.subject, /address .*changed/i);
  t.false(told.text.includes(after), 'the new address is not disclosed');
  const { text } = await awaitMail(after);
  const { pathname } = new URL(/https?:\S+\/invite\/\S+/.exec(text)![0]);
  const isProven = async (): Promise<boolean> =>
    (await db.query(`SELECT verified_at FROM profiles WHERE email = $1`, [after]))[0].verified_at !== null;
  t.is((await openLink(dev.baseUrl + pathname)).status, 200);
  t.false(await isProven(), 'opening the link changes nothing');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  t.is((await anonymous('POST', pathname, '', form)).status, 200);
  t.true(await isProven());
  t.is((await anonymous('POST', pathname, '', form)).status, 410, 'the link can be used once');
  t.like((await api.get(`/v1/members/${member.id}`)).body, { name: 'Ada', status: 'active' });
});

test('a sign-in proves the address too', async (t) => {
  const { api } = await newWorkspace();
  const { email } = await createMember(api);
  const verified = async () =>
    (await db.query(`SELECT verified_at FROM profiles WHERE email = $1`, [email]))[0].verified_at;
  t.is(await verified(), null);
  t.true(await isIn(await WebSession.start(email)));
  t.truthy(await verified());
});

test('a change of address ends the keys of the membership, but another spelling does not', async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace);
  const path = `/v1/members/${member.id}` as const;
  const spelled = await workspace.api.patch(path, { email: member.email.toUpperCase() });
  t.is(spelled.body.email, member.email.toUpperCase());
  t.is((await member.api.get(path)).status, 200);
  t.is((await member.api.patch(path, { email: uniqueEmail() })).status, 200);
  isError(t, await member.api.get(path), 401, 'auth_invalid');
});

test("nobody can change the owner's address through the API, and only the owner an admin's", async (t) => {
  const workspace = await newWorkspace();
  const { api, ownerId } = workspace;
  const [admin, colleague] = [
    await newMember(workspace, { role: 'admin' }),
    await newMember(workspace, { role: 'admin' }),
  ];
  const patch = (by: ApiClient, id: string) => by.patch(`/v1/members/${id}`, { email: uniqueEmail() });
  for (const by of [api, admin.api]) isError(t, await patch(by, ownerId), 403, 'owner_protected');
  const operations = [{ op: 'update', id: ownerId, email: uniqueEmail() }];
  const { body } = await admin.api.post('/v1/members.bulk', { operations });
  t.is(body.results[0]!.error!.code, 'owner_protected');
  for (const by of [colleague.api, admin.api])
    isError(t, await patch(by, admin.id), 403, 'role_insufficient');
  t.is((await patch(api, admin.id)).status, 200);
});

/** The link that confirms a requested address, from the mail sent to it. */
async function linkTo(address: string): Promise<string> {
  const { text } = await until(async () => (await mailTo(address))[0]);
  return new URL(/https?:\S+\/account\/email\/\S+/.exec(text)![0]).pathname;
}

test('an owner changes their own address on the account page, with a recent sign-in, a code and the new mailbox', async (t) => {
  const [before, after] = [uniqueEmail(), uniqueEmail()];
  const { api, id, ownerId } = await newWorkspace({ owner_email: before });
  const session = await WebSession.start(before);
  const key = await session.enrol();
  const change = (code: string): Promise<Response> =>
    session.post('/account/email', { workspace: id, email: after, email_again: after, code });
  const age = (minutes: number) =>
    db.query(`UPDATE sessions SET created_at = now() - $2 * interval '1 minute' WHERE profile_id = $1`, [
      previous,
      minutes,
    ]);
  const previous = await findProfileId(ownerId);
  t.is((await change('000000')).status, 422, 'a wrong code');
  await age(11);
  t.is((await change(totpCode(key, 1))).status, 403, 'the sign-in is too long ago');
  await age(9);
  t.is((await change(totpCode(key, 1))).status, 200);
  const link = await linkTo(after);
  const told = await until(async () =>
    (await mailTo(before)).find(({ subject }) => /Request to change/.test(subject)),
  );
  t.false(told.text.includes(after), 'the new address is not disclosed');
  t.is(await findProfileId(ownerId), previous, 'nothing has changed');
  t.is((await api.get('/v1/workspace')).status, 200, 'nor have the keys ended');
  // A mistyped address belongs to somebody, who gets the link and can sign in as themselves.
  const outsider = uniqueEmail();
  await createMember(api, { email: outsider });
  const theirs = await WebSession.start(outsider);
  t.is((await theirs.follow(link)).response.status, 410);
  t.is((await theirs.post(link)).status, 410);
  const arrival = await anonymous('GET', link);
  t.is(arrival.status, 303);
  const [cookie] = arrival.headers.getSetCookie();
  const path = link.split('.')[0]!;
  t.regex(cookie!, new RegExp(`^holdfast_link=[^;]+; path=${path};`));
  const kept = { cookie: cookie!.split(';')[0]! };
  const onward = await anonymous('GET', arrival.headers.get('location')!, undefined, kept);
  t.is(onward.headers.get('location'), path);
  const unknown = await anonymous('GET', path, undefined, kept);
  t.is(unknown.status, 302, 'nobody confirms without signing in');
  t.is(unknown.headers.get('location'), `/sign-in?return_to=${encodeURIComponent(path)}`);
  t.is((await session.get(path)).status, 410, 'without the link in this browser');

  t.is((await anonymous('POST', link.replace('/account/email/', '/invite/'))).status, 410);
  const { response } = await session.follow(link);
  t.is(response.status, 200);
  t.false((await response.text()).includes(link.split('.')[1]!), 'the page has no token');
  t.is(await findProfileId(ownerId), previous, 'opening the link changes nothing');
  t.is((await session.post(link)).status, 200);
  t.not(await findProfileId(ownerId), previous);
  t.false(await isIn(session), 'the session belonged to the previous address');
  isError(t, await api.get('/v1/workspace'), 401, 'auth_invalid', 'the keys have ended');
  await until(async () => (await mailTo(before)).find(({ subject }) => /was changed/.test(subject)));
  const successor = await WebSession.start(after);
  await successor.enrol();
  t.is((await successor.get(`/dashboard/${id}/ownership`)).status, 200);
});

test('a requested address is withdrawn by signing out everywhere, and never replaces another member’s', async (t) => {
  const { api, id } = await newWorkspace();
  const [before, after, taken] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
  const member = await createMember(api, { email: before });
  await createMember(api, { email: taken });
  const thief = await WebSession.start(before);
  const request = (email: string) =>
    thief.post('/account/email', { workspace: id, email, email_again: email });
  t.is((await request(taken.toUpperCase())).status, 409);
  t.is((await request(after)).status, 200);
  const link = await linkTo(after);
  const person = await WebSession.start(before);
  await person.post('/sign-out/everywhere');
  const [{ requests }] = await db.query(
    `SELECT count(*)::int AS requests FROM member_invites WHERE member_id = $1`,
    [member.id],
  );
  t.is(requests, 0);
  t.is((await thief.post(link)).status, 302, 'their session has ended too');
  t.is((await api.get(`/v1/members/${member.id}`)).body.email, before);
});

test('names belong to the membership, and a profile reveals nothing about other workspaces', async (t) => {
  const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
  const email = uniqueEmail();
  const here = await createMember(mine.api, { email, name: 'Ada' });
  const there = await createMember(theirs.api, { email: email.toUpperCase(), name: 'Countess' });
  t.like(there, { name: 'Countess', email: email.toUpperCase() }, 'as this workspace gave them');
  const own = await newKey(theirs, there.id);
  t.is((await own.patch(`/v1/members/${there.id}`, { name: 'Renamed' })).status, 200);
  t.is((await theirs.api.patch(`/v1/members/${there.id}`, { name: 'Twice' })).status, 200);
  t.is((await mine.api.get(`/v1/members/${here.id}`)).body.name, 'Ada');
  const { profile, ...member } = (await theirs.api.get(`/v1/members/${there.id}?expand=profile`)).body;
  t.deepEqual(profile, {
    id: profile!.id,
    email: email.toUpperCase(),
    name: 'Twice',
    created_at: member.created_at,
  });
  t.is(
    toUUID(profile!.id as TypeId<'prof'>)[14],
    '4',
    'the id is random: it does not tell when the profile was created',
  );
  const [listed] = (await mine.api.get('/v1/members?expand=profile&limit=1')).body.data;
  t.is(listed!.profile!.id, profile!.id, 'one profile in both workspaces');
});
