import { collectPathIds } from '../../api/openapi/operations.js';
import { RESOURCES } from '../../api/resources/index.js';
import { createObjects } from '../support/objects.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { fillWorkspace, type Filled } from './many.js';
import { PROSE, UNBROKEN } from './words.js';

/** A workspace of the gallery, and the ids in the paths of its pages. */
export interface Place {
  workspace: TestWorkspace;
  /** By the part of the path before it, such as `rooms`. */
  ids: Record<string, string>;
}

export interface Places {
  /** Just made. */
  empty: Place;
  /** With an object of each resource. */
  one: Place;
  /** With several pages of each list, and texts of any length and direction. */
  many: Place & { filled: Filled };
}

/** A consent works once, in the session that asked for it: its page is seen when the link is not valid. */
const NONE = { accounting: 'none' };

/** The ids of objects by the part of a path before them: `rooms` for the id of the object `room`. */
function bySegment(objects: Record<string, string>): Record<string, string> {
  const named = Object.entries(collectPathIds(RESOURCES)).map(([segment, { name }]) => [
    segment,
    objects[name],
  ]);
  const plural = Object.entries(objects).map(([name, id]) => [`${name}s`, id]);
  return { ...Object.fromEntries([...plural, ...named]), ...NONE };
}

async function openEmpty(): Promise<Place> {
  const workspace = await newWorkspace({ name: 'New house', processor_account_id: null });
  return { workspace, ids: { ...NONE, dashboard: workspace.id } };
}

/** Opens the booking page of a workspace. Returns the last part of its address. */
async function openBookingPage({ id, api }: TestWorkspace, settings: object): Promise<string> {
  const slug = `gallery-${id.slice(-12)}`;
  const { status, body } = await api.put('/v1/booking-page', { slug, ...settings });
  if (status >= 300) throw new Error(JSON.stringify(body));
  return slug;
}

async function openOne(): Promise<Place> {
  const workspace = await newWorkspace({ name: 'Test house' });
  const objects = await createObjects(workspace);
  const slug = await openBookingPage(workspace, {});
  return { workspace, ids: { ...bySegment(objects), dashboard: workspace.id, book: slug } };
}

async function openMany(): Promise<Places['many']> {
  const workspace = await newWorkspace({ name: 'Harbour House', accounting: true });
  const filled = await fillWorkspace(workspace);
  const slug = await openBookingPage(workspace, {
    languages: ['en', 'de', 'fr', 'es'],
    questions: [
      {
        id: 'layout',
        label: 'Wie sollen die Stühle stehen?',
        kind: 'choice',
        required: true,
        choices: ['In Reihen', 'In Kleingruppen an runden Tischen mit je sechs Plätzen', UNBROKEN],
      },
      { id: 'event', label: 'Name der Veranstaltung', kind: 'text' },
      { id: 'catering', label: PROSE, kind: 'check' },
    ],
    terms: {
      text: Array.from({ length: 10 }, () => `${PROSE}\n\n${UNBROKEN}`).join('\n\n'),
      version: '2026-05',
    },
  });
  return { workspace, filled, ids: { ...bySegment(filled.objects), dashboard: workspace.id, book: slug } };
}

/** Creates the gallery's workspaces. */
export async function openPlaces(): Promise<Places> {
  const [empty, one, many] = await Promise.all([openEmpty(), openOne(), openMany()]);
  return { empty, one, many };
}
