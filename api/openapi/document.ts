import type Router from '@koa/router';
import { EVENT_TYPES, OPT_IN_EVENT_TYPES, TEST_EVENT_TYPE } from '../../domain/events.js';
import { SCOPES } from '../../domain/key-scope.js';
import { CAPABILITIES } from '../../domain/policies.js';
import { eventOf } from '../events/responses.js';
import { factsOf, type RouteFacts } from '../http/route-facts.js';
import { nameSchemas } from './components.js';
import { errorSchema } from './errors.js';
import { jsonSchemaOf, type JsonSchema } from './json-schema.js';
import { content, type Named } from './media.js';
import { OPERATIONS, TAGS, type TaggedOperation } from './operations.js';
import { HEADERS, OVERVIEW, SIGNATURE_HEADERS } from './overview.js';
import { parametersOf, requestBody } from './request.js';
import { responses, SHARED_RESPONSES } from './responses.js';

/** A route under /v1: how the router has it, and what its middlewares ask. */
export interface PublicRoute {
  /** `GET /v1/rooms/:id` */
  route: string;
  facts: RouteFacts;
}

/** The routes under /v1, read off a router. */
export function publicRoutes(router: Router): PublicRoute[] {
  return router.stack.flatMap(({ methods, path, stack }) =>
    methods
      .filter((method) => method !== 'HEAD' && String(path).startsWith('/v1/'))
      .map((method) => ({ route: `${method} ${String(path)}`, facts: factsOf(stack) })),
  );
}

/** `List a room's blackouts` → `listRoomsBlackouts`. */
const operationIdOf = (summary: string): string =>
  summary
    .replace(/'s\b/g, 's')
    .split(/\W+/)
    .filter((word) => !/^(an?|the)$/i.test(word))
    .map((word, n) => (n === 0 ? word.toLowerCase() : word[0]!.toUpperCase() + word.slice(1)))
    .join('');

const security = ({ key, scope }: RouteFacts): JsonSchema[] =>
  key ? [{ apiKey: scope ? [scope] : [] }, { oauth: scope ? [scope] : [] }] : [];

function operationObject(operation: TaggedOperation, facts: RouteFacts, named: Named): JsonSchema {
  const { tag, summary, description, body } = operation;
  const parameters = parametersOf(operation, facts);
  const asked = requestBody(facts, body, named);
  return {
    tags: [tag],
    operationId: operationIdOf(summary),
    summary,
    ...(description && { description }),
    security: security(facts),
    ...(facts.capability && { 'x-roles': CAPABILITIES[facts.capability] }),
    ...(parameters.length > 0 && { parameters }),
    ...(asked && { requestBody: asked }),
    responses: responses(operation, facts, named),
  };
}

function webhooks(named: Named): JsonSchema {
  const types = [...EVENT_TYPES, ...OPT_IN_EVENT_TYPES, TEST_EVENT_TYPE] as const;
  const webhook = (type: (typeof types)[number]) => ({
    post: {
      tags: ['Webhooks'],
      operationId: `on_${type}`,
      summary: `Receive ${type}`,
      parameters: SIGNATURE_HEADERS,
      requestBody: { required: true, content: content(named(jsonSchemaOf(eventOf(type)))) },
      responses: {
        '2XX': { description: 'Taken. Anything else is tried again; 410 disables the endpoint.' },
      },
    },
  });
  return Object.fromEntries(types.map((type) => [type, webhook(type)]));
}

/**
 * The API's document (OpenAPI 3.1): routes, scopes, roles and requests as the router has them, summaries and answers
 * from `OPERATIONS`. A route that nothing is said about is left out; a test names it.
 */
export function describeApi(routes: PublicRoute[], publicUrl: string): JsonSchema {
  const { schemas, named } = nameSchemas();
  const paths: Record<string, JsonSchema> = {};
  for (const operation of OPERATIONS) {
    const known = routes.find(({ route }) => route === operation.route);
    if (!known) continue;
    const [method, path] = operation.route.split(' ') as [string, string];
    const template = path.replace(/:(\w+)/g, '{$1}');
    (paths[template] ??= {})[method.toLowerCase()] = operationObject(operation, known.facts, named);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Holdfast', version: '1.0.0', description: OVERVIEW },
    servers: [{ url: publicUrl }],
    tags: Object.keys(TAGS).map((name) => ({ name })),
    paths,
    webhooks: webhooks(named),
    components: {
      schemas: { ...schemas, Error: errorSchema },
      headers: HEADERS,
      responses: SHARED_RESPONSES,
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'A repeat with the same key and body does nothing again and answers the same; another body is refused with 409 `idempotency_conflict`.',
          schema: { type: 'string', maxLength: 255, pattern: '^[ -~]*$' },
        },
      },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, with the scopes that are listed.',
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
      },
    },
  };
}
