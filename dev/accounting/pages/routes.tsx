import type Router from '@koa/router';
import type { Context } from 'koa';
import { Message, readForm, redirect, show, showNotFound } from '../../simulator/pages.js';
import { internalDocumentContext, updateDocument } from '../bookkeeping/documents.js';
import { createOrganisation } from '../bookkeeping/organisation.js';
import { Refused } from '../http/errors.js';
import { allow, ConsentProblem, readConsentRequest, refuse, type ConsentRequest } from '../oauth/consent.js';
import type { Simulator } from '../simulator.js';
import { ConsentPage } from './consent.js';
import { OrganisationPage, OrganisationsPage } from './organisations.js';

/** The pages for users of Xero. They work without scripts. */
export function addPages(router: Router, sim: Simulator): void {
  const { store } = sim;
  router.get('/identity/connect/authorize', (ctx) => showConsent(sim, ctx));
  router.post('/identity/connect/authorize', (ctx) => respondToConsent(sim, ctx));

  router.get('/', (ctx) => show(ctx, <OrganisationsPage store={store} />));
  router.get('/organisations/:id', (ctx) => {
    const organisation = store.organisations.get(params(ctx).id);
    if (!organisation) return showNotFound(ctx);
    show(ctx, <OrganisationPage store={store} organisation={organisation} />);
  });
  router.post('/organisations/:id/invoices/:invoice/approve', (ctx) => {
    const { id, invoice: invoiceId } = params(ctx);
    const [organisation, invoice] = [store.organisations.get(id), store.invoices.get(invoiceId)];
    if (!organisation || invoice?.tenant !== id) return showNotFound(ctx);
    const context = internalDocumentContext(store, organisation, invoice.type);
    try {
      store.attempt(() => updateDocument(context, invoice, { Status: 'AUTHORISED' }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return show(ctx, <Message title="The request was rejected" texts={error.messages} />, 409);
    }
    redirect(ctx, `/organisations/${id}`);
  });
}

function showConsent(sim: Simulator, ctx: Context): void {
  const request = consentRequest(sim, ctx);
  if (!request) return;
  const organisations = [...sim.store.organisations.values()];
  show(ctx, <ConsentPage request={request} organisations={organisations} action={ctx.url} />);
}

async function respondToConsent(sim: Simulator, ctx: Context): Promise<void> {
  const form = await readForm(ctx);
  const request = consentRequest(sim, ctx);
  if (!request) return;
  if (form.get('answer') !== 'allow') return redirect(ctx, refuse(request));
  const { store } = sim;
  const organisation =
    store.organisations.get(form.get('organisation') ?? '') ??
    createOrganisation(store, { name: `Demo Company ${store.organisations.size + 1}` });
  redirect(ctx, allow(sim, request, organisation));
}

/** Reads the authorization request. For an invalid one, sends a page and returns undefined. */
function consentRequest(sim: Simulator, ctx: Context): ConsentRequest | undefined {
  try {
    return readConsentRequest(sim, new URLSearchParams(ctx.querystring));
  } catch (error) {
    if (!(error instanceof ConsentProblem)) throw error;
    show(ctx, <Message title="This app cannot be connected" texts={[error.message]} />, 400);
    return undefined;
  }
}

function params(ctx: Context): Record<'id' | 'invoice', string> {
  return ctx['params'] as Record<'id' | 'invoice', string>;
}
