import type { AccountingChart } from '../../../db/entities/accounting.js';
import { findChart, findConnection } from '../../../db/queries/accounting/connection.js';
import { presentedWorkspace } from '../../../db/queries/workspaces/presented-workspace.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { boolean, object } from '../../../api/http/typed.js';
import {
  changeWorkspace,
  connectAccounting,
  disconnectAccounting,
  MAX_TAX_CODES,
  refreshAccountingChart,
} from '../../../api/resources/workspaces/operations.js';
import { createFormats } from '../../ui/formats.js';
import { form } from '../forms/form.js';
import type { Input } from '../forms/inputs.js';
import { page, type PageProps } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { Select } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { Setting } from '../shared/setting.js';
import { Status } from '../shared/status.js';
import { consentPage } from './accounting-consent.js';

type Workspace = Awaited<ReturnType<typeof presentedWorkspace>>;
type Option = readonly [value: string, label: string];

interface AccountingPage {
  workspace: Workspace;
  isActive: boolean;
  /** Accounts and tax types of the connected organisation; null until they are loaded. */
  read: AccountingChart | null;
  /** Whether this service has an accounting system. */
  hasAccounting: boolean;
}

const EXPLANATIONS = {
  active: 'Paid invoices are sent immediately, open invoices every hour.',
  revoked: 'The organisation has revoked access. Reconnect it to send the queued invoices and payments.',
  unconfigured: 'Connect your Xero organisation to send invoices and payments to it.',
};

const STATUS_NAMES = { active: 'active', revoked: 'disconnected', unconfigured: 'not_connected' };

/** The options of a setting. The current value is included even if the organisation no longer has it. */
function optionsWith(value: string | null, options: Option[]): Option[] {
  if (value === null || options.some(([each]) => each === value)) return options;
  return [[value, `${value} (not in the organisation)`], ...options];
}

const labelled = ({ code, name }: { code: string; name: string }): Option => [
  code,
  code.length > 10 ? name : `${code} ${name}`,
];

/** The field with the tax type of a tax code, by the code's place in the list. */
const taxTypeField = (index: number): string => `tax_type_${index}`;

/** The tax types of the tax codes, and the codes that the page was made from, as JSON. */
const taxTypes: Input<AccountingPage> = {
  fields: (name) => ({
    [name]: text(20_000).required(),
    ...Object.fromEntries(
      Array.from({ length: MAX_TAX_CODES }, (_, index) => [taxTypeField(index), text(50)]),
    ),
  }),
  read: (name, submitted) => ({ [name]: submitted }),
  Show({ name, shown: { data } }) {
    const { tax_codes } = data.workspace;
    const offered = data.read!.chart.tax_types.map(({ tax_type, name, rate_bps }): Option => [
      tax_type,
      `${name.includes(tax_type) ? name : `${name} (${tax_type})`}: ${rate_bps / 100}%`,
    ]);
    return (
      <>
        {tax_codes.map(({ code, rate_bps, accounting_tax_type }, index) => (
          <Select
            key={code}
            name={taxTypeField(index)}
            label={`${code} (${rate_bps / 100}%)`}
            options={optionsWith(accounting_tax_type, offered)}
            chosen={[accounting_tax_type]}
          />
        ))}
        <input type="hidden" name={name} value={JSON.stringify(tax_codes)} />
      </>
    );
  },
  wide: () => true,
  called: () => ({}),
};

/** The tax codes of the workspace with the submitted tax types. Errors: 422 if they have changed. */
function taxCodesEntered({ tax_codes }: Workspace, submitted: Record<string, unknown>) {
  if (JSON.stringify(tax_codes) !== submitted.tax_codes)
    throw new ApiError('validation_failed', 'The tax codes have changed. Reload the page.');
  return tax_codes.map((taxCode, index) => ({
    ...taxCode,
    accounting_tax_type: submitted[taxTypeField(index)] ?? taxCode.accounting_tax_type,
  }));
}

const saveSettings = form(
  changeWorkspace,
  {
    sales_account: {
      label: 'Sales account',
      options({ workspace: { accounting }, read }: AccountingPage) {
        const { sales_account } = accounting;
        const posts = read!.chart.sales_accounts.filter(
          ({ is_revenue, code }) => is_revenue || code === sales_account,
        );
        return optionsWith(sales_account, posts.map(labelled));
      },
    },
    payment_account: {
      label: 'Payment account',
      options: ({ workspace: { accounting }, read }) =>
        optionsWith(accounting.payment_account, read!.chart.payment_accounts.map(labelled)),
    },
    tax_codes: taxTypes,
    enabled: 'Send invoices and payments',
  },
  {
    schema: object(
      { sales_account: text(50), payment_account: text(50), enabled: boolean },
      'sales_account',
      'payment_account',
    ),
    of: ({ workspace }) => workspace.accounting,
    body: ({ tax_codes, ...accounting }, { data }) => ({
      accounting,
      tax_codes: taxCodesEntered(data.workspace, tax_codes as Record<string, unknown>),
    }),
    button: 'Save',
    notice: ({ accounting }) =>
      accounting.problems.length > 0 ? 'Settings saved. Fix the problems below.' : 'Settings saved.',
  },
);

