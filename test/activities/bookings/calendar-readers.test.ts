import test from 'ava';
import ICAL from 'ical.js';
import nodeIcal, { type VEvent } from 'node-ical';
import { convertIcsCalendar } from 'ts-ics';
import { writeCalendar } from '../../../api/resources/bookings/calendar/ics.js';
import type { CalendarRow } from '../../../db/queries/bookings/calendar.js';
import { calendarFile } from '../../../web/payer/manage/files.js';
import { LONG_MAILS, TEXTS } from '../mail/long-mails.js';

/** What a library reads in a calendar file. */
interface Entry {
  calendar: string | undefined;
  summary: string | undefined;
  location: string | undefined;
  description: string | undefined;
  /**
   * Names of people are in parameters, where quotation marks and line breaks are escaped with carets (RFC
   * 6868).
   */
  organizer: string | undefined;
  attendee: string | undefined;
}

/** The name of a calendar as text (RFC 7986), for libraries that return it unparsed. */
const asText = (written: string | undefined): string | undefined => written?.replaceAll(/\\([\\;,])/g, '$1');

function readWithIcalJs(document: string): Entry {
  const calendar = new ICAL.Component(ICAL.parse(document));
  const event = calendar.getFirstSubcomponent('vevent')!;
  const name = (property: string) =>
    event.getFirstProperty(property)?.getFirstParameter('cn') as string | undefined;
  const text = (property: string) => (event.getFirstPropertyValue(property) as string | null) ?? undefined;
  const calendarName = calendar.getFirstPropertyValue('name') as string | null;
  return {
    calendar: asText(calendarName ?? undefined),
    summary: text('summary'),
    location: text('location'),
    description: text('description'),
    organizer: name('organizer'),
    attendee: name('attendee'),
  };
}

