import test from 'ava';
import { bookingBody, createBooking } from '../support/bookings.js';
import { openOffice, pageText } from '../support/dashboard.js';
import { storeBookings } from '../support/stored-bookings.js';
import { WebSession } from '../support/web-session.js';
import { newRoom, uniqueEmail } from '../support/workspaces.js';
import { line, createInvoice } from '../support/invoice-calls.js';
import { createMember } from '../support/member-calls.js';
import { newMember } from '../support/people.js';

/** The result of a person's search: the pages that it lists, or the one that it opens. */
async function foundBy(session: WebSession, home: string, q: string): Promise<string[]> {
  const { path, response } = await session.follow(`${home}/search?q=${encodeURIComponent(q)}`);
  if (!path.startsWith(`${home}/search`)) return [path.slice(home.length)];
  const main = /<main[^]*<\/main>/.exec(await response.text())![0];
  return [...main.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!.slice(home.length));
}

test('the search finds members, companies and rooms whatever their accents', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', {
    name: 'Café Ångström Ødegård',
    vat_number: 'GB123456789',
  });
  const room = await newRoom(api, { name: 'Große Bücherei' });
  const member = await createMember(api, {
    email: 'zoe@example.com',
    name: 'Zoë Núñez',
    send_invite: false,
  });
  const listFound = (q: string) => foundBy(session, home, q);
  for (const q of ['cafe angstrom', 'odegard', 'CAFÉ', 'GB123456789'])
    t.deepEqual(await listFound(q), [`/companies/${company.id}`], q);
  for (const q of ['zoe nunez', 'NÚÑEZ']) t.deepEqual(await listFound(q), [`/members/${member.id}`], q);
  for (const q of ['grosse bucherei', 'BÜCHEREI'])
    t.is(
      (await session.follow(`${home}/search?q=${encodeURIComponent(q)}`)).path,
      `${home}/rooms/${room.id}`,
      q,
    );
  t.is(
    (await session.follow(`${home}/search?q=zoe`)).path,
    `${home}/members/${member.id}`,
    'what is alone is opened',
  );
  t.regex(pageText(await session.getText(`${home}/companies?q=angstrom`)), /Café Ångström Ødegård/);
  t.regex(pageText(await session.getText(`${home}/search?q=zoe+angstrom`)), /No results\./);
});

test('a name is found with and without its apostrophes and hyphens, however they are typed', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const named = (name: string) => createMember(api, { email: uniqueEmail(), name, send_invite: false });
  const [member, plain] = [await named("Siobhán O'Brien-Walsh"), await named('Liam OMalley')];
  const booking = await createBooking(
    api,
    bookingBody((await newRoom(api)).id, {
      booked_by: { guest: { email: uniqueEmail(), name: 'Anne-Sophie D’Arcy' } },
    }),
  );
  const found = (q: string) => foundBy(session, home, q);
  for (const q of ['OBrien', "o'brien", 'obrien walsh', 'O’Brien-Walsh', 'brienwalsh', '- obrien'])
    t.deepEqual(await found(q), [`/members/${member.id}`], q);
  t.deepEqual(await found("O'Malley"), [`/members/${plain.id}`]);
  for (const q of ['annesophie darcy', "anne sophie d'arcy"])
    t.deepEqual(await found(q), [`/bookings/${booking.id}`], q);
});

test('a name is found with its umlauts and in the spelling without them', async (t) => {
  const { workspace, session, home } = await openOffice();
  const named = (name: string) =>
    createMember(workspace.api, { email: uniqueEmail(), name, send_invite: false });
  const [member, plain] = [await named('Jörg Müller-Lüdenscheidt'), await named('Samuel Goetze')];
  const found = (q: string) => foundBy(session, home, q);
  for (const q of ['mueller', 'MUELLER joerg', 'joerg muller', 'jorg mueller luedenscheidt', 'Müller'])
    t.deepEqual(await found(q), [`/members/${member.id}`], q);
  for (const q of ['samuel', 'götze samuel', 'GO\u0308TZE', 'goetze'])
    t.deepEqual(await found(q), [`/members/${plain.id}`], q);
  t.regex(pageText(await session.getText(`${home}/search?q=joerg+samuel`)), /No results\./);
});

