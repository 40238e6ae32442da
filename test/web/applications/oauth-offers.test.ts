import test from 'ava';
import { insertMember } from '../../../commands/members/members.js';
import { launchBrowser } from '../../support/chromium.js';
import { authorizeUrl, startApp } from '../../support/oauth-app.js';
import { db } from '../../support/stack.js';
import { newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { WebSession } from '../../support/web-session.js';

test('a person must accept the membership before an application can ask them for consent', async (t) => {
  const workspace = await newWorkspace();
  const email = uniqueEmail();
  const member = { workspace_id: workspace.id, email, name: 'Mel', role: 'admin', tier: 'basic' } as const;
  const { id } = await insertMember(db.manager, member);
  const app = await startApp(workspace.api, { name: 'Calendar friend' });
  const browser = await launchBrowser();
  const page = await (await WebSession.start(email, { accepts: false })).openPage(browser);
  await page.goto((await authorizeUrl(app, 'calendar:read')).address);
  t.regex((await page.textContent('h1'))!, /Join .*\?/);
  t.regex(
    (await page.textContent('main'))!,
    new RegExp(`has added ${email} with the role admin\\. Once you accept`),
  );
  const accepted = async () =>
    (await db.query(`SELECT accepted_at FROM members WHERE id = $1`, [id]))[0].accepted_at;
  t.is(await accepted(), null, 'following the link of an application accepts nothing');
  await page.click('button:text("Accept membership")');
  t.truthy(await accepted());
  t.regex(page.url(), /\/sign-in\/authenticator$/, 'an admin needs an authenticator first');
  await page.context().close();
  app.close();
});
