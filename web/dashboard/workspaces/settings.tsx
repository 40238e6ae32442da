import joi from 'joi';
import type { ComponentChildren } from 'preact';
import { changeWorkspace, uploadLogo } from '../../../api/resources/workspaces/operations.js';
import { presentedWorkspace } from '../../../db/queries/workspaces/presented-workspace.js';
import { DAY_SECONDS, HOUR_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { SELLER_TEXTS } from '../../../domain/invoices/parties.js';
import { pictureKeyIn } from '../../../domain/rooms/picture.js';
import { wallClock } from '../../../domain/time-zone.js';
import { createFormats } from '../../ui/formats.js';
import { form, type Form as DeclaredForm } from '../forms/form.js';
import { note, type Input, type Inputs } from '../forms/inputs.js';
import { page, type PageProps } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { Id } from '../shared/id.js';
import { CURRENCY_OPTIONS } from '../shared/currency-options.js';
import { TIME_ZONES } from '../shared/time-zones.js';
import { LANGUAGE_OPTIONS } from '../shared/language-options.js';
import { NoticeAt } from '../shared/notice.js';
import { PictureUpload } from '../shared/picture-upload.js';
import { MissingOnInvoices } from './missing-on-invoices.js';

type Workspace = Awaited<ReturnType<typeof presentedWorkspace>>;

interface Settings {
  workspace: Workspace;
  hasUploads: boolean;
}

/** The parts of the page, by their anchors, each with what its button saves. */
const SECTIONS = {
  workspace: { title: 'Workspace', save: 'Save workspace' },
  payers: { title: 'Payer pages and emails', save: 'Save payer settings' },
  invoices: { title: 'Invoices', save: 'Save invoice settings' },
  bookings: { title: 'Bookings and front desk', save: 'Save booking settings' },
  emails: { title: 'Notifications', save: 'Save notifications' },
  files: { title: 'CSV files', save: 'Save CSV settings' },
  'sign-in': { title: 'Sign-in', save: 'Save sign-in settings' },
} as const;

const MAINTENANCE = 'Maintenance';

type Changes = Parameters<(typeof changeWorkspace)['run']>[0]['body'];

/** A form of one section of the page, which returns to that section. */
const partForm = (
  part: keyof typeof SECTIONS,
  inputs: Inputs<Settings>,
  notice: string,
  options: {
    path?: string;
    body?: (entered: Record<string, unknown>) => unknown;
    proof?: (sent: { body: Changes; data: Settings }) => boolean;
    ownSignIn?: true;
  } = {},
) =>
  form(changeWorkspace, inputs, {
    path: `/${part}`,
    button: SECTIONS[part].save,
    of: ({ workspace }: Settings) => workspace,
    notice: () => notice,
    to: () => `/settings#${part}`,
    ...options,
  });

/** The name of the workspace, and what new objects take from it. */
const workspaceForm = partForm(
  'workspace',
  {
    name: 'Name',
    time_zone: { label: 'Time zone', suggested: () => TIME_ZONES },
    currency: { label: 'Currency', options: CURRENCY_OPTIONS },
  },
  'Workspace saved.',
  { path: '' },
);

const payersForm = partForm(
  'payers',
  {
    contact_email: 'Contact email (optional)',
    locale: { label: 'Default language', options: LANGUAGE_OPTIONS, wide: true },
    logo_url: {
      label: 'Logo URL (https, optional)',
      type: 'url',
      wide: true,
    },
    accent_color: { label: 'Accent colour, such as #1e5f7f (optional)', isColour: true },
    return_url: {
      label: 'Page to return to after payment (URL, optional)',
      type: 'url',
      wide: true,
    },
    booking_url: {
      label: 'Page for “Book again” links (URL, blank = booking page)',
      type: 'url',
      wide: true,
    },
  },
  'Payer settings saved.',
);

const lines = (text: string | null | undefined): string => text?.replaceAll('\r\n', '\n').trim() ?? '';

/** Seller details on invoices. They need a proof, because payers transfer money to the stated account. */
const invoicesForm = partForm(
  'invoices',
  {
    legal_name: 'Legal name, if different',
    legal_address: { label: 'Legal address', rows: 3 },
    tax_number: 'Tax number',
    tax_name: 'Tax name, such as VAT',
    payment_instructions: {
      label: 'Payment instructions, such as a bank account',
      rows: 3,
    },
    invoice_prefix: 'Invoice number prefix',
    invoice_details: { label: 'Additional text', rows: 2 },
  },
  'Invoice settings saved.',
  {
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
      label="Payment hold (minutes)"
      inputMode="decimal"
      required
      value={String(data.workspace.checkout_hold_seconds / 60)}
    />
  ),
  wide: () => true,
  called: () => ({}),
};

const bookingsForm = partForm(
  'bookings',
  {
    hold_minutes: hold,
    about_hold: note(() => <p class="hint">The booking page has its own payment hold.</p>),
    desk_refund_limit_minor: {
      label: 'Front desk refund limit beyond a room’s terms ({currency})',
      required: false,
      wide: true,
    },
    refuse_overdue_payers: 'Reject bookings on account from payers with an invoice 7 days overdue',
  },
  'Booking settings saved.',
  { body: (entered) => ({ desk_refund_limit_minor: 0, ...entered }) },
);

const MODES = [
  ['off', 'No email'],
  ['each', 'Immediately'],
  ['daily', 'Daily'],
] as const;

const emailsForm = partForm(
  'emails',
  {
    'notify_staff.created': { label: 'New bookings', options: MODES },
    'notify_staff.changed': { label: 'Changed bookings', options: MODES },
    'notify_staff.cancelled': { label: 'Cancelled bookings', options: MODES },
  },
  'Notifications saved.',
);

const filesForm = partForm(
  'files',
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
  'CSV settings saved.',
);

/** Turning two-step verification off makes accounts easier to take over, so it needs a proof. */
const signInForm = partForm(
  'sign-in',
  {
    require_second_factor: 'Require two-step verification for all members, not only owners and admins',
  },
  'Sign-in settings saved.',
  {
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
    to: () => '/settings#payers',
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
    to: () => '/settings#payers',
  },
);

/** How long before its start maintenance has to be announced, with a margin for filling in the form. */
const NOTICE_HOURS = 49;

/** The local time a number of hours after the earliest start of maintenance: `2026-11-24T10:00`. */
function localTimeAfter(hours: number, timeZone: string): string {
  const earliest = Math.ceil(Date.now() / HOUR_MS + NOTICE_HOURS) * HOUR_MS;
  return new Date(wallClock(earliest + hours * HOUR_MS, timeZone)).toISOString().slice(0, 16);
}

const announceMaintenance = form(
  changeWorkspace,
  {
    about: note<Settings>(() => (
      <p class="hint">
        During maintenance, the API rejects requests with this workspace’s keys. It is announced to the owner
        by email and in every API response, at least 48 hours ahead.
      </p>
    )),
    'maintenance.starts_at': {
      label: 'From',
      initial: ({ workspace }) => localTimeAfter(0, workspace.time_zone),
    },
    'maintenance.ends_at': {
      label: 'Until',
      initial: ({ workspace }) => localTimeAfter(1, workspace.time_zone),
    },
  },
  {
    path: '/maintenance',
    summary: 'Announce maintenance',
    button: 'Announce maintenance',
    notice: () => 'Maintenance announced by email to the owner and in API responses.',
  },
);

const endMaintenance = form(
  changeWorkspace,
  {},
  {
    path: '/maintenance/end',
    summary: 'End or cancel',
    button: 'End maintenance',
    hint: 'To schedule it again, announce it at least 48 hours ahead.',
    body: () => ({ maintenance: null }),
    notice: () => 'Maintenance ended or cancelled. The API accepts requests.',
  },
);

function MaintenanceWindow({ page }: { page: PageProps<Settings> }) {
  const { maintenance } = page.data.workspace;
  const { moment } = createFormats(page.ctx);
  const ends = maintenance?.ends_at ? new Date(maintenance.ends_at) : null;
  if (!ends || ends <= new Date())
    return (
      <div class="card">
        <announceMaintenance.Closed page={page} />
      </div>
    );
  return (
    <div class="card">
      <p>
        The API rejects requests from {moment(new Date(maintenance!.starts_at!))} until {moment(ends)}. Payer
        pages and existing bookings are not affected.
      </p>
      <endMaintenance.Closed page={page} />
    </div>
  );
}

/** The uploaded logo, with a button to remove it and a field to replace it. */
function Logo({ page: { ctx, at, data } }: { page: PageProps<Settings> }) {
  const { logo_url } = data.workspace;
  const action = pathIn(ctx, `${at}/logo`);
  const isUploaded = logo_url && pictureKeyIn(logo_url);
  return (
    <div class="card logo">
      <h3>Logo</h3>
      {isUploaded && (
        <Form ctx={ctx} action={`${action}/remove`} class="picture" once>
          <img src={new URL(logo_url).pathname} alt="The logo" height="40" />
          <button>Remove logo</button>
        </Form>
      )}
      <details class="action" open={ctx.state.rejection?.action === action}>
        <summary>{logo_url ? 'Upload another logo' : 'Upload a logo'}</summary>
        <PictureUpload ctx={ctx} action={action} label="Logo" />
      </details>
    </div>
  );
}

/** A part of the page with its own form: its inputs, or those in `children`. */
function Part(props: {
  page: PageProps<Settings>;
  id: keyof typeof SECTIONS;
  of: DeclaredForm<Settings>;
  children?: ComponentChildren;
}) {
  const { page, id, of: part, children } = props;
  const { title, save } = SECTIONS[id];
  return (
    <section>
      <h2 id={id}>{title}</h2>
      <NoticeAt at={id} />
      <Form ctx={page.ctx} class="card part" action={pathIn(page.ctx, page.at + part.path)} once>
        {children ?? <part.Inputs page={page} />}
        <button>{save}</button>
      </Form>
    </section>
  );
}

function SettingsPage(props: PageProps<Settings>) {
  const { workspace, hasUploads } = props.data;
  return (
    <>
      <nav class="index" aria-label="On this page">
        {Object.entries(SECTIONS).map(([id, { title }]) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
        <a href="#maintenance">{MAINTENANCE}</a>
      </nav>
      <Part page={props} id="workspace" of={workspaceForm}>
        <workspaceForm.Inputs page={props} />
        <p class="hint">The currency is used for plan prices and invoices. Each room has its own currency.</p>
      </Part>
      <Part page={props} id="payers" of={payersForm} />
      {hasUploads && <Logo page={props} />}
      <Part page={props} id="invoices" of={invoicesForm}>
        <MissingOnInvoices workspace={{ ...workspace, processor_status: workspace.processor.status }} />
        <invoicesForm.Inputs page={props} />
      </Part>
      <Part page={props} id="bookings" of={bookingsForm} />
      <Part page={props} id="emails" of={emailsForm}>
        <fieldset>
          <legend>Booking emails</legend>
          <emailsForm.Inputs page={props} />
          <p class="hint">
            Daily emails are sent in the morning. Emails go to the contact email if it belongs to a member,
            otherwise to the owner.
          </p>
        </fieldset>
      </Part>
      <Part page={props} id="files" of={filesForm}>
        <filesForm.Inputs page={props} />
        <p class="hint">For Germany, France and Spain, choose semicolon and comma.</p>
      </Part>
      <Part page={props} id="sign-in" of={signInForm} />
      <h2 id="maintenance">{MAINTENANCE}</h2>
      <MaintenanceWindow page={props} />
      <p class="soft">
        Workspace <Id of={workspace.id} />
      </p>
    </>
  );
}

export const settingsPage = page({
  path: '/settings',
  capability: 'write_workspace',
  title: 'Workspace',
  load: async ({ caller }, { db, pictures }): Promise<Settings> => ({
    workspace: await presentedWorkspace(db.manager, caller.workspace_id),
    hasUploads: pictures !== null,
  }),
  view: SettingsPage,
  forms: [
    workspaceForm,
    payersForm,
    logoForm,
    removeLogo,
    invoicesForm,
    bookingsForm,
    emailsForm,
    filesForm,
    signInForm,
    announceMaintenance,
    endMaintenance,
  ],
});
