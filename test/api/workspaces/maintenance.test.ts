import { HOUR_MS } from '../../../domain/durations.js';
import test from 'ava';
import { formatZonedMoment } from '../../../domain/display.js';
import { internal } from '../../support/api-client.js';
import { bookingBody, pay } from '../../support/bookings.js';
import { mailTo } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace, findOwnerEmail } from '../../support/workspaces.js';

test('maintenance must be announced 48 hours ahead, is announced by mail and a header, and can be shortened or cancelled', async (t) => {
  const { api, id } = await newWorkspace();
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const announce = (starts_at: string, ends_at: string) =>
    api.patch('/v1/workspace', { maintenance: { starts_at, ends_at } });
  for (const [starts_at, ends_at, param] of [
    [inHours(47.9), inHours(50), 'maintenance.starts_at'],
    [inHours(-1), inHours(1), 'maintenance.starts_at'],
    [inHours(50), inHours(49), 'maintenance'],
  ] as const)
    t.is((await announce(starts_at, ends_at)).body.error.param, param);

  const [starts_at, ends_at] = [inHours(48.1), inHours(50)];
  t.deepEqual((await announce(starts_at, ends_at)).body.maintenance, { starts_at, ends_at });
  const announced = await api.get('/v1/rooms');
  t.is(announced.status, 200, 'announced, not started');
  t.is(announced.headers.get('service-maintenance'), `${starts_at}/${ends_at}`);
  const mail = await until(async () => {
    const mails = await mailTo(await findOwnerEmail(id));
    return mails.find(({ subject }) => subject.includes('Maintenance'));
  });
  for (const at of [starts_at, ends_at])
    t.true(mail.text.includes(formatZonedMoment(new Date(at), 'Europe/London', new Date())), mail.text);

  t.is((await announce(starts_at, inHours(49))).status, 200, 'shortened');
  t.is((await api.patch('/v1/workspace', { maintenance: null })).body.maintenance, null);
  t.is((await api.get('/v1/rooms')).headers.get('service-maintenance'), null);
});

test('during maintenance every call except for the workspace returns 503 with the end time, and payments continue', async (t) => {
  const { api, id } = await newWorkspace();
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const in10Minutes = new Date(Date.now() + 600_000).toISOString();
  const window = { starts_at: new Date(Date.now() - 1_000).toISOString(), ends_at: in10Minutes };
  const started = await internal('maintenance', { workspace_id: id, ...window });
  t.deepEqual(started.body, { workspace_id: id, maintenance: window });
  const refused = await api.get('/v1/rooms');
  t.is(refused.status, 503);
  t.is(refused.body.error.code, 'maintenance');
  t.is(refused.headers.get('service-maintenance'), `${window.starts_at}/${window.ends_at}`);
  const seconds = Number(refused.headers.get('retry-after'));
  t.true(seconds > 590 && seconds <= 600, String(seconds));
  t.is((await api.post('/v1/bookings', bookingBody(room.id))).status, 503);
  await pay(booking);
  await until(async () => {
    const rows = await db.query(`SELECT FROM bookings WHERE id = $1 AND status = 'confirmed'`, [booking.id]);
    return rows.length === 1;
  });

  t.is((await api.patch('/v1/workspace', { maintenance: null })).body.maintenance, null);
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
  const { body: log } = await api.get('/v1/audit-log?actor=system&action=workspace.updated');
  t.like(log.data[0], { actor: { system: 'operator' }, details: { after: { maintenance: window } } });
});
