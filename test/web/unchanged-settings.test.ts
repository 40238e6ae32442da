import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ApiClient } from '../support/api-client.js';
import { alertText, openOffice } from '../support/dashboard.js';
import { parseForms } from '../support/page-forms.js';
import { newRoom, uniqueEmail } from '../support/workspaces.js';

/** Forms on the pages of settings that do something else than to save what they show. */
const OTHER = [
  '/archive',
  '/restore',
  '/self-service/on',
  '/self-service/off',
  '/pictures',
  '/pictures/remove',
  '/logo',
  '/logo/remove',
  '/booking-page/terms',
  '/metadata',
  '/card-setup',
  '/statements',
  '/maintenance',
  '/maintenance/end',
];

const long = (length: number): string => 'Größe & <b; '.repeat(length).slice(0, length - 1) + '.';
const lines = (length: number): string => `A\nB;\n${long(length - 5)}`;
const url = (length: number): string => 'https://example.com/?q='.padEnd(length, 'a&b;');
const many = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

/** Bodies of the settings: as small and as short, and as large and as long as the API accepts. */
const EXTREMES = {
  small: {
    workspace: {
      name: 'A',
      checkout_hold_seconds: 10,
      desk_refund_limit_minor: 0,
      tier_prices: { basic: 0, plus: 1, pro: 2, enterprise: 3 },
      plans: { basic: { monthly_hours: 0 } },
      tax_codes: [{ code: 'STANDARD', rate_bps: 1, accounting_tax_type: 'B' }],
      prices_entered: 'gross',
    },
    page: { guest_hold_seconds: 11 },
    room: {
      slot_minutes: 1,
      size_m2: 1,
      reminder_hours: 1,
      price_per_hour: { currency: 'JPY', amount_minor: 1 },
      tier_discounts: { pro: 0.01 },
      refund_steps: [{ hours_before: 0.000_000_1, percent: 0.01 }],
      opening_hours: { mon: [['00:00', '00:00']] },
    },
    extra: {
      price: { currency: 'KWD', amount_minor: 10 },
      stock: 0,
      refund_steps: [],
    },
    company: { payment_terms: 0, credit_limit_minor: 0 },
    discount: { max_uses: 1, max_uses_per_payer: 1, valid_from: '1970-01-01T00:00:00.001Z' },
  },
  large: {
    workspace: {
      name: 'Größe'.padEnd(200, ';'),
      checkout_hold_seconds: 86_399,
      desk_refund_limit_minor: 99_999_999,
      refuse_overdue_payers: true,
      tier_prices: { basic: 99_999_999, plus: 99_999_998, pro: 12_345_678, enterprise: 1 },
      plans: { pro: { name: 'P'.padEnd(60, '; '), monthly_hours: 1_000 } },
      tax_codes: many(50, (n) => ({
        code: n === 0 ? 'STANDARD' : `C${n}`.padEnd(49, '; a') + '.',
        rate_bps: [10_000, 1_234, 1, 0][n % 4],
        accounting_tax_type: `T${n}`.padEnd(50, 'a'),
      })),
      prices_entered: 'net',
      return_url: url(2_000),
      booking_url: url(2_000),
      logo_url: url(2_000),
      contact_email: `${'a'.repeat(64)}@example.com`,
      accent_color: '#004488',
      locale: 'fr',
      csv: { separator: 'semicolon', decimal: 'comma' },
      notify_staff: { created: 'off', changed: 'each', cancelled: 'daily' },
      legal_name: 'Größe'.padEnd(200, ';'),
      legal_address: lines(500),
      tax_number: long(50),
      tax_name: 'T'.padEnd(20, ';'),
      payment_instructions: lines(500),
      invoice_details: lines(1_000),
    },
    page: {
      enabled: false,
      guest_hold_seconds: 50,
      notice: lines(1_000),
      embed_origins: many(20, (n) => `https://a${n}.example.com`),
      languages: ['fr'],
      theme: { accent: '#004488', logo_url: url(2_000) },
      terms: { text: lines(10_000), version: long(50) },
      questions: [
        { id: 'longest', label: long(200), kind: 'choice', choices: many(20, (n) => n + long(990)) },
        { id: 'lines', label: 'Lines', kind: 'choice', required: true, choices: ['A; B', 'C\nD', 'E, F'] },
        ...many(18, (n) => ({ id: `q${n}`, label: long(200), kind: n % 2 ? 'text' : 'check' })),
      ],
    },
    room: {
      name: 'Größe'.padEnd(200, ';'),
      description: lines(5_000),
      image_urls: many(10, (n) => url(1_990) + n),
      features: many(30, (n) => `${n}${long(58)}`),
      floor: long(60),
      size_m2: 100_000,
      capacity: 100_000,
      address: lines(500),
      directions: lines(2_000),
      access_notes: lines(2_000),
      reminder_hours: 336,
      slot_minutes: 1_440,
      min_minutes: 1_440,
      max_minutes: 525_600,
      turnaround_minutes: 1_440,
      edit_window_minutes: 525_600,
      price_per_hour: { currency: 'KWD', amount_minor: 99_999_990 },
      tiers: ['pro'],
      tier_discounts: { basic: 33.33, pro: 99.99, enterprise: 100 },
      refund_steps: many(20, (n) => ({ hours_before: 10_000 / (n + 1) ** 2, percent: 100 / (n + 1) })).map(
        (step) => ({ ...step, percent: Number(step.percent.toFixed(2)) }),
      ),
      opening_hours: { fri: [['18:00', '02:00']] },
    },
    extra: {
      name: 'Größe'.padEnd(200, ';'),
      unit: 'piece',
      price: { currency: 'GBP', amount_minor: 99_999_999 },
      stock: 10_000,
      cutoff_hours: 10_000,
      internal: true,
      refund_steps: [{ hours_before: 1 / 3, percent: 33.33 }],
      accounting_account: long(50),
    },
    company: {
      name: 'Größe'.padEnd(200, ';'),
      address: lines(500),
      vat_number: long(50),
      payment_terms: 365,
      credit_limit_minor: Number.MAX_SAFE_INTEGER,
      monthly_statement: true,
    },
    discount: { max_uses: 100_000, max_uses_per_payer: 100_000, valid_until: '9999-12-30T12:34:56.789Z' },
  },
};

