import test from 'ava';
import { randomUUID } from 'node:crypto';
import { pay, untilStatus } from '../../support/bookings.js';
import { readPdf, getPdf } from '../../support/pdf.js';
import { dev } from '../../support/stack.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { addresses, anyAddress } from '../../support/limit-calls.js';
import { message } from '../../support/message.js';

const newSlug = (): string => `house-${randomUUID().slice(0, 8)}`;

/** The form for an hour on a day in a few weeks, as browsers send it. */
const formAt = (hour: number, fields: Record<string, string> = {}): URLSearchParams => {
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const slot = `${day}T${String(hour).padStart(2, '0')}:00:00.000Z|3000`;
  const guest = { name: 'Grace Guest', email: uniqueEmail(), attendees: '2' };
  return new URLSearchParams({ slot, minutes: '60', key: randomUUID(), ...guest, ...fields });
};

test('the booking page has defaults until it is set up, and its edits are in the audit log', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  t.like((await api.get('/v1/booking-page')).body, { slug: null, url: null, enabled: false });
  const slug = newSlug();
  const question = {
    id: 'layout',
    label: 'Chairs?',
    kind: 'choice',
    required: true,
    choices: ['Rows', 'Circle'],
  };
  const put = await api.put('/v1/booking-page', {
    slug,
    room_ids: [room.id],
    questions: [question],
    terms: { url: 'https://harbour.example/terms', version: '2026-05' },
    embed_origins: ['https://www.harbour.example'],
  });
  t.is(put.status, 200);
  t.like(put.body, { slug, url: `${dev.baseUrl}/book/${slug}`, enabled: true, guest_hold_seconds: 900 });
  t.deepEqual(put.body.questions, [question]);
  t.deepEqual((await api.get('/v1/booking-page')).body, put.body);
  const { body: log } = await api.get('/v1/audit-log?action=booking_page.updated');
  t.is(log.data.length, 1);
  const shown = await fetch(`${dev.baseUrl}/book/${slug}`);
  t.regex(shown.headers.get('content-security-policy')!, /frame-ancestors https:\/\/www\.harbour\.example/);
  const again = await api.put('/v1/booking-page', { slug: `${slug}-2` });
  t.deepEqual(again.body.questions, [], 'a PUT replaces the page');
  t.is((await fetch(`${dev.baseUrl}/book/${slug}`)).status, 404);
});

test('impossible settings are refused', async (t) => {
  const [mine, theirs] = await Promise.all([newWorkspace(), newWorkspace()]);
  const { id } = await newRoom(theirs.api);
  const slug = newSlug();
  await theirs.api.put('/v1/booking-page', { slug });
  const refused = async (body: Record<string, unknown>, param: string): Promise<void> => {
    const response = await mine.api.put('/v1/booking-page', { slug: newSlug(), ...body });
    isError(t, response, 422, 'validation_failed', JSON.stringify(body));
    t.is(response.body.error.param, param);
  };
  await refused({ slug }, 'slug');
  await refused({ slug: 'No_Slug' }, 'slug');
  await refused({ room_ids: [id] }, 'room_ids.0');
  await refused({ embed_origins: ['https://www.example.com/page'] }, 'embed_origins.0');
  await refused({ questions: [{ id: 'a', label: 'A', kind: 'choice' }] }, 'questions.0');
  await refused({ theme: { accent: '#ffff00' } }, 'theme.accent');
  await refused({ languages: ['xx'] }, 'languages.0');
});

test('a required question must be answered and today’s terms accepted, or nothing is stored', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const slug = newSlug();
  await api.put('/v1/booking-page', {
    slug,
    questions: [{ id: 'diet', label: 'Anything you do not eat?', kind: 'text', required: true }],
    terms: { url: 'https://harbour.example/terms', version: '2' },
  });
  const send = async (fields: Record<string, string>) => {
    const address = `${dev.baseUrl}/book/${slug}/rooms/${room.id}/details`;
    const response = await fetch(address, { method: 'POST', body: formAt(9, fields) });
    return [response.status, await response.text()] as const;
  };
  const [unanswered, question] = await send({ terms_version: '2' });
  t.is(unanswered, 422);
  t.true(question.includes(message('page.answer_this')));
  const [old, terms] = await send({ answer_diet: 'Nuts', terms_version: '1' });
  t.is(old, 422);
  t.true(terms.includes(message('page.accept_to_book')));
  t.regex(terms, /value="Nuts"/, 'what was typed');
  t.is((await send({ answer_diet: 'Nuts', terms_version: '2' }))[0], 200);
});

test('one address holds a limited number of slots, and a form from another site holds none', async (t) => {
  const { here } = await addresses();
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const slug = newSlug();
  await api.put('/v1/booking-page', { slug });
  const address = anyAddress();
  const send = (hour: number, headers: Record<string, string> = {}) =>
    fetch(`${here}/book/${slug}/rooms/${room.id}/details`, {
      method: 'POST',
      body: formAt(hour, {}),
      headers: { 'x-forwarded-for': address, ...headers },
    });
  t.is((await send(8, { 'sec-fetch-site': 'cross-site' })).status, 403);
  // A tenth of five rounds to one.
  t.is((await send(9)).status, 200);
  const refused = await send(11);
  t.is(refused.status, 429);
  t.truthy(refused.headers.get('retry-after'));
  t.is((await send(11, { 'x-forwarded-for': anyAddress() })).status, 200, 'the refused one holds nothing');
});

test('documents show the guest’s company, and an erasure removes it with the answers', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const slug = newSlug();
  await api.put('/v1/booking-page', { slug, questions: [{ id: 'diet', label: 'Diet?', kind: 'text' }] });
  const entered = {
    company: 'Orchard Ltd',
    vat_number: 'GB123456789',
    order_reference: 'PO-77',
    answer_diet: 'Nuts',
  };
  const form = formAt(9, entered);
  await fetch(`${dev.baseUrl}/book/${slug}/rooms/${room.id}/details`, { method: 'POST', body: form });
  const email = form.get('email')!;
  const { body } = await api.get(`/v1/bookings?q=${encodeURIComponent(email)}`);
  const [made] = body.data;
  await pay(made!);
  const booking = await untilStatus(api, made!.id, 'confirmed');
  const printed = async () =>
    (await readPdf((await getPdf(api, `/v1/invoices/${booking.invoice_id}.pdf`)).bytes)).text;
  t.regex(await printed(), /Orchard Ltd Grace Guest VAT number GB123456789 Order reference PO-77/);
  t.is((await api.post('/v1/guests/erase', { email })).status, 200);
  const { body: erased } = await api.get(`/v1/bookings/${booking.id}`);
  t.like(erased, { source: 'page', billing: null, answers: [] });
  t.notRegex(await printed(), /Orchard|GB123456789|PO-77/);
});
