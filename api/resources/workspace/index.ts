import type { Resource } from '../shared/resource.js';
import { operations } from './openapi.js';
import { accountingChart, workspace as schema } from './responses.js';
import { workspaceRoutes } from './routes.js';

export const workspace: Resource = {
  tag: 'Workspace',
  routes: workspaceRoutes,
  operations,
  schemas: { Workspace: schema, AccountingChart: accountingChart },
};
