import { findRoom } from '../../../db/queries/rooms/room.js';
import { findZone } from '../../../db/queries/workspaces/workspace.js';
import { listReceivables } from '../../../db/queries/reports/receivables.js';
import { listTaxedInvoices, sumDocumentTax } from '../../../db/queries/reports/tax.js';
import { listUsedRooms } from '../../../db/queries/reports/usage.js';
import { dayIn } from '../../../domain/cycle.js';
import { groupBy } from '../../../domain/group-by.js';
import { ageLimits, presentReceivables } from '../../../domain/reports/receivables.js';
import { monthRange } from '../../../domain/reports/months.js';
import { taxOfMoney, taxTotals, type RateTotals } from '../../../domain/reports/tax.js';
import { assertDayRange } from '../../../domain/day-range.js';
import { MAX_REPORT_DAYS, roomUsage } from '../../../domain/reports/usage.js';
import { noSuchRoom } from '../../../domain/rooms/room.js';
import { WEEKDAYS } from '../../../domain/bookings/slots.js';
import { MAX_DOCUMENTS } from '../../http/concurrency.js';
import { timestamp, uuid } from '../../http/fields.js';
import { operation } from '../../http/operation.js';
import { takeTurns } from '../../http/turns.js';
import { array, integer, nullable, object, oneOfFixed, string, type Infer } from '../../http/typed.js';
import { exampleInstant, exampleTime } from '../shared/examples.js';
import { EXAMPLE_PAYOUT_ID, getPayout, listEntries, listPayouts } from './payouts.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { EXAMPLE_ROOM_ID } from '../rooms/operations.js';

const currency = s.currencyCode.description('The ISO 4217 code of the currency.');

const aged = {
  not_due_minor: s.minor.description('The amount that is not due before today, in minor units.'),
  days_1_to_30_minor: s.minor.description('The amount that is 1 to 30 days overdue, in minor units.'),
  days_31_to_60_minor: s.minor.description('The amount that is 31 to 60 days overdue, in minor units.'),
  days_61_to_90_minor: s.minor.description('The amount that is 61 to 90 days overdue, in minor units.'),
  days_over_90_minor: s.minor.description('The amount that is over 90 days overdue, in minor units.'),
  total_minor: s.minor.description('The sum of all ages, in minor units.'),
};

export const receivables = s.shape('ReceivablesReport', {
  as_of: s.instant.description('The time of the report.'),
  currencies: array(
    s.shape('Receivables', {
      currency,
      ...aged,
      payers: array(
        s.shape('Receivable', {
          company_id: nullable(s.anyUuid).description('The company that pays.'),
          member_id: nullable(s.prefixedId('mem')).description('The member who pays.'),
          guest_email: nullable(s.anyText).description('The email address of the guest who pays.'),
          name: s.anyText.description('The name of the payer.'),
          invoices: s.count.description('The number of invoices with an outstanding amount.'),
          ...aged,
        }),
      ).description('The payers, largest total first. Erased people are one payer, without an id.'),
    }),
  ).description('The outstanding amounts in each currency.'),
});

const acme = {
  company_id: '019a3c5e-8f2e-7b61-8d07-5c9e1f3a6b28',
  member_id: null,
  guest_email: null,
  name: 'Acme Ltd',
  invoices: 2,
  not_due_minor: 12_000,
  days_1_to_30_minor: 6_000,
  days_31_to_60_minor: 0,
  days_61_to_90_minor: 0,
  days_over_90_minor: 0,
  total_minor: 18_000,
};

