import test from 'ava';
import { storeAuditEntries } from '../../support/rows.js';
import { fromString, toUUID } from 'typeid-js';
import { db } from '../../support/stack.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { newKey, newMember } from '../../support/people.js';
import { listEntries, findKeyId } from '../../support/audit-log-calls.js';

test('the log can be filtered by time, action and actor, and by combinations', async (t) => {
  const workspace = await newWorkspace();
  const { api, ownerId } = workspace;
  const admin = await newMember(workspace, { role: 'admin' });
  const room = await newRoom(api);
  await admin.api.patch(`/v1/rooms/${room.id}`, { name: 'A' });
  await admin.api.patch('/v1/workspace', { name: 'B' });
  await api.patch(`/v1/rooms/${room.id}`, { name: 'C' });
  const actions = async (filter: Record<string, string>) =>
    (await listEntries(api, filter)).map(({ action }) => action).join();
  const all = 'room.updated,workspace.updated,room.updated,room.created';
  t.is(await actions({}), all);
  t.is(await actions({ action: 'room.updated' }), 'room.updated,room.updated');
  t.is(await actions({ action: 'room' }), '');
  t.is(await actions({ actor: ownerId }), 'room.updated,room.created');
  t.is(await actions({ actor: toUUID(fromString(admin.id)) }), 'workspace.updated,room.updated');
  t.is(await actions({ actor: await findKeyId(admin.id) }), 'workspace.updated,room.updated');
  t.is(await actions({ actor: admin.id, action: 'room.updated' }), 'room.updated');
  t.is(await actions({ actor: 'system' }), '');

  const hour = Date.parse('2026-01-01T00:00:00Z');
  const at = (ms: number) => new Date(hour + ms).toISOString();
  const rows = await db.query('SELECT id FROM audit_log WHERE workspace_id = $1 ORDER BY id', [workspace.id]);
  for (const [i, row] of rows.entries())
    await db.query('UPDATE audit_log SET at = $2 WHERE id = $1', [row.id, at(i)]);
  t.is(await actions({ from: at(1), to: at(3) }), 'workspace.updated,room.updated');
  t.is(await actions({ from: at(3) }), 'room.updated');
  t.is(await actions({ to: at(1) }), 'room.created');
  t.is(await actions({ from: at(1), to: at(3), action: 'room.updated' }), 'room.updated');
});

test('pagination returns every entry once, newest first, even with equal timestamps and concurrent inserts', async (t) => {
  const { api, id } = await newWorkspace();
  const write = (count: number, at: string) =>
    storeAuditEntries(
      db,
      Array.from({ length: count }, () => ({ workspace_id: id, at: new Date(at) })),
    );
  for (const at of ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.002Z'])
    await write(at.endsWith('1Z') ? 120 : 3, at);
  const stored = await db.query(`SELECT id::text FROM audit_log a WHERE workspace_id = $1 ORDER BY a.id`, [
    id,
  ]);
  t.is(stored.length, 126);
  const there: string[] = stored.map((row: { id: string }) => row.id);
  for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor && `&cursor=${cursor}`;
      const { body } = await api.get(`/v1/audit-log?limit=${limit}${query}`);
      seen.push(...body.data.map((entry: { id: string }) => entry.id));
      cursor = body.next_cursor;
      if (seen.length < 10) await write(1, '2026-01-01T00:00:00.003Z');
    }
    const old = seen.filter((entry) => there.includes(entry));
    t.deepEqual(old, there.toReversed(), `limit ${limit}`);
    t.is(new Set(seen).size, seen.length);
  }
});

test('the log is readable by admins and owners whose key has workspace:read', async (t) => {
  const [workspace, theirs] = [await newWorkspace(), await newWorkspace()];
  await newRoom(theirs.api);
  t.deepEqual(await listEntries(workspace.api), []);
  t.deepEqual(await listEntries(workspace.api, { actor: theirs.ownerId }), []);
  const [member, billing, admin] = [
    await newMember(workspace),
    await newMember(workspace, { role: 'billing_contact' }),
    await newMember(workspace, { role: 'admin' }),
  ];
  isError(t, await member.api.get('/v1/audit-log'), 403, 'role_insufficient');
  isError(t, await billing.api.get('/v1/audit-log'), 403, 'role_insufficient');
  t.is((await admin.api.get('/v1/audit-log')).status, 200);
  const narrow = await newKey(workspace, workspace.ownerId, { resources: ['calendar', 'members'] });
  isError(t, await narrow.get('/v1/audit-log?limit=0'), 403, 'auth_scope_insufficient');
});

test('an invalid filter returns 422 and the error names it', async (t) => {
  const { api } = await newWorkspace();
  const cursor = (...content: unknown[]) =>
    Buffer.from(JSON.stringify(['audit_log', ...content])).toString('base64url');
  const time = '2026-01-01T00:00:00.000Z';
  const wrong: Record<string, string[]> = {
    from: ['', 'now'],
    to: ['', '2027-03-01'],
    action: ['', 'a\0b', 'a'.repeat(101)],
    actor: ['', 'mem_1', 'key_', 'someone', 'bk_01h455vb4pex5vsknk084sn02q', 'a\0b'],
    limit: ['0', '201'],
    cursor: ['x', cursor(time, 'x'), cursor(time, '0'), cursor(time, '9'.repeat(19)), cursor(time, '-1')],
    colour: ['red'],
  };
  for (const [param, values] of Object.entries(wrong)) {
    for (const value of values) {
      const response = await api.get(`/v1/audit-log?${new URLSearchParams({ [param]: value })}`);
      isError(t, response, 422, 'validation_failed', `${param}=${value.slice(0, 40)}`);
      t.is(response.body.error.param, param);
    }
  }
});
