import {
  bookingBody,
  freeHour,
  newRoom,
  until,
  type ApiResponse,
  type TestWorkspace,
} from '../support/stack.js';
import { createMember } from './member-calls.js';

/** What a workspace has, by id. */
export interface Things {
  room: string;
  blackout: string;
  booking: string;
  company: string;
  invoice: string;
  payment: string;
  member: string;
  key: string;
  client: string;
  event: string;
}

/** One of each thing. */
export async function createOneOfEach({ api, ownerId }: TestWorkspace): Promise<Things> {
  const insist = async (asked: Promise<ApiResponse>): Promise<any> => {
    const { status, body } = await asked;
    if (status >= 300) throw new Error(JSON.stringify(body));
    return body;
  };
  const room = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const blackout = await insist(api.post(`/v1/rooms/${room.id}/blackouts`, freeHour(60)));
  const booking = await insist(
    api.post('/v1/bookings', bookingBody(room.id, { booked_by: { member_id: ownerId } })),
  );
  const company = await insist(api.post('/v1/companies', { name: 'Northwind' }));
  const invoice = await insist(
    api.post('/v1/invoices', {
      company_id: company.id,
      currency: 'GBP',
      due_at: '2030-01-01T00:00:00Z',
      lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }],
    }),
  );
  const paid = { amount_minor: 100, method: 'cash' };
  const { payment } = await insist(api.post(`/v1/invoices/${invoice.id}/mark-paid`, paid));
  const key = await insist(api.post('/v1/api-keys', { name: 'Key', scope: { resources: ['calendar'] } }));
  const client = await insist(
    api.post('/v1/oauth-clients', { name: 'App', redirect_uris: ['https://app.example/'] }),
  );
  const event = await until(async () => (await api.get('/v1/events')).body.data[0]);
  return {
    room: room.id,
    blackout: blackout.id,
    booking: booking.id,
    company: company.id,
    invoice: invoice.id,
    payment: payment.id,
    member: (await createMember(api)).id,
    key: key.id,
    event: event.id,
    client: client.client_id,
  };
}
