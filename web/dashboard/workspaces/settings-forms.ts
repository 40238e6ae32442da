import joi from 'joi';
import { CSV_DECIMALS, CSV_SEPARATORS, type CsvFormat } from '../../../domain/csv-format.js';
import { DAY_SECONDS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { SELLER_TEXTS } from '../../../domain/invoices/parties.js';
import {
  STAFF_NOTICE_MODES,
  STAFF_NOTICES,
  type StaffNotice,
} from '../../../domain/workspaces/staff-notices.js';
import { presentedWorkspace } from '../../../api/resources/workspaces/read.js';
import { updateSchema } from '../../../api/resources/workspaces/shape.js';
import { update } from '../../../api/resources/workspaces/update.js';
import { apiForm, hiddenFields, type Operation } from '../shared/api-form.js';
import { amountEntered } from '../shared/money-field.js';
import { instantIn } from '../shared/local-time.js';
import { proven, type FormRoute } from '../shared/section.js';
import { logoForms } from './logo.js';
import { declaredForm, emptied, type Entered } from '../shared/declared-form.js';

const changed = { handler: update, schema: updateSchema, to: () => '/settings' };

/** A form of one part of the page, to which it returns. */
const partForm = <Fields>(part: string, notice: string, body: Operation<Fields>['body']) =>
  apiForm<Fields>({ ...changed, body, notice: () => notice, to: () => `/settings#${part}` });

/** The name of the workspace, and what new objects take from it. */
export const workspaceForm = declaredForm(updateSchema, {
  name: { label: 'Name', required: true },
  time_zone: { label: 'Time zone', required: true },
  currency: { label: 'Currency', required: true },
});

/** What payers see of the workspace. */
export const payersForm = declaredForm(updateSchema, {
  contact_email: { label: 'Contact email shown to payers (optional)', type: 'email' },
  locale: { label: 'Language of payers who have no other', required: true },
  logo_url: { label: 'Logo in emails to payers and on their pages (https URL, optional)', type: 'url' },
  accent_color: { label: 'Colour of buttons and headings there, such as #1e5f7f (optional)' },
  return_url: { label: 'Page that payers return to after checkout (URL, optional)', type: 'url' },
  booking_url: {
    label: 'Page for “Book again” links, if not the booking page here (URL, optional)',
    type: 'url',
  },
});

/** What invoices say of the workspace. */
export const invoicesForm = declaredForm(updateSchema, {
  legal_name: { label: 'Legal name on invoices, if different' },
  legal_address: { label: 'Address on invoices', rows: 3 },
  tax_number: { label: 'Tax number on invoices' },
  tax_name: { label: 'What invoices call the tax', required: true },
  payment_instructions: {
    label: 'How invoices can be paid other than online, such as a bank account',
    rows: 3,
  },
  invoice_prefix: { label: 'Prefix of invoice numbers', required: true },
  invoice_details: { label: 'Further text on invoices', rows: 2 },
});

/** The three choices of `notify_staff`, as fields of the form. */
export const NOTICE_LABELS: Record<StaffNotice, string> = {
  created: 'New bookings',
  changed: 'Changed bookings',
  cancelled: 'Cancelled bookings',
};

const noticeFields = Object.fromEntries(
  STAFF_NOTICES.map((notice) => [`notify_${notice}`, joi.valid(...STAFF_NOTICE_MODES)]),
);

interface BookingsForm {
  hold_minutes: string;
  desk_refund_limit_minor?: string;
  refuse_overdue_payers?: 'on';
}

interface SignInForm {
  require_second_factor?: 'on';
}

/** Errors: 422 on `hold_minutes`. */
function holdSeconds(minutes: string): number {
  const seconds = Math.round(Number(minutes) * 60);
  if (seconds >= 10 && seconds <= DAY_SECONDS) return seconds;
  const message = 'The hold must be between 10 seconds and 24 hours (1,440 minutes).';
  throw new ApiError('validation_failed', message, { param: 'hold_minutes' });
}

const LIMIT = 'desk_refund_limit_minor';

const invoicesPart = partForm<Entered<typeof invoicesForm>>(
  'invoices',
  'What invoices say is saved.',
  invoicesForm.body,
);

/** Payers transfer money to where documents say. A field that the form lacks is emptied. */
async function changesSellerTexts(ctx: ApiContext, { db }: ApiDependencies): Promise<boolean> {
  const form = { ...emptied(SELLER_TEXTS), ...(ctx.state.body as Entered<typeof invoicesForm>) };
  const workspace = await presentedWorkspace(db.manager, ctx.state.principal.workspace_id);
  const changes = invoicesForm.changes(form, workspace);
  return SELLER_TEXTS.some((text) => text in changes);
}

const bookingsPart = partForm<BookingsForm>(
  'bookings',
  'The rules of bookings are saved.',
  ({ hold_minutes, desk_refund_limit_minor: limit, refuse_overdue_payers }, ctx) => ({
    ...(limit !== undefined && {
      desk_refund_limit_minor: amountEntered(limit, ctx.state.membership!.currency, LIMIT) ?? 0,
    }),
    checkout_hold_seconds: holdSeconds(hold_minutes),
    refuse_overdue_payers: refuse_overdue_payers === 'on',
  }),
);

const emailsPart = partForm<Record<`notify_${StaffNotice}`, string | undefined>>(
  'emails',
  'The emails to you are saved.',
  (form) => ({
    notify_staff: Object.fromEntries(STAFF_NOTICES.map((notice) => [notice, form[`notify_${notice}`]])),
  }),
);

const filesPart = partForm<CsvFormat>(
  'files',
  'How files are written is saved.',
  ({ separator, decimal }) => ({
    csv: { separator, decimal },
  }),
);

const signInPart = partForm<SignInForm>('sign-in', 'The rules of signing in are saved.', (form) => ({
  require_second_factor: form.require_second_factor === 'on',
}));

/** Without a second factor others sign in more easily. */
async function changesSecondFactor(ctx: ApiContext, { db }: ApiDependencies): Promise<boolean> {
  const { require_second_factor } = ctx.state.body as SignInForm;
  const workspace = await presentedWorkspace(db.manager, ctx.state.principal.workspace_id);
  return (require_second_factor === 'on') !== workspace.require_second_factor;
}

const maintenanceForm = apiForm<{ starts_at: string; ends_at: string }>({
  ...changed,
  body({ starts_at, ends_at }, ctx) {
    const { time_zone } = ctx.state.membership!;
    return {
      maintenance: {
        starts_at: instantIn(starts_at, time_zone, 'starts_at').toISOString(),
        ends_at: instantIn(ends_at, time_zone, 'ends_at').toISOString(),
      },
    };
  },
  notice: () => 'Maintenance announced by email to the owner and in API responses.',
});

const endMaintenanceForm = apiForm({
  ...changed,
  body: () => ({ maintenance: null }),
  notice: () => 'Maintenance ended or cancelled. The API accepts requests.',
});

/** The forms of the workspace's page. */
export const settingsForms: FormRoute[] = [
  [
    '',
    { ...hiddenFields, ...workspaceForm.fields },
    partForm<Entered<typeof workspaceForm>>('workspace', 'The workspace is saved.', workspaceForm.body),
  ],
  [
    '/payers',
    { ...hiddenFields, ...payersForm.fields },
    partForm<Entered<typeof payersForm>>('payers', 'What payers see is saved.', payersForm.body),
  ],
  ...logoForms,
  [
    '/invoices',
    { ...hiddenFields, ...invoicesForm.fields },
    proven(invoicesPart, { when: changesSellerTexts, ownSignIn: true }),
  ],
  [
    '/bookings',
    {
      ...hiddenFields,
      hold_minutes: text(20)
        .trim()
        .pattern(/^\d{1,5}(\.\d{1,4})?$/, 'a number')
        .required(),
      [LIMIT]: text(30).allow(''),
      refuse_overdue_payers: joi.valid('on'),
    },
    bookingsPart,
  ],
  ['/emails', { ...hiddenFields, ...noticeFields }, emailsPart],
  [
    '/files',
    {
      ...hiddenFields,
      separator: joi.valid(...CSV_SEPARATORS).required(),
      decimal: joi.valid(...CSV_DECIMALS).required(),
    },
    filesPart,
  ],
  [
    '/sign-in',
    { ...hiddenFields, require_second_factor: joi.valid('on') },
    proven(signInPart, { when: changesSecondFactor }),
  ],
  [
    '/maintenance',
    { ...hiddenFields, starts_at: text(30).required(), ends_at: text(30).required() },
    maintenanceForm,
  ],
  ['/maintenance/end', hiddenFields, endMaintenanceForm],
];
