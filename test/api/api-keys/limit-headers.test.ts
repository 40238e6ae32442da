import test from 'ava';
import { RESOURCES } from '../../../api/resources/index.js';
import { dev } from '../../support/stack.js';
import { newWorkspace, findOwnerEmail } from '../../support/workspaces.js';
import { WebSession } from '../../support/web-session.js';
import { ROUTES } from '../measured-routes.js';
import { createObjects, type ObjectIds } from '../../support/objects.js';

/** Responses without a limit: docs/rules/api.md#rate-limits. */
const WITHOUT = new Set([
  'GET /health',
  'GET /health/live',
  'GET /pictures/:key',
  'GET /favicon.svg',
  'GET /fonts/:file',
  'GET /book/embed.js',
]);
const LIMITS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

const counted = ROUTES.map(({ route }) => route).filter((route) => !WITHOUT.has(route));

/** The names of ids after a path segment: `room` in `/rooms/:id`. */
const NAMES = Object.fromEntries(
  RESOURCES.flatMap(({ ids = {} }) => Object.entries(ids).map(([segment, { name }]) => [segment, name])),
);

/** A route's path, with ids of existing objects. */
const routePath = (route: string, ids: ObjectIds = {}): string =>
  route
    .split(' ')[1]!
    .replaceAll(/([\w-]+)\/:id\b/g, (_, segment) => `${segment}/${ids[NAMES[segment]!] ?? 'none'}`)
    .replaceAll(/:(\w+)/g, (_, name) => ids[name] ?? 'none');

/** The request for a route by its path. A request that changes something has a body that no route accepts. */
function ask(route: string, path: string, headers: Record<string, string>): Promise<Response> {
  const [method] = route.split(' ');
  const hasBody = !['GET', 'OPTIONS', 'DELETE'].includes(method!);
  return fetch(dev.baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      origin: dev.baseUrl,
      ...(hasBody && {
        'content-type': route.includes('/v1/') ? 'application/json' : 'application/x-www-form-urlencoded',
      }),
      ...headers,
    },
    ...(hasBody && { body: route.includes('/v1/') ? '{"colour":1}' : 'colour=1' }),
  });
}

/** Sends the request of each route. Returns the responses by route. */
async function askAll(send: (route: string) => Promise<Response>): Promise<[string, Response][]> {
  const asked = counted.map(async (route): Promise<[string, Response]> => {
    const response = await send(route);
    await response.arrayBuffer();
    return [route, response];
  });
  return Promise.all(asked);
}

/** The routes whose responses lack a header. */
const lacking = (responses: [string, Response][]): string[] =>
  responses
    .filter(([, { headers }]) => LIMITS.some((name) => !/^\d+$/.test(headers.get(name) ?? '')))
    .map(([route, { status }]) => `${route} ${status}`);

test('every route sends the rate-limit headers to unauthenticated callers', async (t) => {
  t.deepEqual(lacking(await askAll((route) => ask(route, routePath(route), {}))), []);
});

test('every response to a key, a signed-in person or a payer with a link has the rate-limit headers', async (t) => {
  const workspace = await newWorkspace();
  const objects = await createObjects(workspace);
  const { body: invoice } = await workspace.api.get(`/v1/invoices/${objects.invoice}`);
  const links = { manage: objects.manage_token!, pay: invoice.pay_url!.split('/').at(-1)! };
  const ids = { ...objects, workspace: workspace.id, number: objects.document! };
  const person = await WebSession.start(await findOwnerEmail(workspace.id));
  await person.enrol();
  const responses = await askAll((route) => {
    const [, of] = /^\w+ \/(manage|pay)\//.exec(route) ?? [];
    const token = links[of as keyof typeof links];
    const path = routePath(route, { ...ids, token: token ?? 'none' });
    if (token) return ask(route, path, { cookie: `holdfast_link=${token}` });
    if (path.startsWith('/v1/')) return ask(route, path, { authorization: `Bearer ${workspace.api.token}` });
    return route.startsWith('POST') ? person.post(path, { colour: 'red' }) : person.get(path);
  });
  t.deepEqual(lacking(responses), []);
  const statuses = Object.fromEntries(responses.map(([route, { status }]) => [route, status]));
  for (const route of [
    '/v1/bookings/:id',
    '/dashboard/:workspace/bookings/:id',
    '/manage/:token',
    '/pay/:token/pdf',
  ])
    t.true(statuses[`GET ${route}`]! < 400, `${route} is shown`);
});
