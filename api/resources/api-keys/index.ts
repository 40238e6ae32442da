import type { Resource } from '../shared/resource.js';
import { EXAMPLE_KEY_ID, operations } from './openapi.js';
import { apiKey } from './responses.js';
import { apiKeyRoutes } from './routes.js';

export const apiKeys: Resource = {
  tag: 'Credentials',
  routes: apiKeyRoutes,
  operations,
  schemas: { ApiKey: apiKey },
  ids: { 'api-keys': { name: 'key', example: EXAMPLE_KEY_ID, notFound: 'key_not_found' } },
};
