import { NEXT_MONDAY } from '../support/days.js';
import type { Place, Places } from './places.js';
import type { PageRoute } from './routes.js';
import { sendWrongly, type View } from './view.js';
import { UNBROKEN } from './words.js';

const HOME = '/dashboard/:workspace';
const today = new Date().toISOString().slice(0, 10);

/** A state of a page of `many`: another object or a query, or what is done on the page. */
type State = string | View['prepare'];

const press =
  (button: string): View['prepare'] =>
  async (page) => {
    const named = page.locator(`button:not([popovertarget]):text("${button}")`);
    // Forms may be in a drawer, or in a part that is closed at first.
    await named.evaluate((element) => {
      element.closest('details')?.setAttribute('open', '');
      element.closest<HTMLElement>('[popover]')?.showPopover();
    });
    await named.click();
  };

/** States in which a page looks different. */
const STATES: Record<string, (places: Places) => Record<string, State>> = {
  '/bookings': () => ({ 'none found': '?q=nobody-of-this-name', past: '?from=2020-01-01' }),
  '/bookings/:id': ({ many: { filled } }) => ({
    held: filled.bookings.held.id,
    cancelled: filled.bookings.cancelled.id,
    disputed: filled.bookings.disputed.id,
    'refund failing': filled.bookings.unrefunded.id,
  }),
  '/calendar': ({ many: { filled } }) => ({
    'a full day': `?day=${filled.day}`,
    'a week of a room': `?view=week&day=${filled.day}&room_id=${filled.rooms[0]!.id}`,
    'a week': `?view=week&day=${filled.day}`,
    'a month': `?view=month&day=${filled.day}`,
  }),
  '/day': ({ many: { filled } }) => ({ 'a full day': `?day=${filled.day}` }),
  '/door-signs': ({ many: { filled } }) => ({ 'a full day': `?day=${filled.day}` }),
  '/invoices': () => ({ 'none found': '?q=nobody-of-this-name' }),
  '/invoices/:id': ({ many: { filled } }) =>
    Object.fromEntries(Object.entries(filled.invoices).map(([state, { id }]) => [state, id])),
  '/invoices/new': () => ({ 'to confirm': press('Continue') }),
  '/members': () => ({ 'none found': '?q=nobody-of-this-name' }),
  '/members/import': () => ({
    checked: async (page) => {
      await page.fill('#csv', `email,name,tier\nnew@example.com,${UNBROKEN},plus\nbroken,,basic`);
      await page.click('button:text("Check rows")');
    },
  }),
  '/payments/:id': () => ({
    'refund to confirm': async (page) => {
      await page.click('main button:text("Refund")');
      await page.click('button:text("Continue")');
    },
  }),
  '/reconciliation': () => ({ 'a report': `?from=${today}&to=${today}` }),
  '/rooms/:id/rates': () => ({ 'a week': `?week=${NEXT_MONDAY}` }),
  '/search': () => ({ 'many found': '?q=max', 'none found': '?q=nobody-of-this-name' }),
  '/sign-in': () => ({ microsoft: '?provider=microsoft', saml: '?provider=saml' }),
};

/** Pages that members without a role see in their own way. */
const OF_MEMBERS = ['', '/bookings', '/book', '/invoices', '/membership'];

/** Pages whose columns do not fold, where they are narrow beside the navigation. */
const ALSO_AT: Record<string, readonly number[]> = { '/calendar': [1_000] };

/** Pages that are only seen with an error. */
const STATUS: Record<string, number> = { '/accounting/:consent': 410 };

/** Forms of a page's own path that no input makes invalid, with the reason. */
const NEVER_REJECTED: Record<string, string> = {
  '/accounting': 'its fields are choices',
  '/day/message': 'it has a form only on a day with bookings',
  '/settings/sign-in': 'its field is a box',
  '/rooms/:id/blackouts/:blackout_id': 'it has a form only while bookings are in the way',
};

/** The path of a route in a place. Each id is named by the part of the path before it. */
function pathIn(route: string, { ids }: Place, id?: string): string {
  const parts = route.split('/');
  const parameters = parts.filter((part) => part.startsWith(':')).length;
  let seen = 0;
  return parts
    .map((part, n) => {
      if (!part.startsWith(':')) return part;
      seen += 1;
      if (id && seen === parameters && parameters > 1) return id;
      const value = ids[parts[n - 1]!];
      if (!value)
        throw new Error(`GET ${route} is not in the gallery: no ${part} after ${parts[n - 1]} (places.ts)`);
      return value;
    })
    .join('/');
}

function listViews({ path: route, hasForm }: PageRoute, places: Places): View[] {
  const { empty, one, many } = places;
  const below = route.slice(HOME.length);
  const hasIds = below.includes(':');
  const add = (state: string, visitor: View['visitor'], address: string, more?: Partial<View>): View => ({
    page: route,
    state,
    visitor,
    address,
    status: STATUS[below],
    alsoAt: ALSO_AT[below],
    ...more,
  });
  const first = hasIds
    ? add('one', 'owner of one', pathIn(route, one))
    : add('empty', 'owner of empty', pathIn(route, empty));
  const full = pathIn(route, many);
  const inState = ([state, how]: [string, State]): View =>
    typeof how === 'string'
      ? add(state, 'owner of many', how.startsWith('?') ? full + how : pathIn(route, many, how))
      : add(state, 'owner of many', full, { prepare: how });
  const states = Object.entries(STATES[below]?.(places) ?? {}).map(inState);
  return [
    first,
    add('many', 'owner of many', full),
    ...states,
    ...(OF_MEMBERS.includes(below) ? [add('a member', 'member of many', full)] : []),
    ...(hasForm && !(below in NEVER_REJECTED)
      ? [add('form rejected', 'owner of many', full, { prepare: sendWrongly })]
      : []),
  ];
}

export const isOfDashboard = ({ path }: PageRoute): boolean => path.startsWith(HOME);

/** The views of the dashboard's pages. Errors: a state whose page is gone. */
export function dashboardViews(routes: readonly PageRoute[], places: Places): View[] {
  const known = new Set(routes.map(({ path }) => path.slice(HOME.length)));
  const gone = [
    ...Object.keys(STATES),
    ...OF_MEMBERS,
    ...Object.keys(ALSO_AT),
    ...Object.keys(STATUS),
    ...Object.keys(NEVER_REJECTED),
  ].filter((path) => !known.has(path));
  if (gone.length > 0) throw new Error(`these pages of dashboard-views.ts do not exist: ${gone.join(', ')}`);
  return routes.flatMap((route) => listViews(route, places));
}
