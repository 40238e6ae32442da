/**
 * The accounting part of Xero's SDK. Its index also loads payroll, files and others, which costs each worker
 * a quarter of a second and 15 MB.
 */
export { AccountingApi } from 'xero-node/dist/gen/api/accountingApi.js';
export * from 'xero-node/dist/gen/model/accounting/models.js';
