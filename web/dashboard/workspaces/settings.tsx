import type { ComponentChildren } from 'preact';
import type { CsvFormat } from '../../../domain/csv-format.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { STAFF_NOTICES } from '../../../domain/workspaces/staff-notices.js';
import { wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { presentedWorkspace } from '../../../api/resources/workspaces/read.js';
import { Action } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { Choice, Select, TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { NoticeAt } from '../shared/notice.js';
import { amountInput } from '../shared/money-field.js';
import { Id } from '../shared/id.js';
import { formatsOf } from '../../ui/formats.js';
import { showSection } from '../shared/workspace.js';
import { LogoForm } from './logo.js';
import { MissingOnInvoices } from './missing-on-invoices.js';
import { invoicesForm, NOTICE_LABELS, payersForm, workspaceForm } from './settings-forms.js';
import { LANGUAGE_OPTIONS } from '../shared/language-options.js';

type Workspace = Awaited<ReturnType<typeof presentedWorkspace>>;

/** How long before its start maintenance has to be announced, with a margin for filling in the form. */
const NOTICE_HOURS = 49;

/** The value of a field with date and time: `2026-11-24T10:00` in a zone. */
const fieldTime = (instant: number, timeZone: string): string =>
  new Date(wallClock(instant, timeZone)).toISOString().slice(0, 16);

function MaintenanceWindow({ ctx, workspace }: { ctx: ApiContext; workspace: Workspace }) {
  const { maintenance, time_zone } = workspace;
  const { moment } = formatsOf(ctx);
  const at = pathIn(ctx, '/settings/maintenance');
  const ends = maintenance?.ends_at ? new Date(maintenance.ends_at) : null;
  if (ends && ends > new Date())
    return (
      <div class="card">
        <p>
          The API rejects requests from {moment(new Date(maintenance!.starts_at!))} until {moment(ends)}.
          Payer pages and existing bookings are not affected.
        </p>
        <Action ctx={ctx} action={`${at}/end`} summary="End or cancel it" button="End maintenance">
          <p class="hint">To schedule it again, announce it at least 48 hours ahead.</p>
        </Action>
      </div>
    );
  const earliest = Math.ceil(Date.now() / HOUR_MS + NOTICE_HOURS) * HOUR_MS;
  return (
    <div class="card">
      <Action ctx={ctx} action={at} summary="Announce maintenance" button="Announce">
        <p class="hint">
          During maintenance, the API rejects requests with this workspace’s keys. It is announced to the
          owner by email and in every API response, at least 48 hours ahead.
        </p>
        <div class="grid">
          <div>
            <TextField
              name="starts_at"
              label="From"
              type="datetime-local"
              required
              value={fieldTime(earliest, time_zone)}
            />
          </div>
          <div>
            <TextField
              name="ends_at"
              label="Until"
              type="datetime-local"
              required
              value={fieldTime(earliest + HOUR_MS, time_zone)}
            />
          </div>
        </div>
      </Action>
    </div>
  );
}

const MODES = [
  ['off', 'No email'],
  ['each', 'At once'],
  ['daily', 'Once a day'],
] as const;

/** The parts of the page, by their anchors, each with what its button saves. */
const SECTIONS = {
  workspace: { title: 'Workspace', save: 'Save name, time zone and currency' },
  payers: { title: 'What payers see', save: 'Save what payers see' },
  invoices: { title: 'Invoices', save: 'Save what invoices say' },
  bookings: { title: 'Bookings and the front desk', save: 'Save rules of bookings' },
  emails: { title: 'Emails to you', save: 'Save emails' },
  files: { title: 'Files for spreadsheets', save: 'Save how files are written' },
  'sign-in': { title: 'Sign-in', save: 'Save sign-in' },
} as const;

const MAINTENANCE = 'Maintenance';

/** A part of the page with its own form. `at`: its path after that of the page. */
function Part({
  ctx,
  id,
  at = `/${id}`,
  children,
}: {
  ctx: ApiContext;
  id: keyof typeof SECTIONS;
  at?: string;
  children: ComponentChildren;
}) {
  const { title, save } = SECTIONS[id];
  return (
    <section>
      <h2 id={id}>{title}</h2>
      <NoticeAt at={id} />
      <Form ctx={ctx} class="card part" action={pathIn(ctx, `/settings${at}`)} once>
        {children}
        <button>{save}</button>
      </Form>
    </section>
  );
}

/** How long rooms are held, and what the desk may do. */
function BookingInputs({ workspace }: { workspace: Workspace }) {
  const { checkout_hold_seconds, desk_refund_limit_minor: amount_minor, currency } = workspace;
  return (
    <>
      <TextField
        name="hold_minutes"
        label="Hold while the payer pays (minutes)"
        inputMode="decimal"
        required
        value={String(checkout_hold_seconds / 60)}
      />
      <p class="hint">The booking page has a hold of its own, which is set there.</p>
      <TextField
        name="desk_refund_limit_minor"
        label={`Most that the front desk refunds against a room’s terms (${currency})`}
        inputMode="decimal"
        value={amountInput({ amount_minor, currency })}
      />
      <Choice name="refuse_overdue_payers" checked={workspace.refuse_overdue_payers}>
        Reject bookings on account for payers with an invoice that is unpaid 7 days after it was due
      </Choice>
    </>
  );
}

/** Which mail about bookings staff get. */
function StaffNoticeInputs({ workspace: { notify_staff } }: { workspace: Workspace }) {
  return (
    <fieldset>
      <legend>About bookings</legend>
      <div class="grid">
        {STAFF_NOTICES.map((notice) => (
          <div key={notice}>
            <Select
              name={`notify_${notice}`}
              label={NOTICE_LABELS[notice]}
              options={[...MODES]}
              chosen={[notify_staff[notice]]}
            />
          </div>
        ))}
      </div>
      <p class="hint">
        Those of a day come in one email in the morning. They go to the contact email if that is the address
        of somebody with a membership here, otherwise to the owner.
      </p>
    </fieldset>
  );
}

const SEPARATORS = [
  ['comma', 'Comma'],
  ['semicolon', 'Semicolon'],
] as const satisfies [CsvFormat['separator'], string][];
const DECIMALS = [
  ['point', 'Point: 12.50'],
  ['comma', 'Comma: 12,50'],
] as const satisfies [CsvFormat['decimal'], string][];

/** How exports are written. */
function FileInputs({ csv }: { csv: CsvFormat }) {
  return (
    <>
      <Select name="separator" label="Between cells" options={SEPARATORS} chosen={[csv.separator]} />
      <Select name="decimal" label="Decimals" options={DECIMALS} chosen={[csv.decimal]} />
      <p class="hint">Spreadsheets in Germany, France and Spain read semicolons and commas.</p>
    </>
  );
}

/** `GET /dashboard/:workspace/settings`: the workspace and its maintenance window. */
export function showSettings({ db, pictures }: ApiDependencies): Handler {
  return async (ctx) => {
    const workspace = await presentedWorkspace(db.manager, ctx.state.membership!.workspace_id);
    showSection(ctx, {
      title: 'Workspace',
      at: '/settings',
      children: (
        <>
          <nav class="index" aria-label="On this page">
            {Object.entries(SECTIONS).map(([id, { title }]) => (
              <a key={id} href={`#${id}`}>
                {title}
              </a>
            ))}
            <a href="#maintenance">{MAINTENANCE}</a>
          </nav>
          <Part ctx={ctx} id="workspace" at="">
            <workspaceForm.Inputs of={workspace} />
            <p class="hint">
              Used for the prices of plans and for invoices. Each room has its own price currency.
            </p>
          </Part>
          <Part ctx={ctx} id="payers">
            <payersForm.Inputs of={workspace} options={{ locale: LANGUAGE_OPTIONS }} />
          </Part>
          {pictures && <LogoForm ctx={ctx} of={workspace} />}
          <Part ctx={ctx} id="invoices">
            <MissingOnInvoices workspace={{ ...workspace, processor_status: workspace.processor.status }} />
            <invoicesForm.Inputs of={workspace} />
          </Part>
          <Part ctx={ctx} id="bookings">
            <BookingInputs workspace={workspace} />
          </Part>
          <Part ctx={ctx} id="emails">
            <StaffNoticeInputs workspace={workspace} />
          </Part>
          <Part ctx={ctx} id="files">
            <FileInputs csv={workspace.csv} />
          </Part>
          <Part ctx={ctx} id="sign-in">
            <Choice name="require_second_factor" checked={workspace.require_second_factor}>
              Require two-step verification of every member, not only of owners and admins
            </Choice>
          </Part>
          <h2 id="maintenance">{MAINTENANCE}</h2>
          <MaintenanceWindow ctx={ctx} workspace={workspace} />
          <p class="soft">
            Workspace <Id of={workspace.id} />
          </p>
        </>
      ),
    });
  };
}
