import { type AccountingWorkspace } from '../support/accounting.js';
import { accountingSimulator } from '../support/simulators.js';
import type { Invoice } from '../support/api-bodies.js';

const manual = { method: 'bank_transfer' };

export const readAccountingSettings = async ({ api }: AccountingWorkspace) =>
  (await api.get('/v1/workspace')).body.accounting;

export const readInvoice = async ({ api }: AccountingWorkspace, { id }: Invoice) =>
  (await api.get(`/v1/invoices/${id}`)).body;

export const markPaid = ({ api }: AccountingWorkspace, { id }: Invoice, overrides: object = {}) =>
  api.post(`/v1/invoices/${id}/mark-paid`, { ...manual, amount_minor: 12_000, ...overrides });

export const organisation = ({ tenant }: AccountingWorkspace, control: string, body: object = {}) =>
  accountingSimulator('POST', `/_sim/organisations/${tenant}/${control}`, body);
