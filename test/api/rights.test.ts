import test from 'ava';
import { asRouted } from '../support/dashboard-rights-table.js';
import { createRouter } from '../../api/app.js';
import { PAGES } from '../../web/routes.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { createEncryption } from '../../db/encryption.js';
import { SCOPES } from '../../domain/api-keys/key-scope.js';
import { ROLES, type Role, type Scope, type ScopeAction, type ScopeResource } from '../../domain/policies.js';
import { once } from '../support/once.js';
import { anonymous, type ApiClient } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { isError } from '../support/booking-calls.js';
import { newKey, newMember } from '../support/people.js';
import { newSite } from '../support/publishable-calls.js';
import { ROWS, WITH_PUBLISHABLE_KEY, WITHOUT_KEY, type Row, type Sample } from '../support/rights-table.js';
import { createObjects } from '../support/objects.js';

/** Two workspaces, each with an object of every resource, and a member of each role in the first. */
const workspaces = once(async () => {
  const [mine, theirs] = await Promise.all([newWorkspace(), newWorkspace()]);
  const [ours, others] = await Promise.all([createObjects(mine), createObjects(theirs)]);
  const people: Record<Role, string> = {
    member: (await newMember(mine)).id,
    front_desk: (await newMember(mine, { role: 'front_desk' })).id,
    billing_contact: (await newMember(mine, { role: 'billing_contact' })).id,
    admin: (await newMember(mine, { role: 'admin' })).id,
    owner: mine.ownerId,
  };
  return { mine, ours, others, people };
});

test('every route of the API has a row', (t) => {
  const encryption = createEncryption(Buffer.alloc(32).toString('base64'));
  const deps = { db, encryption, publicUrl: dev.baseUrl } as ApiDependencies;
  const routes = createRouter(deps, PAGES).stack.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${String(path)}`),
  );
  const rows = [...ROWS.map(({ route }) => asRouted(route)), ...WITH_PUBLISHABLE_KEY, ...WITHOUT_KEY];
  t.deepEqual(
    routes.filter((route) => !rows.includes(route)),
    [],
    'routes without a row',
  );
  t.deepEqual(
    rows.filter((row) => !routes.includes(row)),
    [],
    'rows without a route',
  );
});

/** A key with one scope, of a member with a role. */
async function keyWith(role: Role, scope: Scope): Promise<ApiClient> {
  const { mine, people } = await workspaces();
  const [resource, action] = scope.split(':') as [ScopeResource, ScopeAction];
  return newKey(mine, people[role], { resources: [resource], actions: [action] });
}

async function send(
  api: ApiClient | null,
  route: string,
  { query = '', body, of }: Omit<Sample, 'response'>,
): Promise<ApiResponse> {
  const { ours, others } = await workspaces();
  const [method, path] = route.split(' ') as [string, string];
  const ids: Record<string, string> = { ...(of === 'own' ? ours : others) };
  const target = path.replace(/:(\w+)/g, (_, name) => ids[name] ?? 'none') + query;
  return anonymous(method, target, body, api ? { authorization: `Bearer ${api.token}` } : {});
}

const shown = ({ status, body }: ApiResponse): string =>
  status < 400 ? String(status) : `${status} ${body.error?.code}`;

/** True if a key with one scope has that of a route: `write` on members includes `invite`. */
const carries = ({ scope: needed, or = [] }: Row, scope: Scope): boolean =>
  needed === null ||
  scope === needed ||
  or.includes(scope) ||
  (needed === 'members:invite' && scope === 'members:write');

for (const role of ROLES) {
  test(`the rights of a key of ${role}, by scope and route`, async (t) => {
    for (const scope of SCOPES) {
      const api = await keyWith(role, scope);
      await Promise.all(
        ROWS.map(async (row) => {
          const what = `${row.route} by ${role} with ${scope}`;
          if (!carries(row, scope)) {
            const response = await send(api, row.route, {});
            isError(t, response, 403, 'auth_scope_insufficient', what);
            t.is(response.body.error.details!.required, row.scope, what);
          } else if (!row.roles.includes(role)) {
            isError(t, await send(api, row.route, {}), 403, 'role_insufficient', what);
          } else {
            for (const sample of row.samples) {
              // A workspace has two uploads in progress at most, and here are more.
              const response = await until(async () => {
                const answer = await send(api, row.route, sample);
                return answer.body?.error?.code !== 'rate_limited' && answer;
              });
              const expected = typeof sample.response === 'string' ? sample.response : sample.response[role];
              t.is(
                shown(response),
                expected,
                `${what} ${JSON.stringify(sample)} → ${JSON.stringify(response.body)}`,
              );
              t.truthy(response.headers.get('x-ratelimit-remaining'), what);
            }
          }
        }),
      );
    }
  });
}

for (const role of ROLES) {
  test(`whoami shows a key of ${role} only the scopes that its role permits`, async (t) => {
    const asking = (scope: Scope): Row[] =>
      ROWS.filter((row) => row.scope === scope || row.or?.includes(scope));
    const useful = SCOPES.filter((scope) => asking(scope).some(({ roles }) => roles.includes(role)));
    const unasked = SCOPES.filter((scope) => asking(scope).length === 0);
    const { mine, people } = await workspaces();
    const everything = await newKey(mine, people[role]);
    const { scopes } = (await everything.get('/v1/auth/whoami')).body;
    t.deepEqual(
      scopes.filter((scope: Scope) => !unasked.includes(scope)),
      useful,
    );
    const writes = role === 'admin' || role === 'owner';
    t.deepEqual(
      scopes.filter((scope: Scope) => unasked.includes(scope)),
      writes ? unasked : [],
    );
  });
}

test('without a key every route that requires one returns 401, before any other error', async (t) => {
  for (const { route } of ROWS) {
    const response = await send(null, route, {
      body: route.startsWith('GET') ? undefined : { nonsense: true },
    });
    isError(t, response, 401, 'auth_invalid', route);
    t.truthy(response.headers.get('x-ratelimit-remaining'), route);
  }
});

test('routes without authentication ignore a key', async (t) => {
  const { mine } = await workspaces();
  for (const route of WITHOUT_KEY) {
    const [without, withKey] = [await send(null, route, {}), await send(mine.api, route, {})];
    t.is(withKey.status, without.status, route);
    t.not(Math.floor(without.status / 100), 5, route);
  }
});

test('routes take only keys of their kind, and say which', async (t) => {
  const mine = await newWorkspace();
  const { site } = await newSite(mine.api);
  for (const { route } of ROWS) {
    const response = await send(site, route, {});
    isError(t, response, 401, 'auth_invalid', route);
    t.regex(response.body.error.message, /publishable key can call only/, route);
  }
  for (const route of WITH_PUBLISHABLE_KEY) {
    for (const [api, message] of [
      [null, /header is missing/],
      [mine.api, /secret API key/],
    ] as const) {
      const response = await send(api, route, {});
      isError(t, response, 401, 'auth_invalid', route);
      t.regex(response.body.error.message, message, route);
    }
    t.not((await send(site, route, {})).status, 401, route);
  }
});