/** Carets as RFC 6868 defines them, for libraries that return them as they are. */
const withoutCarets = (text: string | undefined): string | undefined =>
  text?.replaceAll(/\^([n'^])/g, (_, each) => ({ n: '\n', "'": '"', '^': '^' })[each as string]!);

function readWithNodeIcal(document: string): Entry {
  const parsed = nodeIcal.sync.parseICS(document);
  const event = Object.values(parsed).find((each) => each?.type === 'VEVENT') as VEvent;
  const text = (value: unknown) => value as string | undefined;
  const name = (value: unknown) =>
    withoutCarets((value as { params?: { CN?: string } } | undefined)?.params?.CN);
  return {
    calendar: text((parsed.vcalendar as Record<string, unknown> | undefined)?.['WR-CALNAME']),
    summary: text(event.summary),
    location: text(event.location),
    description: text(event.description),
    organizer: name(event.organizer),
    attendee: name(event.attendee),
  };
}

function readWithTsIcs(document: string): Entry {
  const { name, events } = convertIcsCalendar(undefined, document);
  const { summary, location, description, organizer, attendees } = events![0]!;
  return {
    calendar: asText(name),
    summary,
    location,
    description,
    organizer: withoutCarets(organizer?.name),
    attendee: withoutCarets(attendees?.[0]?.name),
  };
}

const NAMES = {
  'straight quotation marks': 'Ada "Countess" Lovelace',
  apostrophes: `O'Brien & d'Arc's`,
  carets: `Ada ^ Bea ^^ ^' ^n`,
  commas: 'Lovelace, Ada, Countess',
  semicolons: 'Ada; Bea; Cäcilie',
  colons: 'Ada: mailto:ada@example.com',
  backslashes: 'Ada \\ Bea',
  equals: 'CN=Ada=Bea',
  emoji: 'Ada 👩‍🚀 🎉',
  'Hebrew and Arabic': 'שלום כהן و محمد',
  'Chinese and Hindi': '王小明 हिन्दी',
  length: 'Ada von und zu Hohenstein '.repeat(20).trim(),
  'length without spaces': 'ü'.repeat(300),
};

/**
 * Characters at which these two libraries end quoted parameters, against RFC 5545. The other library does
 * not.
 */
const ENDS_PARAMETER = /[;:,]/;

const LIBRARIES = [
  { name: 'ical.js', read: readWithIcalJs, readsPeople: () => true },
  {
    name: 'node-ical',
    read: readWithNodeIcal,
    readsPeople: (name: string) => !ENDS_PARAMETER.test(name) && !name.includes('='),
  },
  { name: 'ts-ics', read: readWithTsIcs, readsPeople: (name: string) => !ENDS_PARAMETER.test(name) },
];

const ROW: CalendarRow = {
  id: 'bkg_1',
  reference: '7KQ2-MX4T',
  status: 'confirmed',
  sequence: 1,
  start_at: new Date('2030-01-01T10:00:00Z'),
  end_at: new Date('2030-01-01T11:00:00Z'),
  updated_at: new Date('2029-12-01T10:00:00Z'),
  room_name: '',
  workspace_name: '',
  address: null,
  directions: null,
  access_notes: null,
  member_id: null,
  booked_by: '',
  attendees: 1,
  notes: null,
  no_show_at: null,
};

async function renderFeed(name: string): Promise<string> {
  const row = { ...ROW, room_name: name, workspace_name: name, booked_by: name, notes: name };
  return (await writeCalendar(name, [row], 'mem_other')).document.toString();
}

/** The file on a payer's page. */
async function renderCalendarFile(name: string): Promise<string> {
  const ctx = { state: {}, set: () => {}, body: '' };
  const room = { address: null, directions: name, access_notes: null };
  const booking = { ...ROW, room_name: name, room, workspace: { name } };
  await calendarFile(ctx as never, { booking } as never);
  return ctx.body;
}

const renderInvitation =
  (kind: 'booking_confirmed' | 'booking_changed' | 'booking_cancelled') => (name: string) => {
    const mails = LONG_MAILS[kind]({ ...TEXTS.long, name, prose: name, email: 'guest@example.com' });
    return mails[0]!.calendar!.content;
  };

const FILES = [
  { name: 'feed', write: renderFeed, hasPeople: false },
  { name: "file of the payer's page", write: renderCalendarFile, hasPeople: false },
  { name: 'invitation', write: renderInvitation('booking_confirmed'), hasPeople: true },
  { name: 'invitation of a change', write: renderInvitation('booking_changed'), hasPeople: true },
  { name: 'cancellation', write: renderInvitation('booking_cancelled'), hasPeople: true },
];

for (const [what, name] of Object.entries(NAMES))
  test(`calendar libraries read names with ${what} as they were entered, in every kind of file`, async (t) => {
    for (const file of FILES) {
      const document = await file.write(name);
      for (const line of document.split('\r\n')) t.true(Buffer.byteLength(line) <= 75, line);
      for (const library of LIBRARIES) {
        const about = `${file.name}, ${library.name}`;
        const { calendar, summary, location, description, organizer, attendee } = library.read(document);
        t.true(summary!.startsWith(name), `${about}: ${summary}`);
        t.true(location!.startsWith(`${name}, ${file.hasPeople ? '' : name}`), `${about}: ${location}`);
        if (file.name === 'feed') {
          t.is(calendar, name, about);
          t.is(summary, `${name} – ${name}`, about);
          t.true(description!.includes(`Booked by ${name}\n`), `${about}: ${description}`);
        }
        if (!file.hasPeople) t.true(description!.endsWith(`\n${name}`), `${about}: ${description}`);
        if (file.hasPeople && library.readsPeople(name)) {
          t.is(organizer, name, about);
          t.is(attendee, name, about);
        }
      }
    }
  });

test('line breaks in texts stay line breaks, and a line break in a person’s name doesn’t start a new line', async (t) => {
  const name = 'Ada\nBea';
  for (const { read } of LIBRARIES) {
    t.true(read(await renderFeed(name)).description!.endsWith(`\n${name}`));
    t.is(read(renderInvitation('booking_confirmed')(name)).attendee, name);
  }
});
