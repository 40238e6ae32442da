import { type ExecutionContext } from 'ava';
import ICAL from 'ical.js';
import type { ApiClient } from '../../support/api-client.js';
import { bookingBody } from '../../support/bookings.js';

export const FREE = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };

export async function feed(api: ApiClient, query: Record<string, string> = {}): Promise<string> {
  const { status, body } = await api.get(`/v1/calendar.ics?${new URLSearchParams(query)}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** The entries of a document by booking id, parsed by a different library than the one that wrote them. */
export function entries(document: string): Map<string, InstanceType<typeof ICAL.Event>> {
  const calendar = new ICAL.Component(ICAL.parse(document));
  const events = calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
  return new Map(events.map((event) => [event.uid.replace('@holdfast', ''), event]));
}

/** RFC 5545's rules for lines, which parsers do not enforce. */
export function isWellFormed(t: ExecutionContext, document: string): void {
  t.true(document.endsWith('END:VCALENDAR\r\n'));
  t.false(/[^\r]\n|\r[^\n]/.test(document), 'every line ends with CRLF');
  // oxlint-disable-next-line no-control-regex
  t.notRegex(document, /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
  for (const line of document.split('\r\n')) {
    t.true(Buffer.byteLength(line) <= 75, line);
    t.is(Buffer.from(line).toString(), line, 'no character is split');
  }
}

export async function book(api: ApiClient, roomId: string, overrides: Record<string, unknown> = {}) {
  const { status, body } = await api.post('/v1/bookings', bookingBody(roomId, overrides));
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}