test('the search accepts every number and reference that a document shows, for those who may see it', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Acme' });
  const ordered = await createInvoice(api, { company_id: company.id, reference: 'PO-4711' });
  const other = await createInvoice(api, {
    company_id: company.id,
    reference: 'PO-4712',
    lines: [line({ unit_amount_minor: 3_000, tax_code: 'ZERO' })],
  });
  await api.post(`/v1/invoices/${other.id}/mark-paid`, {
    amount_minor: 3_000,
    method: 'cash',
    reference: 'Till 2, slip 8810',
  });
  const room = await newRoom(api);
  const booking = await createBooking(api, bookingBody(room.id));
  const paid = await api.post(`/v1/bookings/${booking.id}/payments`, {
    amount_minor: booking.price.amount_minor,
    method: 'terminal',
    reference: 'Terminal Ä-17',
  });
  t.is(paid.status, 201, JSON.stringify(paid.body));
  const [billed] = await storeBookings({ workspace_id: workspace.id, room_id: room.id }, [
    {
      start_at: new Date('2026-01-05T09:00:00Z'),
      guest_billing: { company: 'Hækel & Söhne', vat_number: 'DE811907980', order_reference: 'Auftrag 99/7' },
    },
  ]);
  const found = (q: string) => foundBy(session, home, q);
  const number = ordered.documents[0]!.number;
  for (const [q, page] of [
    [number, `/invoices/${ordered.id}`],
    [number.toLowerCase(), `/invoices/${ordered.id}`],
    [number.toLowerCase().replace('-', ''), `/invoices/${ordered.id}`],
    [number.replace('-', ' '), `/invoices/${ordered.id}`],
    ['po4711', `/invoices/${ordered.id}`],
    [`#${ordered.number}`, `/invoices/${ordered.id}`],
    [`Holdfast #${ordered.number}`, `/invoices/${ordered.id}`],
    [`holdfast ${ordered.number}`, `/invoices/${ordered.id}`],
    [ordered.accounting_reference, `/invoices/${ordered.id}`],
    ['PO-4711', `/invoices/${ordered.id}`],
    ['4712', `/invoices/${other.id}`],
    ['till 2', `/invoices/${other.id}`],
    ['terminal a-17', `/invoices/${booking.invoice_id}`],
    [booking.reference, `/bookings/${booking.id}`],
    [booking.reference.slice(0, 5), `/bookings/${booking.id}`],
    ['auftrag 99/7', `/bookings/${billed}`],
    ['de811907980', `/bookings/${billed}`],
    ['haekel sohne', `/bookings/${billed}`],
  ] as const)
    t.deepEqual(await found(q), [page], q);
  const listed = await found('PO-47');
  for (const { id } of [ordered, other]) t.true(listed.includes(`/invoices/${id}`), listed.join(' '));
  t.regex(pageText(await session.getText(`${home}/payments?q=till+2`)), /£30\.00/);
  t.notRegex(pageText(await session.getText(`${home}/payments?q=till+3`)), /£30\.00/);
  t.regex(pageText(await session.getText(`${home}/invoices?q=po-4711`)), new RegExp(number));

  const member = await createMember(api, { email: uniqueEmail(), name: 'Mel Member', send_invite: false });
  const theirs = await WebSession.start(member.email);
  for (const q of [number, 'PO-4711', 'till 2', 'auftrag 99/7', booking.reference])
    t.deepEqual(await foundBy(theirs, home, q), [], q);
  t.notRegex(pageText(await theirs.getText(`${home}/search?q=${number}`)), /ooking invoices only/);
  const desk = await WebSession.start((await newMember(workspace, { role: 'front_desk' })).email);
  t.deepEqual(await foundBy(desk, home, number), []);
  for (const page of [`search?q=${number}`, 'invoices'])
    t.regex(
      pageText(await desk.getText(`${home}/${page}`)),
      /Booking invoices only\. Owners, admins and billing contacts also see/,
    );
});
