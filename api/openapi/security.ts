import { SCOPES } from '../../domain/api-keys/key-scope.js';
import type { RouteFacts } from '../http/route-facts.js';
import type { OpenApi, OpenApiOperation } from './open-api.js';

/** The security requirements of an operation. */
export const buildSecurity = ({ key, scope, publishable }: RouteFacts): OpenApiOperation['security'] =>
  publishable
    ? [{ publishableKey: [] }]
    : key
      ? [{ apiKey: scope ? [scope] : [] }, { oauth: scope ? [scope] : [] }]
      : [];

/** `securitySchemes` of the document. */
export const securitySchemes = (publicUrl: string): OpenApi['components']['securitySchemes'] => ({
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key with the listed scopes.' },
  publishableKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A publishable key, sent from one of its origins.',
  },
  oauth: {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: `${publicUrl}/oauth/authorize`,
        tokenUrl: `${publicUrl}/oauth/token`,
        refreshUrl: `${publicUrl}/oauth/token`,
        scopes: Object.fromEntries(
          SCOPES.map((scope) => [scope, `To ${scope.replace(/(.*):(.*)/, '$2 $1')}`]),
        ),
      },
    },
  },
});
