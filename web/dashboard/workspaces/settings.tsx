import joi from 'joi';
import { changeWorkspace, uploadLogo } from '../../../api/resources/workspaces/operations.js';
import { presentedWorkspace } from '../../../db/queries/workspaces/presented-workspace.js';
import { DAY_SECONDS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { SELLER_TEXTS } from '../../../domain/invoices/parties.js';
import { pictureKeyIn } from '../../../domain/rooms/picture.js';
import { minutesIn } from '../forms/fields.js';
import { form, type Form as DeclaredForm } from '../forms/form.js';
import { type Input, type Inputs } from '../forms/inputs.js';
import { page, type Page, type PageProps } from '../forms/page.js';
import { Details } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';
import { TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { Id } from '../shared/id.js';
import { CURRENCY_OPTIONS } from '../shared/currency-options.js';
import { TIME_ZONES } from '../shared/time-zones.js';
import { LANGUAGE_OPTIONS } from '../shared/language-options.js';
import { PictureUpload } from '../shared/picture-upload.js';
import { Setting } from '../shared/setting.js';
import { announceMaintenance, endMaintenance, MaintenanceWindow } from './maintenance.js';
import { MissingOnInvoices } from './missing-on-invoices.js';

export type Workspace = Awaited<ReturnType<typeof presentedWorkspace>>;

export interface Settings {
  workspace: Workspace;
  hasUploads: boolean;
}

/** The pages of the settings, by their tabs. */
const TABS = [
  { at: '/settings', name: 'General' },
  { at: '/settings/payers', name: 'Payers' },
  { at: '/settings/invoices', name: 'Invoices' },
  { at: '/settings/bookings', name: 'Bookings' },
  { at: '/settings/sign-in', name: 'Access' },
] as const;

type Changes = Parameters<(typeof changeWorkspace)['run']>[0]['body'];

/** A form that changes some settings. `path`: after that of its page. */
const settingsForm = (
  inputs: Inputs<Settings>,
  options: {
    path?: string;
    notice: string;
    hint?: string;
    body?: (entered: Record<string, unknown>) => unknown;
    proof?: (sent: { body: Changes; data: Settings }) => boolean;
    ownSignIn?: true;
  },
) =>
  form(changeWorkspace, inputs, {
    ...options,
    button: 'Save',
    part: true,
    of: ({ workspace }: Settings) => workspace,
    notice: () => options.notice,
  });

/** The name of the workspace, and what new objects take from it. */
const workspaceForm = settingsForm(
  {
    name: 'Name',
    time_zone: { label: 'Time zone', suggested: () => TIME_ZONES },
    currency: { label: 'Currency', options: CURRENCY_OPTIONS },
  },
  { notice: 'Workspace saved.', hint: 'Of plans and invoices; each room has its own currency.' },
);

const filesForm = settingsForm(
  {
    'csv.separator': {
      label: 'Cell separator',
      options: [
        ['comma', 'Comma'],
        ['semicolon', 'Semicolon'],
      ],
      wide: true,
    },
    'csv.decimal': {
      label: 'Decimal separator',
      options: [
        ['point', 'Point: 12.50'],
        ['comma', 'Comma: 12,50'],
      ],
      wide: true,
    },
  },
  {
    path: '/files',
    notice: 'CSV settings saved.',
    hint: 'Germany, France and Spain: semicolon and comma.',
  },
);

const payersForm = settingsForm(
  {
    contact_email: 'Contact email',
    locale: { label: 'Default language', options: LANGUAGE_OPTIONS, wide: true },
    logo_url: { label: 'Logo URL', type: 'url', placeholder: 'https://', wide: true },
    accent_color: { label: 'Accent colour', placeholder: '#1e5f7f', isColour: true },
    return_url: {
      label: 'Page after payment',
      type: 'url',
      placeholder: 'https://',
      wide: true,
    },
    booking_url: {
      label: '“Book again” page',
      type: 'url',
      placeholder: 'https://',
      wide: true,
    },
  },
  { notice: 'Payer settings saved.', hint: 'Without a “Book again” page, links lead to the booking page.' },
);

const lines = (text: string | null | undefined): string => text?.replaceAll('\r\n', '\n').trim() ?? '';

/** Seller details on invoices. They need a proof, because payers transfer money to the stated account. */
const invoicesForm = settingsForm(
  {
    legal_name: 'Legal name',
    legal_address: { label: 'Legal address', rows: 3 },
    tax_number: 'Tax number',
    tax_name: { label: 'Tax name', placeholder: 'VAT' },
    payment_instructions: {
      label: 'Payment instructions',
      placeholder: 'Bank account',
      rows: 3,
    },
    invoice_prefix: 'Number prefix',
    invoice_details: { label: 'Additional text', rows: 2 },
  },
  {
    notice: 'Invoice settings saved.',
    proof: ({ body, data: { workspace } }) =>
      SELLER_TEXTS.some((text) => lines(body[text]) !== lines(workspace[text])),
    ownSignIn: true,
  },
);

/** Errors: 422 on `hold_minutes`. */
function holdSeconds(minutes: string): number {
  const seconds = Math.round(Number(minutes) * 60);
  if (seconds >= 10 && seconds <= DAY_SECONDS) return seconds;
  const message = 'The hold must be between 10 seconds and 24 hours (1,440 minutes).';
  throw new ApiError('validation_failed', message, { param: 'hold_minutes' });
}

/** How long a slot is held, which people enter in minutes. */
const hold: Input<Settings> = {
  fields: (name) => ({
    [name]: joi
      .string()
      .trim()
      .max(20)
      .pattern(/^\d{1,5}(\.\d{1,4})?$/, 'a number')
      .required(),
  }),
  read: (name, form) => ({ checkout_hold_seconds: holdSeconds(form[name] as string) }),
  Show: ({ name, shown: { data } }) => (
    <TextField
      name={name}
      label="Payment hold in minutes"
      inputMode="decimal"
      required
      value={minutesIn(data.workspace.checkout_hold_seconds)}
    />
  ),
  wide: () => true,
  called: () => ({}),
};

const bookingsForm = settingsForm(
  {
    hold_minutes: hold,
    desk_refund_limit_minor: {
      label: 'Desk refund limit in {currency}',
      required: false,
      optional: false,
      wide: true,
    },
    refuse_overdue_payers: 'Refuse overdue payers',
  },
  {
    notice: 'Booking settings saved.',
    hint:
      'The limit is beyond a room’s terms. Payers with an invoice 7 days overdue can then not book on ' +
      'account. The booking page has its own payment hold.',
    body: (entered) => ({ desk_refund_limit_minor: 0, ...entered }),
  },
);

const MODES = [
  ['off', 'No email'],
  ['each', 'Immediately'],
  ['daily', 'Daily'],
] as const;

const emailsForm = settingsForm(
  {
    'notify_staff.created': { label: 'New bookings', options: MODES },
    'notify_staff.changed': { label: 'Changed bookings', options: MODES },
    'notify_staff.cancelled': { label: 'Cancelled bookings', options: MODES },
  },
  {
    path: '/emails',
    notice: 'Notifications saved.',
    hint: 'To the contact email if it belongs to a member, else to the owner. Daily ones in the morning.',
  },
);

/** Turning two-step verification off makes accounts easier to take over, so it needs a proof. */
const signInForm = settingsForm(
  { require_second_factor: 'Require it of everyone' },
  {
    notice: 'Sign-in settings saved.',
    hint: 'Owners and admins always need it.',
    proof: ({ body, data: { workspace } }) => body.require_second_factor !== workspace.require_second_factor,
  },
);

const logoForm = form(
  uploadLogo,
  {},
  {
    path: '/logo',
    button: 'Upload',
    notice: () => 'The logo has been saved.',
  },
);

const removeLogo = form(
  changeWorkspace,
  {},
  {
    path: '/logo/remove',
    button: 'Remove logo',
    body: () => ({ logo_url: null }),
    notice: () => 'The logo has been removed. Payers see the workspace’s name instead.',
  },
);

/** The uploaded logo, with a button to remove it and a field to replace it. */
function Logo({ page: { ctx, at, data } }: { page: PageProps<Settings> }) {
  const { logo_url } = data.workspace;
  const action = pathIn(ctx, `${at}/logo`);
  const isUploaded = logo_url && pictureKeyIn(logo_url);
  return (
    <Setting title="Logo">
      <div class="card logo">
        {isUploaded && (
          <Form ctx={ctx} action={`${action}/remove`} class="picture" once>
            <img src={new URL(logo_url).pathname} alt="The logo" height="40" />
            <button class="quiet">Remove logo</button>
          </Form>
        )}
        <PictureUpload ctx={ctx} action={action} label="Logo" />
      </div>
    </Setting>
  );
}

const tab = (
  { at }: (typeof TABS)[number],
  forms: readonly DeclaredForm<Settings>[],
  view: Page<Settings>['view'],
) =>
  page<Settings>({
    path: at,
    at: '/settings',
    capability: 'write_workspace',
    title: 'Workspace',
    tabs: () => TABS,
    load: async ({ caller }, { db, pictures }) => ({
      workspace: await presentedWorkspace(db.manager, caller.workspace_id),
      hasUploads: pictures !== null,
    }),
    view,
    forms,
  });

const [general, payers, invoices, bookings, signIn] = TABS;

export const settingsPages = [
  tab(general, [workspaceForm, filesForm, announceMaintenance, endMaintenance], (props) => (
    <>
      <Setting title="Workspace">
        <workspaceForm.Open page={props} />
      </Setting>
      <Setting title="CSV files">
        <filesForm.Open page={props} />
      </Setting>
      <MaintenanceWindow page={props} />
      <Details of={[['Workspace', <Id of={props.data.workspace.id} />]]} />
    </>
  )),
  tab(payers, [payersForm, logoForm, removeLogo], (props) => (
    <>
      <Setting title="Pages and emails">
        <payersForm.Open page={props} />
      </Setting>
      {props.data.hasUploads && <Logo page={props} />}
    </>
  )),
  tab(invoices, [invoicesForm], (props) => {
    const { workspace } = props.data;
    return (
      <Setting title="On invoices">
        <invoicesForm.Open page={props}>
          <MissingOnInvoices
            ctx={props.ctx}
            workspace={{ ...workspace, processor_status: workspace.processor.status }}
          />
        </invoicesForm.Open>
      </Setting>
    );
  }),
  tab(bookings, [bookingsForm, emailsForm], (props) => (
    <>
      <Setting title="Front desk">
        <bookingsForm.Open page={props} />
      </Setting>
      <Setting title="Notifications">
        <emailsForm.Open page={props} />
      </Setting>
    </>
  )),
  tab(signIn, [signInForm], (props) => (
    <Setting title="Two-step verification">
      <signInForm.Open page={props} />
    </Setting>
  )),
];