const connect = form(
  connectAccounting,
  {},
  {
    path: '/connect',
    button: ({ workspace: { accounting } }: AccountingPage) =>
      accounting.organisation ? `Reconnect ${accounting.organisation}` : 'Connect to Xero',
    proof: () => true,
    show: ({ url }) => ({
      title: 'Connect an organisation',
      children: (
        <div class="card">
          <p>Choose your organisation in Xero and allow access. The link is valid for one hour.</p>
          <a id="consent" href={new URL(url).pathname}>
            Continue to Xero
          </a>
        </div>
      ),
    }),
  },
);

const refresh = form<'POST /v1/workspace/accounting/refresh', object, unknown, AccountingPage>(
  refreshAccountingChart,
  {},
  { path: '/refresh', button: 'Refresh', notice: () => 'Accounts and tax types updated.' },
);

const disconnect = form<'DELETE /v1/workspace/accounting', undefined, unknown, AccountingPage>(
  disconnectAccounting,
  {},
  {
    path: '/disconnect',
    button: 'Disconnect',
    rare: true,
    explains:
      'Invoices and payments are no longer sent. Data in Xero is kept; only this organisation can be ' +
      'reconnected.',
    notice: () => 'Disconnected. Invoices and payments are no longer sent.',
  },
);

function Button({ ctx, path, quiet, label }: { ctx: ApiContext; path: string; quiet?: true; label: string }) {
  return (
    <Form class={quiet && 'actions'} ctx={ctx} action={pathIn(ctx, `/accounting${path}`)}>
      <button class={quiet && 'quiet'}>{label}</button>
    </Form>
  );
}

function Connection(page: PageProps<AccountingPage>) {
  const {
    ctx,
    data: { workspace },
  } = page;
  const { status, organisation } = workspace.accounting;
  return (
    <div class="card">
      <Status value={STATUS_NAMES[status]} />{' '}
      {organisation &&
        (status === 'active' ? `Connected to ${organisation} in Xero` : `${organisation} in Xero`)}
      <p>{EXPLANATIONS[status]}</p>
      {status === 'active' ? (
        <disconnect.Drawer page={page} quiet />
      ) : (
        <Button
          ctx={ctx}
          path="/connect"
          label={organisation ? `Reconnect ${organisation}` : 'Connect to Xero'}
        />
      )}
    </div>
  );
}

/** Links to the rates or the extra that the problem is about. */
function PlaceLink({ ctx, param }: { ctx: ApiContext; param: string }) {
  const [, room] = /^rooms\.([^.]+)\.rates\./.exec(param) ?? [];
  const [, extra] = /^extras\.([^.]+)\./.exec(param) ?? [];
  if (!room && !extra) return null;
  return (
    <>
      {' '}
      <a href={pathIn(ctx, room ? `/rooms/${room}/rates` : `/extras/${extra}`)}>
        {room ? 'View rates' : 'View extra'}
      </a>
    </>
  );
}

function Problems({ ctx, problems }: Workspace['accounting'] & { ctx: ApiContext }) {
  if (problems.length === 0) return null;
  return (
    <div class="card trouble" id="problems">
      {problems.map(({ param, message }) => (
        <p key={param}>
          {message}
          <PlaceLink ctx={ctx} param={param} />
        </p>
      ))}
    </div>
  );
}

function Accounting(props: PageProps<AccountingPage>) {
  const { ctx, data } = props;
  const { workspace, isActive, read, hasAccounting } = data;
  if (!hasAccounting) return <p class="empty">No accounting system is configured for this service.</p>;
  return (
    <>
      <Setting title="Connection">
        <Connection {...props} />
      </Setting>
      {isActive && (
        <Setting
          title="Accounts and tax types"
          hint={
            read
              ? `Updated ${createFormats(ctx).moment(read.read_at)}, and daily.`
              : 'Not loaded from the organisation yet.'
          }
        >
          <Problems ctx={ctx} {...workspace.accounting} />
          {read && <saveSettings.Open page={props} />}
          <Button ctx={ctx} path="/refresh" quiet label="Refresh" />
        </Setting>
      )}
    </>
  );
}

/** The connection to the accounting system, and the accounts and tax types that documents are sent with. */
export const accounting = [
  consentPage,
  page({
    path: '/accounting',
    capability: 'write_workspace',
    title: 'Accounting',
    async load({ caller: { workspace_id } }, { db: { manager }, hasAccounting }): Promise<AccountingPage> {
      const isActive = (await findConnection(manager, workspace_id))?.status === 'active';
      return {
        workspace: await presentedWorkspace(manager, workspace_id),
        isActive,
        read: isActive ? await findChart(manager, workspace_id) : null,
        hasAccounting,
      };
    },
    view: Accounting,
    forms: [saveSettings, connect, refresh, disconnect],
  }),
];
