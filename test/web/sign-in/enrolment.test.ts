import test from 'ava';
import { totpCode } from '../../support/browser.js';
import { mailTo } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { WebSession } from '../../support/web-session.js';
import { createMember } from '../../support/member-calls.js';

const PROFILE = `(SELECT id FROM profiles WHERE email = $1)`;

/** Moves the sign-in of all sessions of a person into the past. */
const ageSignIn = (email: string, minutes: number): Promise<unknown> =>
  db.query(
    `UPDATE sessions SET created_at = created_at - $2 * interval '1 minute' WHERE profile_id = ${PROFILE}`,
    [email, minutes],
  );

const hasFactor = async (email: string): Promise<boolean> =>
  (await db.query(`SELECT FROM second_factors WHERE profile_id = ${PROFILE} AND secret IS NOT NULL`, [email]))
    .length > 0;

const isIn = async (session: WebSession): Promise<boolean> => (await session.get('/account')).status === 200;

const mailAbout = (email: string, subject: RegExp): Promise<unknown> =>
  until(async () => (await mailTo(email)).some((mail) => subject.test(mail.subject)));

async function newPerson() {
  const { api } = await newWorkspace();
  const { email } = await createMember(api);
  return { email, session: await WebSession.start(email) };
}

test('a session that is older than its sign-in allows cannot enrol an authenticator', async (t) => {
  const { email, session } = await newPerson();
  const key = await session.offeredKey();
  await ageSignIn(email, 11);
  t.is((await session.post('/account/authenticator')).status, 403);
  const page = await session.get('/sign-in/authenticator');
  t.is(page.status, 403);
  t.false((await page.text()).includes('id="key"'));
  t.is((await session.post('/sign-in/authenticator', { code: totpCode(key) })).status, 403);
  t.false(await hasFactor(email));
  await session.signIn(email, '/account');
  await session.enrol();
  t.true(await hasFactor(email));
});

test('a secret under enrolment lives in one session, for ten minutes', async (t) => {
  const { email, session } = await newPerson();
  const other = await WebSession.start(email);
  const key = await session.offeredKey();
  t.is(await session.offeredKey(), key, 'a reload shows the same');
  t.not(await other.offeredKey(), key);
  t.is((await other.confirm(key)).status, 422, "another session's secret");
  await db.query(
    `UPDATE sessions SET pending_secret_at = pending_secret_at - interval '11 minutes'
      WHERE profile_id = ${PROFILE}`,
    [email],
  );
  t.is((await session.confirm(key)).status, 422, 'the secret has expired');
  t.false(await hasFactor(email));
  t.not(await session.offeredKey(), key);
});

test("an enrolment ends the person's other sessions and sends mail", async (t) => {
  const { email, session } = await newPerson();
  const other = await WebSession.start(email);
  t.true(await isIn(other));
  await session.enrol();
  t.true(await isIn(session));
  t.false(await isIn(other));
  await mailAbout(email, /authenticator/i);
});

test('new recovery codes need a recent sign-in, end the other sessions and send mail', async (t) => {
  const email = uniqueEmail();
  await newWorkspace({ owner_email: email });
  const session = await WebSession.start(email);
  const key = await session.enrol();
  const other = await WebSession.start(email);
  t.is((await other.post('/sign-in/code', { code: totpCode(key, 1) }, '/sign-in/code')).status, 302);
  const codes = async () =>
    (
      await db.query(`SELECT code_hash FROM recovery_codes WHERE profile_id = ${PROFILE} ORDER BY 1`, [email])
    ).map((row: { code_hash: Buffer }) => row.code_hash.toString('hex'));
  const before = await codes();
  await ageSignIn(email, 11);
  t.is((await session.post('/account/recovery-codes')).status, 403);
  t.deepEqual(await codes(), before);
  await ageSignIn(email, -11);
  t.is((await session.post('/account/recovery-codes')).status, 200);
  t.notDeepEqual(await codes(), before);
  t.true(await isIn(session));
  t.false(await isIn(other));
  await mailAbout(email, /recovery codes/i);
});

test('a person without an authenticator gets no recovery codes', async (t) => {
  const { email, session } = await newPerson();
  t.is((await session.post('/account/recovery-codes')).status, 403);
  t.is((await db.query(`SELECT FROM recovery_codes WHERE profile_id = ${PROFILE}`, [email])).length, 0);
});
