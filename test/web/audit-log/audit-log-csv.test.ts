import test from 'ava';
import { newMember } from '../../support/people.js';
import { openOffice } from '../../support/dashboard.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { parseCsv } from '../../../web/dashboard/shared/csv.js';

test('the audit log as CSV has what the API lists, only from its workspace, and no formulas', async (t) => {
  const [{ workspace, session, home }, theirs] = [await openOffice(), await newWorkspace()];
  await newRoom(theirs.api, { name: 'Theirs' });
  const admin = await newMember(workspace, { role: 'admin', name: '=HYPERLINK(A1)' });
  const room = await newRoom(admin.api, { name: 'Tea; +1+1' });
  await workspace.api.patch(`/v1/rooms/${room.id}`, { name: 'Said "hi";=1+1' });
  const { data } = (await workspace.api.get('/v1/audit-log?limit=50')).body;

  const response = await session.get(`${home}/audit-log.csv`);
  t.is(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.is(response.headers.get('content-disposition'), 'attachment; filename="audit-log.csv"');
  t.is(response.headers.get('cache-control'), 'no-store');
  const [head, ...rows] = (await parseCsv(await response.text(), 100)).map(({ cells }) => cells);
  t.deepEqual(head, ['When (UTC)', 'Action', 'By', 'Actor', 'Object', 'Details', 'Entry']);
  const bare = (text: string): string => text.replaceAll(/(?<=^|;)'/g, '');
  t.deepEqual(
    rows.map(([at, action, , actor, object, details, id]) => ({
      id,
      at,
      action,
      object,
      actor: JSON.parse(bare(actor!)),
      details: JSON.parse(bare(details!)),
    })),
    data.map(({ id, at, action, object, actor, details }) => ({ id, at, action, object, actor, details })),
  );
  t.false(rows.flat().some((cell) => cell.includes('Theirs')));
  const of = (wanted: string): string[] => rows.find(([, action]) => action === wanted)!;
  t.is(of('room.created')[2], "'=HYPERLINK(A1)");
  t.regex(
    of('room.updated')[5]!,
    /";'=1\+1/,
    'nor after what spreadsheets of some locales take for the end of a cell',
  );
  for (const cell of rows.flat()) t.notRegex(cell, /(^|[;\t\r\n])[=+\-@\t\r]/);

  const filtered = await session.get(`${home}/audit-log.csv?actor=${admin.id}`);
  t.deepEqual(
    (await parseCsv(await filtered.text(), 100)).map(({ cells }) => cells[1]),
    ['Action', 'room.created'],
  );
});