export const getReceivables = operation({
  route: 'GET /v1/reports/receivables',
  summary: 'Report receivables by age',
  id: 'getReceivables',
  description:
    'Returns what payers owe now, by the days since the due date in the time zone of the workspace. The ' +
    'total is the sum of `outstanding_minor` of all open invoices, without those of bookings that await ' +
    'their payment.',
  scope: 'billing:read',
  capability: 'read_billing',
  concurrent: MAX_DOCUMENTS,
  responses: { 200: receivables },
  examples: {
    response: {
      as_of: exampleInstant(0, 9),
      currencies: [
        {
          currency: 'GBP',
          not_due_minor: 12_000,
          days_1_to_30_minor: 6_000,
          days_31_to_60_minor: 0,
          days_61_to_90_minor: 0,
          days_over_90_minor: 0,
          total_minor: 18_000,
          payers: [acme],
        },
      ],
    },
  },
  async run(_, { workspace_id }, { db: { manager } }) {
    const now = new Date();
    const zone = await findZone(manager, workspace_id);
    const rows = await listReceivables(manager, workspace_id, ageLimits(dayIn(zone, now), zone));
    return {
      as_of: now.toISOString(),
      currencies: [...groupBy(rows, (row) => row.currency)].map((group) => presentReceivables(...group)),
    };
  },
});

const taxAmounts = {
  net_minor: s.minor.description('The amount without tax, in minor units. Negative if more was credited.'),
  tax_minor: s.minor.description('The tax, in minor units. Negative if more was credited.'),
};

const totals = s.shape('TaxTotals', {
  currency,
  ...taxAmounts,
  rates: array(
    s.shape('TaxOfRate', {
      tax_rate_bps: s.count.description('The tax rate in hundredths of a percent: 2000 is 20 %.'),
      ...taxAmounts,
    }),
  ).description('The rates, highest first.'),
});

export const taxReport = s.shape('TaxReport', {
  month: string.pattern(/^\d{4}-\d{2}$/).description('The month.'),
  from: s.instant.description('The start of the month in the time zone of the workspace, inclusive.'),
  to: s.instant.description('The end of the month, exclusive.'),
  by_document_date: array(totals).description(
    'What the documents of the month charge, by the day on which they were issued. Credit notes are ' +
      'subtracted.',
  ),
  by_payment_date: array(totals).description(
    'The net and tax in the money of the month, by the day on which it moved. Refunds and amounts that ' +
      'banks have withdrawn are subtracted.',
  ),
});

/** A month, such as `2025-01`. */
export const MONTH = /^(19[7-9]\d|2\d{3})-(0[1-9]|1[0-2])$/;
const month = string
  .pattern(MONTH)
  .messages({ 'string.pattern.base': '{{#label}} must be a month, such as 2025-01' });

const exampleRates = [{ tax_rate_bps: 2_000, net_minor: 5_000, tax_minor: 1_000 }];

export const getTaxReport = operation({
  route: 'GET /v1/reports/tax',
  summary: 'Report the tax of a month',
  id: 'getTaxReport',
  description:
    'Returns net and tax of a month by rate, in each currency: by the date of the documents, for tax on ' +
    'invoices, and by the date of the payments, for tax on cash received.',
  scope: 'billing:read',
  capability: 'read_billing',
  concurrent: MAX_DOCUMENTS,
  query: object(
    { month: month.description('The month in the time zone of the workspace, such as `2025-01`.') },
    'month',
  ),
  responses: { 200: taxReport },
  examples: {
    query: { month: '2025-01' },
    response: {
      month: '2025-01',
      from: '2025-01-01T00:00:00.000Z',
      to: '2025-02-01T00:00:00.000Z',
      by_document_date: [{ currency: 'GBP', net_minor: 5_000, tax_minor: 1_000, rates: exampleRates }],
      by_payment_date: [],
    },
  },
  async run({ query }, { workspace_id }, { db: { manager } }) {
    const period = monthRange(query.month, await findZone(manager, workspace_id));
    const [documents, invoices] = await Promise.all([
      sumDocumentTax(manager, workspace_id, period),
      listTaxedInvoices(manager, workspace_id, period),
    ]);
    const turn = takeTurns();
    const money: (RateTotals & { currency: string })[] = [];
    for (const invoice of invoices) {
      money.push(...taxOfMoney(invoice, period).map((part) => ({ ...part, currency: invoice.currency })));
      await turn();
    }
    return {
      month: query.month,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      by_document_date: taxTotals(documents),
      by_payment_date: taxTotals(money),
    };
  },
});

