import { inspect } from 'node:util';
import type { ApiDependencies } from '../../api/dependencies.js';
import { createRouter } from '../../api/app.js';
import { mergeFacts, type RouteFacts } from '../../api/http/route-facts.js';
import { createEncryption } from '../../db/encryption.js';
import { PAGES } from '../../web/routes.js';
import { once } from '../support/once.js';
import { db, dev } from '../support/stack.js';
import { startWatchedApi } from '../support/watched-api.js';
import { WebSession } from '../support/web-session.js';
import { newWorkspace, findOwnerEmail } from '../support/workspaces.js';
import { fillWorkspace, type FullWorkspace } from './full-workspace.js';
import { createObjects } from '../support/objects.js';

/**
 * The longest that the event loop may be blocked, and the limit up to which a first try is enough, in ms of
 * CPU at normal speed.
 */
export const MOST_MS = 100;
export const FINE_MS = 50;
const TRIES = 4;
/** The maximum number of tries while a block is still too long. */
const MOST_TRIES = 16;

interface Route {
  route: string;
  facts: RouteFacts;
  matches(path: string): boolean;
}

/** Every route of the API and its pages. */
export const ROUTES: Route[] = createRouter(
  {
    db,
    encryption: createEncryption(Buffer.alloc(32).toString('base64')),
    publicUrl: dev.baseUrl,
  } as ApiDependencies,
  PAGES,
).stack.flatMap((layer) =>
  layer.methods
    .filter((method) => method !== 'HEAD')
    .map((method) => ({
      route: `${method} ${String(layer.path)}`,
      facts: mergeFacts(layer.stack),
      matches: (path: string) => layer.match(path),
    })),
);

/** A full workspace with its API process, shared by all callers. */
export const fullWorkspace = once(async (): Promise<FullWorkspace> => {
  const workspace = await newWorkspace({ accounting: true });
  const [ids, api] = await Promise.all([createObjects(workspace), startWatchedApi()]);
  await fillWorkspace(workspace.id, ids, workspace.ownerId);
  const signedIn = await WebSession.start(await findOwnerEmail(workspace.id));
  await signedIn.enrol();
  const session = signedIn.copy(api.baseUrl);
  // The first page of a process loads all of them, once.
  await session.get('/sign-in');
  return { api, workspace, ids, session, home: `/dashboard/${workspace.id}` };
});

/** The longest block of each route, with the status of the response. */
export const measured = new Map<string, { block: number; ms: number; status: number; what: string }>();

/** A route's problem. The test continues with the others. */
export const problems: string[] = [];

/**
 * Sends a request, and repeats it while it blocks for long, as code is compiled on its first run and garbage
 * is collected.
 */
export async function measure<R extends { status: number }>(
  route: string,
  what: string,
  request: () => Promise<R>,
): Promise<R> {
  const { api } = await fullWorkspace();
  const began = performance.now();
  const first = await api.during(request).catch((error: unknown) => {
    throw new Error(`${route} ${what}: ${inspect(error)}`);
  });
  const ms = performance.now() - began;
  const { status } = first.result;
  let { block } = first;
  const triesFor = (longest: number): number =>
    longest <= FINE_MS ? 1 : longest < MOST_MS ? TRIES : MOST_TRIES;
  for (let tries = 1; tries < triesFor(block); tries++) {
    const again = await api.during(request);
    // What cannot be done twice is refused the second time, which costs nothing.
    if (again.result.status === status) block = Math.min(block, again.block);
  }
  const before = measured.get(route);
  if (!before || before.block < block) measured.set(route, { block, ms, status, what });
  if (block >= MOST_MS) problems.push(`${route} ${what} blocks for ${Math.round(block)} ms: ${status}`);
  if (status >= 500) problems.push(`${route} ${what}: ${status}`);
  return first.result;
}

/** Records that a route has not accepted its worst input. */
export const refused = (route: string, status: number, body: unknown): void =>
  void problems.push(`${route} returned ${status} ${JSON.stringify(body).slice(0, 500)}`);
