import type Router from '@koa/router';
import joi, { type ObjectSchema } from 'joi';
import { INVOICE } from '../api/schemas.js';
import {
  changeOrganisation,
  createOrganisation,
  type NewOrganisation,
  type OrganisationSettings,
} from '../bookkeeping/organisation.js';
import { ControlProblem, createControls } from '../../simulator/controls.js';
import { setFaults } from '../../simulator/faults.js';
import { FAULTS } from '../state/faults.js';
import { failed } from '../http/response.js';
import { notFound, Refused, XeroError } from '../http/errors.js';
import { allow, ConsentProblem, readConsentRequest } from '../oauth/consent.js';
import { expireAccessTokens, forgetRefreshTokens } from '../oauth/tokens.js';
import type { Simulator } from '../simulator.js';
import type { Organisation } from '../state/records.js';
import {
  addBill,
  addHistory,
  creditInvoice,
  editInvoice,
  type InvoiceEdit,
  type PastDocument,
} from './invoice.js';
import { ledger } from './ledger.js';

const LOCK_DATE = joi
  .string()
  .pattern(/^\d{4}-\d\d-\d\d$/)
  .allow(null);

const ORGANISATION: ObjectSchema<NewOrganisation & { authorize_url?: string }> = joi.object({
  name: joi.string().required(),
  currency: joi.string().length(3).uppercase(),
  currencies: joi.array().items(joi.string().length(3).uppercase()),
  lock_date: LOCK_DATE,
  frees_deleted_numbers: joi.boolean(),
  user: joi.string(),
  authorize_url: joi.string().uri(),
});

/** The organisation settings that a user can change. */
const SETTINGS: ObjectSchema<OrganisationSettings> = joi.object({
  currencies: joi.array().items(joi.string().length(3).uppercase()).allow(null),
  lock_date: LOCK_DATE,
  frees_deleted_numbers: joi.boolean(),
  archive_accounts: joi.array().items(joi.string()),
  accounts: joi.array().items(
    joi.object({
      code: joi.string().allow('').required(),
      name: joi.string().required(),
      type: joi.string().required(),
      tax_type: joi.string().default('NONE'),
      payments: joi.boolean().default(false),
    }),
  ),
});

const AUTHORIZE: ObjectSchema<{ authorize_url: string }> = joi.object({
  authorize_url: joi.string().uri().required(),
});

const BILL: ObjectSchema<{ InvoiceNumber: string }> = joi.object({ InvoiceNumber: joi.string().required() });

const HISTORY: ObjectSchema<{ documents: PastDocument[] }> = joi.object({
  documents: joi
    .array()
    .items(
      joi.object({
        kind: joi.string().valid('invoice', 'credit_note').required(),
        number: joi.string().required(),
        reference: joi.string().required(),
        net: joi.number().positive().required(),
      }),
    )
    .required(),
});

const CREDIT: ObjectSchema<{ amount: number }> = joi.object({ amount: joi.number().positive().required() });

const TENANT: ObjectSchema<{ tenant?: string }> = joi.object({ tenant: joi.string() });

const NOTHING: ObjectSchema<object> = joi.object({});

/** An invoice's fields under Xero's names. Unknown ones are rejected. */
const EDIT = joi.object<InvoiceEdit>({
  ...Object.fromEntries(
    ['Reference', 'Status', 'Date', 'DueDate', 'LineItems', 'Url', 'SentToContact'].map((name) => [
      name,
      INVOICE.extract(name),
    ]),
  ),
  InvoiceNumber: joi.string(),
});

/** The controls under `/_sim`, which stand in for bookkeepers, users and accidents. */
export function addControls(router: Router, sim: Simulator): void {
  const { store } = sim;
  const control = createControls(router, {
    transaction: (work) => store.attempt(work),
    failed: failedControl,
  });

  control('/_sim/faults', FAULTS, ({ tenant, ...faults }, _, given) => {
    sim.limits.reset(tenant ?? null);
    return setFaults(store.settings, tenant, faults, given);
  });

  // Creates an organisation. With `authorize_url`, the page to which the app sends its user, it also grants
  // access. The response then has the `redirect_url` back to the app.
  control('/_sim/organisations', ORGANISATION, ({ authorize_url, ...given }) => {
    const organisation = createOrganisation(store, given);
    const { tenant_id, name, currency } = organisation;
    const redirect_url = authorize_url ? consent(authorize_url, organisation) : undefined;
    return { tenant_id, name, currency, redirect_url };
  });
  // Changes the organisation's settings, as a user does in Xero.
  control('/_sim/organisations/:id/settings', SETTINGS, (settings, id) => {
    const { currencies, lock_date, accounts } = changeOrganisation(store, found(id), settings);
    return { currencies, lock_date, accounts };
  });
  control('/_sim/organisations/:id/authorize', AUTHORIZE, ({ authorize_url }, id) => {
    return { redirect_url: consent(authorize_url, found(id)) };
  });

  // Disconnects the app, as a user can in Xero's settings.
  control('/_sim/organisations/:id/disconnect', NOTHING, (_, id) => {
    const { tenant_id } = found(id);
    const connections = [...store.connections.values()].filter((each) => each.tenant_id === tenant_id);
    for (const { id } of connections) store.connections.delete(id);
    return { disconnected: connections.length };
  });
  // Ends the refresh tokens of the organisation's user, as 60 days without use do.
  control('/_sim/organisations/:id/forget_tokens', NOTHING, (_, id) => ({
    forgotten: forgetRefreshTokens(sim, found(id)),
  }));
  // Adds a bill of a supplier, with any number.
  control('/_sim/organisations/:id/bills', BILL, ({ InvoiceNumber }, id) =>
    addBill(store, found(id), InvoiceNumber),
  );
  // Adds many approved and paid documents in one request.
  control('/_sim/organisations/:id/history', HISTORY, ({ documents }, id) =>
    addHistory(store, found(id), documents),
  );
  // Creates a credit note of an amount and applies it to the invoice.
  control('/_sim/invoices/:id/credit', CREDIT, ({ amount }, id) => creditInvoice(store, id, amount));
  control('/_sim/tokens/expire', TENANT, ({ tenant }) => ({ expired: expireAccessTokens(sim, tenant) }));

  control('/_sim/invoices/:id', EDIT, (edit, id) => editInvoice(store, id, edit));

  router.get('/_sim/ledger', (ctx) => {
    ctx.body = ledger(store, ctx.query['tenant'] ? String(ctx.query['tenant']) : undefined);
  });

  function consent(authorizeUrl: string, organisation: Organisation): string {
    return allow(sim, readConsentRequest(sim, new URL(authorizeUrl).searchParams), organisation);
  }

  function found(tenantId: string): Organisation {
    const organisation = store.organisations.get(tenantId);
    if (!organisation) throw notFound();
    return organisation;
  }
}

/** Errors of the caller are a 400 with a readable message. */
function failedControl(error: unknown) {
  const theirs =
    error instanceof Refused || error instanceof ConsentProblem || error instanceof ControlProblem;
  return failed(theirs ? new XeroError(400, { Message: error.message }) : error);
}
