import { send } from '../support/api-client.js';
import { once } from '../support/once.js';
import type { WebSession } from '../support/web-session.js';
import { parseForms, type PageForm } from '../support/page-forms.js';
import { OPERATIONS, PREPARED, rank, buildRequest } from './example-requests.js';
import { fullWorkspace, measure, measured, refused, ROUTES } from './measured-routes.js';
import { worstBodies, worstQuery } from './worst-body.js';
import { createLinks, otherRequests, PAGE_QUERIES, QUOTES, WORST_REQUESTS } from './worst-requests.js';

/** The forms on the pages, by route. */
const forms = new Map<string, PageForm>();

function collectForms(html: string): void {
  for (const form of parseForms(html)) {
    const path = form.action.split('?')[0]!;
    const found = ROUTES.find(({ route, matches }) => route.startsWith('POST ') && matches(path));
    if (found && !forms.has(found.route)) forms.set(found.route, form);
  }
}

/** The id for a path's parameter, by the segment before it. */
const SEGMENTS: Record<string, string> = {
  bookings: 'booking',
  rooms: 'room',
  members: 'member',
  companies: 'company',
  invoices: 'invoice',
  payments: 'payment',
  documents: 'document',
  statements: 'statement',
  rates: 'rate',
  events: 'event',
  keys: 'key',
  applications: 'client',
};

/** The pages of the dashboard. */
export async function measurePages(): Promise<void> {
  const { ids, session, home, workspace } = await fullWorkspace();
  for (const { route } of ROUTES.filter((each) => each.route.startsWith('GET /dashboard/:workspace'))) {
    const path = route
      .slice('GET '.length)
      .replace(':workspace', workspace.id)
      .replace(/\/([\w-]+)\/:\w+/g, (_, segment) => `/${segment}/${ids[SEGMENTS[segment]!] ?? 'none'}`);
    for (const query of PAGE_QUERIES[path.slice(home.length)] ?? ['']) {
      const { status, html } = await measure(route, query, async () => {
        const response = await session.get(path + query);
        return { status: response.status, html: await response.text() };
      });
      if (status >= 400 && !path.endsWith('/none')) refused(route + query, status, '');
      collectForms(html);
    }
  }
}

/** Links to objects that the API's operations end. */
const links = once(async () => createLinks(await fullWorkspace()));

interface Refusal {
  errors?: { param: string | null }[];
}

/**
 * The operations of the API: their examples, with the largest page, or the longest texts and
 * lists that are accepted.
 */
export async function measureOperations(): Promise<void> {
  const { api, workspace, ids } = await fullWorkspace();
  await links();
  for (const operation of [...OPERATIONS].sort((a, b) => rank(a) - rank(b))) {
    const { route } = operation;
    const { query, body: schema } = ROUTES.find((each) => each.route === route)?.facts ?? {};
    const prepare = WORST_REQUESTS[route] ? undefined : PREPARED[route];
    const objects = { ...ids, ...(await prepare?.(workspace, ids)) };
    const example = await buildRequest(workspace, operation, objects);
    const worst = WORST_REQUESTS[route]?.(objects, example.body as Record<string, unknown>) ?? {};
    const [path, params] = example.target.split('?') as [string, string?];
    const search = new URLSearchParams({
      ...Object.fromEntries(new URLSearchParams(params)),
      ...worstQuery(query),
      ...worst.query,
    });
    const url = `${api.baseUrl}${path}?${search}`;
    const ask = (body: unknown) =>
      measure(route, '', () => send<{ error?: Refusal }>(url, example.method, body, example.headers));
    const accepted = (status: number): boolean => status < 400;
    if (worst.body || !schema || example.body === undefined) {
      const { status, body } = await ask(worst.body ?? example.body);
      if (!accepted(status)) refused(route, status, body);
      continue;
    }
    const bodies = worstBodies(schema, example.body as object);
    let next = bodies.next([]);
    for (;;) {
      const { status, body } = await ask(next.value);
      if (accepted(status)) break;
      next = bodies.next(body.error?.errors?.flatMap(({ param }) => param ?? []) ?? []);
      if (next.done) {
        refused(route, status, body);
        break;
      }
    }
  }
}

/** Requests that end what others need come last. */
const isLast = (route: string): boolean =>
  /archive|erase|remove|revoke|disconnect|void|cancel|delete|ownership|withdraw|rotate/.test(route);

/**
 * The same forms with the first text as long as a form may be, which makes the longest page when it is
 * refused.
 */
export async function measureRefusedForms(): Promise<void> {
  const { session } = await fullWorkspace();
  for (const [route, form] of forms)
    for (const name of form.texts.slice(0, 1)) {
      const fields = form.toParams(false);
      fields.delete(name);
      await measure(route, `refused for ${name}`, async () => {
        const response = await session.submitFields(form.action, `${fields}&${name}=${QUOTES}`);
        await response.text();
        return { status: response.status };
      });
    }
}

/** The forms of the pages that were measured, filled to their limits, then unchanged. */
export async function measureForms(): Promise<void> {
  const { session } = await fullWorkspace();
  const dashboard = [...forms].filter(([route]) => route.startsWith('POST /dashboard/'));
  for (const [route, form] of dashboard.toSorted(([a], [b]) => Number(isLast(a)) - Number(isLast(b))))
    for (const full of [true, false]) {
      const response = await measure(route, full ? 'full' : '', async () => {
        const { status, text } = await submit(session, form, full);
        return { status, text };
      });
      if (response.status < 400) break;
    }
}

async function submit(session: WebSession, form: PageForm, full: boolean) {
  const response = await session.submitFields(form.action, form.toParams(full));
  return { status: response.status, text: await response.text() };
}

/** Other routes: those that have not been measured yet. */
export async function measureOthers(which: (route: string) => boolean = () => true): Promise<void> {
  const request = otherRequests(await fullWorkspace(), await links());
  for (const { route } of ROUTES.filter((each) => !measured.has(each.route) && which(each.route)))
    await measure(route, '', async () => {
      const response = await request(route);
      await response.text();
      return { status: response.status };
    });
}
