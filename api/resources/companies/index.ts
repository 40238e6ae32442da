import type { Resource } from '../shared/resource.js';
import { EXAMPLE_COMPANY_ID, operations } from './openapi.js';
import { company } from './responses.js';
import { companyRoutes } from './routes.js';

export const companies: Resource = {
  tag: 'Companies',
  routes: companyRoutes,
  operations,
  schemas: { Company: company },
  ids: { companies: { name: 'company', example: EXAMPLE_COMPANY_ID, notFound: 'company_not_found' } },
};
