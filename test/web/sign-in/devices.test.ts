import test from 'ava';
import { openOffice } from '../../support/dashboard.js';
import { client } from '../../support/api-client.js';
import { mailTo } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, findOwnerEmail } from '../../support/workspaces.js';
import { WebSession } from '../../support/web-session.js';
import { newMember } from '../../support/people.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const NEW_DEVICE = 'New sign-in to your Holdfast account';

/** The devices in the mail about new ones that a person will get. */
const newDevices = async (email: string): Promise<string[]> =>
  (
    await db.query(
      `SELECT split_part(about, ':', 2) AS device FROM mails
       WHERE kind = 'new_device' AND profile_id = (SELECT id FROM profiles WHERE email = $1)
       ORDER BY created_at`,
      [email],
    )
  ).map(({ device }: { device: string }) => device);

const handles = (page: string): string[] =>
  [...page.matchAll(/name="handle" value="([^"]+)"/g)].map(([, handle]) => handle!);

async function newPerson() {
  const workspace = await newWorkspace();
  const { email } = await newMember(workspace);
  return { workspace, email };
}

test('a sign-in in a browser that the person has not used is reported to them, once', async (t) => {
  const { email } = await newPerson();
  const first = await WebSession.start(email);
  t.deepEqual(await newDevices(email), [], 'their very first sign-in is not news');
  await first.startAgain(email);
  t.deepEqual(await newDevices(email), [], 'nor is the same browser');
  await first.startAgain(email, { userAgent: FIREFOX });
  t.deepEqual(await newDevices(email), ['Firefox on Windows'], 'a copied cookie in another browser is');
  await first.startAgain(email);
  await WebSession.start(email);
  t.deepEqual(
    await newDevices(email),
    ['Firefox on Windows', 'Another browser'],
    'and one without the cookie',
  );
  // The two mails may arrive in any order.
  const mail = await until(async () =>
    (await mailTo(email)).find(({ text }) => text.includes('Firefox on Windows')),
  );
  t.is(mail.subject, NEW_DEVICE);
  t.regex(mail.text, /\(Firefox on Windows, .* UTC\)/);
});

test('a browser remembers several people, and vouches for nobody else', async (t) => {
  const [one, two] = [await newPerson(), await newPerson()];
  for (const { email } of [one, two]) await WebSession.start(email);
  const shared = await WebSession.start(one.email);
  await shared.startAgain(two.email);
  for (const { email } of [one, two]) {
    await shared.startAgain(email);
    t.is((await newDevices(email)).length, 1);
  }
});

test('after signing out everywhere every device is new', async (t) => {
  const { email } = await newPerson();
  const session = await WebSession.start(email);
  await session.post('/sign-out/everywhere');
  await session.startAgain(email);
  t.is((await newDevices(email)).length, 1);
});

test('sessions are listed with their device and ended one by one', async (t) => {
  const { email } = await newPerson();
  const here = await WebSession.start(email);
  const firefox = new WebSession();
  await firefox.startAgain(email, { userAgent: FIREFOX });
  const third = await WebSession.start(email);
  const page = await here.getText('/account');
  t.true(page.includes('<strong>Firefox on Windows</strong>'));
  t.is(page.match(/\(this one\)/g)?.length, 1);
  const [, ofFirefox] = handles(page);
  t.is(handles(page).length, 2, 'this one is ended by signing out');
  const [{ handle }] = await db.query(
    `SELECT handle FROM sessions WHERE device = $1 AND profile_id =
    (SELECT id FROM profiles WHERE email = $2)`,
    ['Firefox on Windows', email],
  );
  t.true(handles(page).includes(handle), ofFirefox);
  t.is((await here.post('/account/sessions/end', { handle })).status, 302);
  t.is((await firefox.get('/account')).headers.get('location'), '/sign-in?return_to=%2Faccount');
  t.is((await third.get('/account')).status, 200);
  t.is((await here.get('/account')).status, 200);
});

test("nobody ends another person's session", async (t) => {
  const [one, two] = [await newPerson(), await newPerson()];
  const theirs = await WebSession.start(one.email);
  const session = await WebSession.start(two.email);
  const [{ handle }] = await db.query(
    `SELECT handle FROM sessions WHERE profile_id = (SELECT id FROM profiles WHERE email = $1)`,
    [one.email],
  );
  await session.post('/account/sessions/end', { handle });
  t.is((await theirs.get('/account')).status, 200);
});

test('signing out everywhere also revokes the person’s keys, if they choose so', async (t) => {
  const { workspace, session } = await openOffice();
  const other = await newMember(workspace, { role: 'admin' });
  const issue = async (name: string, member_id?: string) =>
    (await workspace.api.post('/v1/api-keys', { name, ...(member_id && { member_id }) })).body
      .token as string;
  const [own, issued] = [await issue('Own'), await issue('Issued', other.id)];
  const admin = await WebSession.start(other.email);
  const key = await admin.enrol();
  t.truthy(key);
  await admin.submit(`/dashboard/${workspace.id}/keys`, `/dashboard/${workspace.id}/keys`, {
    name: 'Of the other',
    days: '1',
    'scope.resources': 'calendar',
    'scope.actions': 'read',
  });
  const works = async (token: string) => (await client(token).get('/v1/auth/whoami')).status === 200;
  await session.post('/sign-out/everywhere');
  t.true((await works(own)) && (await works(issued)), 'without it they stay');
  await session.startAgain(await findOwnerEmail(workspace.id));
  await db.query(
    `UPDATE sessions SET second_factor_at = now() WHERE second_factor_at IS NULL AND profile_id =
    (SELECT profile_id FROM members WHERE workspace_id = $1 AND role = 'owner')`,
    [workspace.id],
  );
  t.is((await session.post('/sign-out/everywhere', { keys: 'on' })).headers.get('location'), '/sign-in');
  t.false((await works(own)) || (await works(issued)));
  const left = await db.query(
    `SELECT name FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL
    AND name = ANY ($2)`,
    [workspace.id, ['Own', 'Issued', 'Of the other']],
  );
  t.deepEqual(left, [{ name: 'Of the other' }]);
});

test('the owner gets mail about a new key and a new webhook address', async (t) => {
  const { workspace } = await openOffice();
  const owner = await findOwnerEmail(workspace.id);
  const subjects = async () => (await mailTo(owner)).map(({ subject }) => subject);
  await workspace.api.post('/v1/api-keys', { name: 'Till' });
  await workspace.api.put('/v1/webhook-endpoint', { url: 'https://hooks.example/one', event_types: ['*'] });
  await workspace.api.put('/v1/webhook-endpoint', {
    url: 'https://hooks.example/one',
    event_types: ['booking.created'],
  });
  await workspace.api.put('/v1/webhook-endpoint', { url: 'https://hooks.example/two', event_types: ['*'] });
  await until(
    async () => (await subjects()).filter((subject) => subject.includes('webhook URL')).length === 2,
  );
  await until(async () => (await subjects()).some((subject) => subject.startsWith('New API key: Till')));
  const mails = await db.query(
    `SELECT kind, count(*)::int AS n FROM mails WHERE workspace_id = $1
       AND kind IN ('api_key_created', 'webhook_url_changed') GROUP BY kind ORDER BY kind`,
    [workspace.id],
  );
  t.deepEqual(mails, [
    { kind: 'api_key_created', n: 1 },
    { kind: 'webhook_url_changed', n: 2 },
  ]);
});
