import { findChart, findConnection } from '../../../db/queries/accounting/connection.js';
import type { AccountingChart, AccountingConnection } from '../../../db/entities/accounting.js';
import type { Chart } from '../../../domain/accounting/settings.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { presentedWorkspace } from '../../../db/queries/workspaces/presented-workspace.js';
import { pathOf, taxTypeField } from './accounting-actions.js';
import { pathIn } from '../shared/api-form.js';
import { Choice, Select } from '../shared/fields.js';
import { Confirm, Form } from '../shared/form.js';
import { formatsOf } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { showSection } from '../shared/workspace.js';

type Workspace = Awaited<ReturnType<typeof presentedWorkspace>>;
type Option = readonly [value: string, label: string];

const EXPLANATIONS = {
  active: 'Paid invoices are sent immediately, open invoices every hour.',
  revoked: 'The organisation has withdrawn access. Reconnect it to send the queued invoices and payments.',
  unconfigured: 'Connect your organisation in Xero to send invoices and payments to it.',
};

/** What each status is called. */
const STATUS_NAMES = { active: 'active', revoked: 'disconnected', unconfigured: 'not_connected' };

/** The options of a setting. Its value is one of them, also if the organisation lacks it. */
function optionsWith(value: string, options: Option[]): Option[] {
  if (options.some(([each]) => each === value)) return options;
  return [[value, `${value} (not in the organisation)`], ...options];
}

const labelled = ({ code, name }: { code: string; name: string }): Option => [
  code,
  code.length > 10 ? name : `${code} ${name}`,
];

function Connection({ ctx, workspace }: { ctx: ApiContext; workspace: Workspace }) {
  const { status, organisation } = workspace.accounting;
  return (
    <div class="card">
      <Status value={STATUS_NAMES[status]} />{' '}
      {organisation &&
        (status === 'active' ? `Connected to ${organisation} in Xero` : `${organisation} in Xero`)}
      <p>{EXPLANATIONS[status]}</p>
      {status === 'active' ? (
        <Confirm ctx={ctx} summary="Disconnect" action={`${pathOf(ctx)}/disconnect`} button="Disconnect" rare>
          Nothing more is sent. What is there stays, and only {organisation} can be connected again.
        </Confirm>
      ) : (
        <Form ctx={ctx} action={`${pathOf(ctx)}/connect`}>
          <button>{organisation ? `Reconnect ${organisation}` : 'Connect to Xero'}</button>
        </Form>
      )}
    </div>
  );
}

/** Leads to the rates of a room or to an extra, if the problem is with one of them. */
function PlaceLink({ ctx, param }: { ctx: ApiContext; param: string }) {
  const [, room] = /^rooms\.([^.]+)\.rates\./.exec(param) ?? [];
  const [, extra] = /^extras\.([^.]+)\./.exec(param) ?? [];
  if (!room && !extra) return null;
  return (
    <>
      {' '}
      <a href={pathIn(ctx, room ? `/rooms/${room}/rates` : `/extras/${extra}`)}>
        {room ? 'Rates of the room' : 'The extra'}
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

function Settings(props: { ctx: ApiContext; workspace: Workspace; chart: Chart }) {
  const { ctx, workspace, chart } = props;
  const { enabled, sales_account, payment_account } = workspace.accounting;
  const { tax_codes } = workspace;
  const sales = chart.sales_accounts.filter(({ is_revenue, code }) => is_revenue || code === sales_account);
  const taxTypes = chart.tax_types.map(({ tax_type, name, rate_bps }): Option => [
    tax_type,
    `${name.includes(tax_type) ? name : `${name} (${tax_type})`}: ${rate_bps / 100}%`,
  ]);
  return (
    <Form class="card" ctx={ctx} action={pathOf(ctx)}>
      <Select
        name="sales_account"
        label="Sales account"
        options={optionsWith(sales_account!, sales.map(labelled))}
        chosen={[sales_account!]}
      />
      <Select
        name="payment_account"
        label="Payment account"
        options={optionsWith(payment_account!, chart.payment_accounts.map(labelled))}
        chosen={[payment_account!]}
      />
      {tax_codes.map(({ code, rate_bps, accounting_tax_type }, index) => (
        <Select
          key={code}
          name={taxTypeField(index)}
          label={`Tax type for ${code} (${rate_bps / 100}%)`}
          options={optionsWith(accounting_tax_type, taxTypes)}
          chosen={[accounting_tax_type]}
        />
      ))}
      <input type="hidden" name="tax_codes" value={JSON.stringify(tax_codes)} />
      <Choice name="enabled" checked={enabled}>
        Send invoices and payments
      </Choice>
      <button>Save</button>
    </Form>
  );
}

function ChartSettings(props: { ctx: ApiContext; workspace: Workspace; read: AccountingChart | null }) {
  const { ctx, workspace, read } = props;
  return (
    <>
      <h2>Accounts and tax types</h2>
      <Problems ctx={ctx} {...workspace.accounting} />
      {read && <Settings ctx={ctx} workspace={workspace} chart={read.chart} />}
      <Form class="actions" ctx={ctx} action={`${pathOf(ctx)}/refresh`}>
        <button class="quiet">Refresh</button>
      </Form>
      <p class="soft">
        {read
          ? `Last updated on ${formatsOf(ctx).moment(read.read_at)}. They are updated once a day.`
          : 'Not read from the organisation yet.'}
      </p>
    </>
  );
}

const isActive = (connection: AccountingConnection | null): boolean => connection?.status === 'active';

/**
 * `GET /dashboard/:workspace/accounting`: the connection, and the accounts and tax types that
 * documents are sent with.
 */
export function showAccounting({ db, hasAccounting }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const workspace = await presentedWorkspace(db.manager, workspace_id);
    const connection = await findConnection(db.manager, workspace_id);
    const read = isActive(connection) ? await findChart(db.manager, workspace_id) : null;
    showSection(ctx, {
      title: 'Accounting',
      at: '/accounting',
      children: hasAccounting ? (
        <>
          <Connection ctx={ctx} workspace={workspace} />
          {isActive(connection) && <ChartSettings ctx={ctx} workspace={workspace} read={read} />}
        </>
      ) : (
        <p>No accounting system is configured for this service.</p>
      ),
    });
  };
}
