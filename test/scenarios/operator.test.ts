import { HOUR_MS, MINUTE_MS } from '../../domain/durations.js';
import test from 'ava';
import { bookingBody, pay, checkoutSessionId, untilStatus } from '../support/bookings.js';
import { withFaults } from '../support/simulators.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, findOwnerEmail } from '../support/workspaces.js';
import { pageText } from '../support/dashboard.js';
import { WebSession } from '../support/web-session.js';
import { temporal } from '../support/temporal.js';
import { searchAttributes } from '../../contract/search-attributes.js';

const describe = (bookingId: string) => temporal.workflow.getHandle(bookingId).describe();

/** What the Web UI shows under "Current Details". */
const currentDetails = async (bookingId: string): Promise<string> =>
  (
    await temporal.workflow
      .getHandle(bookingId)
      .query<{ currentDetails: string }, []>('__temporal_workflow_metadata')
  ).currentDetails;

test('the Web UI shows the workspace of a booking, what it waits for, and until when', async (t) => {
  const { api, id } = await newWorkspace();
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const { typedSearchAttributes: attributes, ...run } = await describe(booking.id);
  t.is(attributes.get(searchAttributes.bookingStatus), 'pending_payment');
  t.is(attributes.get(searchAttributes.workspace), id);
  t.is(attributes.get(searchAttributes.room), room.id);
  t.is(attributes.get(searchAttributes.slotStart)?.toISOString(), booking.start_at);
  t.regex((await run.staticSummary()) ?? '', /^Blue room, .* \(Europe\/London\)$/);
  t.regex(await currentDetails(booking.id), new RegExp(`Not paid yet\\. Held until ${booking.expires_at}`));
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  await until(async () => /Waiting for the booking to end/.test(await currentDetails(booking.id)));
  await until(async () => {
    const { typedSearchAttributes } = await describe(booking.id);
    return typedSearchAttributes.get(searchAttributes.bookingStatus) === 'confirmed';
  });
});

test('a step that keeps failing sets the attention flag with the step and the reason, and success clears it', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 10 });
  const { api } = workspace;
  const session = await WebSession.start(await findOwnerEmail(workspace.id));
  await session.enrol();
  const room = await newRoom(api, { name: 'Garden room' });
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const path = `/v1/checkout/sessions/${checkoutSessionId(booking)}*` as const;
  const flag = async (): Promise<boolean | undefined> =>
    (await describe(booking.id)).typedSearchAttributes.get(searchAttributes.attentionNeeded);
  await withFaults(
    workspace,
    { fail: ['GET', 'POST'].map((method) => ({ method, path, status: 503, times: 1_000 })) },
    async () => {
      await until(flag);
      t.regex(
        await currentDetails(booking.id),
        /closing the checkout keeps failing and is retried: ProcessorUnavailable/,
      );
      t.is(
        (await api.get(`/v1/bookings/${booking.id}`)).body.status,
        'pending_payment',
        'the slot is not released before the processor responds',
      );
      const overview = await until(async () => {
        const words = pageText(await session.getText(`/dashboard/${workspace.id}`));
        return words.includes('The hold has expired') && words;
      });
      t.regex(overview, new RegExp(`Garden room, [^.]* ${booking.reference} since`));
      t.regex(overview, /Failing step: closing the checkout/);
    },
  );
  await untilStatus(api, booking.id, 'expired');
  await until(async () => (await flag()) === false);
});

test('an outage of the processor is one card of the overview, with each expired hold once and its button', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 10 });
  const { api } = workspace;
  const session = await WebSession.start(await findOwnerEmail(workspace.id));
  await session.enrol();
  const rooms = await Promise.all([newRoom(api), newRoom(api)]);
  const made = await Promise.all(rooms.map(({ id }) => api.post('/v1/bookings', bookingBody(id))));
  const path = '/v1/checkout/sessions/*' as const;
  const fail = ['GET', 'POST'].map((method) => ({ method, path, status: 503, times: 1_000 }));
  await withFaults(workspace, { fail }, async () => {
    const references = made.map(({ body }) => body.reference);
    const html = await until(async () => {
      const text = await session.getText(`/dashboard/${workspace.id}`);
      return /not been released: 2</.test(text) && text;
    });
    t.is(html.split('class="card trouble"').length - 1, 1);
    for (const reference of references) t.is(html.split(`>${reference}<`).length - 1, 1, reference);
    t.is(html.split('>Check payment now<').length - 1, 2);
    for (const { body } of made) t.true(Date.now() < Date.parse(body.expires_at!) + 2 * MINUTE_MS, 'soon');
  });
  for (const { body } of made) await untilStatus(api, body.id, 'expired');
});

test('the hourly job has a Schedule', async (t) => {
  const { spec, action } = await temporal.schedule.getHandle('self-heal').describe();
  t.is(spec.intervals?.[0]?.every, HOUR_MS);
  t.is(action.workflowType, 'selfHeal');
});

test('histories contain no personal data', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const body = bookingBody(room.id, { notes: 'a private word' });
  const { body: booking } = await api.post('/v1/bookings', body);
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  const history = await temporal.workflow.getHandle(booking.id).fetchHistory();
  const text = JSON.stringify(history, (_, value) =>
    value instanceof Uint8Array || value?.type === 'Buffer'
      ? Buffer.from(value.data ?? value).toString()
      : value,
  );
  t.true(text.includes(booking.id), 'the history can be read');
  for (const secret of [body.booked_by.guest.email, body.booked_by.guest.name, body.notes!])
    t.false(text.includes(secret));
});