const usageFields = {
  open_minutes: s.count.description('How long the room was open, in minutes; booked time included.'),
  booked_minutes: s.count.description('How long it was booked, in minutes.'),
  paid_minutes: s.count.description('How long it was booked for an invoice that is paid, in minutes.'),
  net: array(s.money).description('The prices of the bookings without tax, by currency.'),
};

const roomUsageShape = s.shape('RoomUsage', {
  room: s.roomReference.description('The room.'),
  time_zone: s.anyText.description('The IANA time zone of the room, in which its hours are counted.'),
  ...usageFields,
  hours: array(
    s.shape('HourUsage', {
      weekday: oneOfFixed(WEEKDAYS).description('The day of the week.'),
      hour: integer.min(0).max(23).description('The hour of the day: 9 is 09:00 to 10:00.'),
      ...usageFields,
    }),
  ).description('The hours of the week in which the room was open, from Monday on.'),
});

export const usageReport = s.shape('UsageReport', {
  from: s.instant.description('The start of the time range, inclusive.'),
  to: s.instant.description('The end of the time range, exclusive.'),
  rooms: array(roomUsageShape).description(
    'The rooms, by name. Archived rooms are included if they were booked in the range.',
  ),
});

const exampleUsage = {
  open_minutes: 240,
  booked_minutes: 120,
  paid_minutes: 60,
  net: [{ currency: 'GBP', amount_minor: 5_000 }],
};

export const getUsage = operation({
  route: 'GET /v1/reports/usage',
  summary: 'Report the usage of rooms',
  id: 'getUsage',
  description:
    'Returns how long rooms were open, booked and paid, and what was charged for it, by room, weekday and ' +
    'hour of the room’s clock. Confirmed and completed bookings count, with their part in `[from, to)`. ' +
    'The range is at most 366 days.',
  scope: 'billing:read',
  capability: 'read_billing',
  concurrent: MAX_DOCUMENTS,
  query: object(
    {
      from: timestamp.description('The start of the time range.'),
      to: timestamp.description('The end of the time range. At most 366 days after `from`.'),
      room_id: uuid.description('Includes only this room.'),
    },
    'from',
    'to',
  ),
  responses: { 200: usageReport },
  errors: ['room_not_found'],
  examples: {
    query: { from: exampleTime(-28, 0), to: exampleTime(0, 0) },
    response: {
      from: exampleInstant(-28, 0),
      to: exampleInstant(0, 0),
      rooms: [
        {
          room: { id: EXAMPLE_ROOM_ID, name: 'Blue room' },
          time_zone: 'Europe/London',
          ...exampleUsage,
          hours: [{ weekday: 'mon', hour: 9, ...exampleUsage }],
        },
      ],
    },
  },
  async run({ query: { from, to, room_id } }, { workspace_id }, { db: { manager } }) {
    assertDayRange({ from, to }, MAX_REPORT_DAYS, await findZone(manager, workspace_id));
    if (room_id && !(await findRoom(manager, workspace_id, room_id))) throw noSuchRoom('room_id');
    const used = await listUsedRooms(manager, workspace_id, { from, to, room_id });
    const range = { start: from.getTime(), end: to.getTime() };
    const turn = takeTurns();
    const rooms: Infer<typeof roomUsageShape>[] = [];
    for (const { id, name, ...of } of used) {
      const { total, hours } = roomUsage(of, range);
      rooms.push({ room: { id, name }, time_zone: of.room.time_zone, ...total, hours });
      await turn();
    }
    return { from: from.toISOString(), to: to.toISOString(), rooms };
  },
});

/** Reports (docs/rules/reports.md). */
export const reports: Resource = {
  tag: 'Reports',
  operations: [getReceivables, getTaxReport, getUsage, listPayouts, getPayout, listEntries],
  ids: { payouts: { name: 'payout', example: EXAMPLE_PAYOUT_ID, notFound: 'not_found' } },
};