/** Objects of each kind that settings are about; their paths in the API and of their pages. */
async function makeObjects(api: ApiClient) {
  const room = await newRoom(api);
  const made = async (path: string, body: object): Promise<string> =>
    `${path}/${(await api.post(`/v1${path}`, body)).body.id}`;
  const price = { currency: 'GBP', amount_minor: 100 };
  return {
    workspace: ['/workspace', '/settings'],
    page: ['/booking-page', '/booking-page'],
    room: [`/rooms/${room.id}`, `/rooms/${room.id}/settings`],
    extra: [await made('/extras', { name: 'Lunch', unit: 'hour', price })],
    company: [await made('/companies', { name: 'Acme', billing_email: uniqueEmail() })],
    discount: [await made('/discounts', { code: 'HALF', percent: 12.34 })],
  } as Record<keyof (typeof EXTREMES)['small'], [object: string, page?: string]>;
}

for (const [size, bodies] of Object.entries(EXTREMES))
  test(`settings that are saved as they are shown do not change: ${size} ones`, async (t) => {
    const { workspace, session, home } = await openOffice();
    const { api } = workspace;
    const objects = await makeObjects(api);
    for (const [name, [path]] of Object.entries(objects)) {
      const body = bodies[name as keyof typeof bodies];
      const { status, body: answer } =
        name === 'page'
          ? await api.put('/v1/booking-page', { slug: `s-${randomUUID()}`, ...body })
          : await api.patch(`/v1${path}`, body);
      t.is(status, 200, `${name}: ${JSON.stringify(answer)}`);
    }
    const read = async () => {
      const all = await Promise.all(Object.values(objects).map(([path]) => api.get(`/v1${path}`)));
      return all.map(({ body }) => ({ ...body, updated_at: null }));
    };
    const before = await read();
    const tabs = ['/payers', '/invoices', '/bookings', '/sign-in'].map((tab) => `/settings${tab}`);
    const pages = [...Object.values(objects).map(([path, page = path]) => page), ...tabs, '/prices'];
    const saved: string[] = [];
    for (const page of pages)
      for (const { action, toParams } of parseForms(await session.getText(home + page))) {
        if (!action.startsWith(home + page) || OTHER.some((end) => action.endsWith(end))) continue;
        let response = await session.submitFields(action, toParams(false));
        if (response.status === 200) response = await session.confirmForm(response);
        t.is(response.status, 302, `${action}: ${alertText(await response.clone().text())}`);
        t.deepEqual(await read(), before, action);
        saved.push(action);
      }
    t.true(saved.length > 20, saved.join(' '));
  });
