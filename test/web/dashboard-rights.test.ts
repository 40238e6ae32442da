import test from 'ava';
import { ROLES, type Role } from '../../domain/policies.js';
import { once } from '../support/once.js';
import { newWorkspace, findOwnerEmail, type TestWorkspace } from '../support/workspaces.js';
import { WebSession } from '../support/web-session.js';
import { DASHBOARD_ROWS } from '../support/dashboard-rights-table.js';
import { createObjects, type ObjectIds } from '../support/objects.js';
import { newMember } from '../support/people.js';

/** Two workspaces, each with an object of every resource. */
const workspaces = once(async () => {
  const [mine, theirs] = await Promise.all([newWorkspace(), newWorkspace()]);
  const [ours, others] = await Promise.all([createObjects(mine), createObjects(theirs)]);
  return { mine, theirs, ours, others };
});

/** A session of a person with a role, as which member. */
async function signInAs(mine: TestWorkspace, role: Role): Promise<{ session: WebSession; memberId: string }> {
  const person =
    role === 'owner'
      ? { id: mine.ownerId, email: await findOwnerEmail(mine.id) }
      : await newMember(mine, { role });
  const session = await WebSession.start(person.email);
  if (role === 'admin' || role === 'owner') await session.enrol();
  return { session, memberId: person.id };
}

const withIds = (path: string, ids: ObjectIds): string =>
  path.replace(/:(\w+)/g, (_, name) => ids[name] ?? 'none');

for (const role of ROLES) {
  test(`the pages and forms of ${role}, by the rights table`, async (t) => {
    const { mine, ours, others } = await workspaces();
    const home = `/dashboard/${mine.id}`;
    const { session, memberId } = await signInAs(mine, role);
    const linked = new Set<string>();
    // Forms act on objects of another workspace, so none of them takes effect.
    for (const { route, roles, ownOnly = [] } of DASHBOARD_ROWS) {
      const [method, path] = route.split(' ') as [string, string];
      const found = ownOnly.includes(role) ? 404 : 200;
      const allowed = roles.includes(role);
      const own = method === 'GET' ? await session.get(home + withIds(path, ours)) : null;
      if (own) {
        t.is(own.status, allowed ? found : 403, `${route} by ${role}`);
        const html = own.headers.get('content-type')?.includes('html') ? await own.text() : '';
        const nav = /<header>[^]*<\/header>/.exec(html)?.[0] ?? '';
        for (const [, link] of nav.matchAll(/<a href="(\/dashboard\/[^"]*)"/g)) linked.add(link!);
      }
      const target = home + withIds(path, others);
      const foreign = method === 'GET' ? await session.get(target) : await session.post(target);
      const html = await foreign.text();
      if (!allowed) t.is(foreign.status, 403, `${route} of others by ${role}: ${html}`);
      else if (/:(?!key|client)/.test(path))
        t.true([404, 422].includes(foreign.status), `${route} ${foreign.status}`);
      else
        t.true(
          foreign.status !== 403 && foreign.status < 500,
          `${route} by ${role}: ${foreign.status} ${html}`,
        );
    }
    linked.delete('/dashboard');
    for (const link of linked)
      t.is((await session.get(link.replaceAll('&amp;', '&'))).status, 200, `${link} is linked for ${role}`);
    const pages = DASHBOARD_ROWS.filter(
      ({ route, roles }) => /^GET \/[a-z-]+$/.test(route) && !roles.includes(role),
    );
    for (const { route } of pages)
      t.false(linked.has(home + route.slice(4)), `${route} is not linked for ${role}`);

    const profile = await session.getText(`${home}/members/${memberId}`);
    t.regex(profile, /Save<\/button>/, 'every member can change their own name');
    t.is(profile.includes('Change plan'), role === 'admin' || role === 'owner');
  });
}

test('a person who is not a member sees nothing of a workspace', async (t) => {
  const { mine, theirs, ours } = await workspaces();
  const home = `/dashboard/${mine.id}`;
  const session = await WebSession.start((await newMember(theirs)).email);
  for (const { route } of DASHBOARD_ROWS) {
    const [method, path] = route.split(' ') as [string, string];
    if (method === 'GET') t.is((await session.get(home + withIds(path, ours))).status, 404, route);
  }
});
