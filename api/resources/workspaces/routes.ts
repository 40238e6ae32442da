import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { limitConcurrent, UPLOADING } from '../../http/concurrency.js';
import { route } from '../../http/context.js';
import { emptyBody } from '../../http/fields.js';
import { newRouter } from '../../http/router.js';
import { validBody } from '../../http/validate.js';
import { disconnect, getChart, refreshChart } from './accounting.js';
import { connect } from './connect.js';
import { onboard } from './onboarding.js';
import { uploadLogo } from './logo.js';
import { get } from './read.js';
import { accountingChart, updateSchema, workspace as schema } from './shape.js';
import { update } from './update.js';
import type { Resource } from '../shared/resource.js';
import { operations } from './openapi.js';

/** The workspace of the caller (docs/rules/workspace.md). */
export const workspace: Resource = {
  tag: 'Workspace',
  operations,
  schemas: { Workspace: schema, AccountingChart: accountingChart },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/workspace';
    const signedIn = authenticated(deps);
    const canRead = requires('workspace:read', 'read_workspace');
    const canWrite = requires('workspace:write', 'write_workspace');
    const noBody = validBody(emptyBody);
    router.get(path, ...route(signedIn, canRead, get(deps)));
    router.patch(path, ...route(signedIn, canWrite, validBody(updateSchema, update(deps))));
    router.put(`${path}/logo`, ...route(signedIn, canWrite, ...UPLOADING, uploadLogo(deps)));
    router.post(
      `${path}/processor/onboarding`,
      ...route(signedIn, canWrite, noBody, limitConcurrent(), onboard(deps)),
    );
    const canDelete = requires('workspace:delete', 'write_workspace');
    // The organisation's bank accounts are no business of every member.
    const canReadChart = requires('workspace:read', 'write_workspace');
    router.get(`${path}/accounting`, ...route(signedIn, canReadChart, getChart(deps)));
    router.delete(`${path}/accounting`, ...route(signedIn, canDelete, disconnect(deps)));
    router.post(
      `${path}/accounting/connect`,
      ...route(signedIn, canWrite, noBody, limitConcurrent(), connect(deps)),
    );
    router.post(
      `${path}/accounting/refresh`,
      ...route(signedIn, canWrite, noBody, limitConcurrent(), refreshChart(deps)),
    );
    return router;
  },
};
