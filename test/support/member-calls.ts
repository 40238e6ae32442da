import type { ApiClient } from './api-client.js';
import { db } from './stack.js';
import { uniqueEmail } from './workspaces.js';
import type { Event, Member } from './api-bodies.js';

/** Creates a member through the API, by default active and on the basic tier. */
export async function createMember(api: ApiClient, overrides: Record<string, unknown> = {}) {
  const made = await api.post('/v1/members', { email: uniqueEmail(), send_invite: false, ...overrides });
  if (made.status !== 201) throw new Error(`POST /v1/members returned ${JSON.stringify(made.body)}`);
  return made.body;
}

/** The stored events about an object, in order. */
export async function listEvents<Body = Member>(objectId: string): Promise<Event<Body>[]> {
  const rows: { body: Event<Body> }[] = await db.query(
    `SELECT body FROM events WHERE object_id = $1 ORDER BY sequence`,
    [objectId],
  );
  return rows.map(({ body }) => body);
}

export const eventTypes = async (objectId: string): Promise<string[]> =>
  (await listEvents(objectId)).map(({ type }) => type);
