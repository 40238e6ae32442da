import type { Resource } from '../shared/resource.js';
import { EXAMPLE_CLIENT_ID, operations } from './openapi.js';
import { oauthClient } from './responses.js';
import { oauthClientRoutes } from './routes.js';

export const oauthClients: Resource = {
  tag: 'Credentials',
  routes: oauthClientRoutes,
  operations,
  schemas: { OAuthClient: oauthClient },
  ids: { 'oauth-clients': { name: 'client', example: EXAMPLE_CLIENT_ID, notFound: 'not_found' } },
};
