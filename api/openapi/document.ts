import type Router from '@koa/router';
import { CAPABILITIES } from '../../domain/policies.js';
import { mergeFacts, type RouteFacts } from '../http/route-facts.js';
import type { PathId, ResourceDescription } from '../resources/shared/resource.js';
import { money } from '../resources/shared/shapes.js';
import { nameSchemas } from './components.js';
import type { Named } from './content.js';
import { listErrorCodes, errorSchema } from './errors.js';
import { HEADERS } from './headers.js';
import type { OpenApi, OpenApiOperation } from './open-api.js';
import { listOperations, collectPathIds, type DescribedOperation } from './operations.js';
import { OVERVIEW } from './overview.js';
import { listParameters, requestBody, uploadBody } from './request.js';
import { buildResponses, SHARED_RESPONSES } from './responses.js';
import { buildSecurity, securitySchemes } from './security.js';
import { anyEventSchema, describeWebhooks, type EventDescriptions } from './webhooks.js';

/** A route under /v1 and what its middlewares require. */
export interface PublicRoute {
  /** `GET /v1/rooms/:id` */
  route: string;
  facts: RouteFacts;
}

/** The routes of a router that are under /v1. */
export function publicRoutes(router: Router): PublicRoute[] {
  return router.stack.flatMap(({ methods, path, stack }) =>
    methods
      .filter((method) => method !== 'HEAD' && String(path).startsWith('/v1/'))
      .map((method) => ({ route: `${method} ${String(path)}`, facts: mergeFacts(stack) })),
  );
}

/** `List a room's blackouts` → `listRoomsBlackouts`. */
const toOperationId = (summary: string): string =>
  summary
    .replace(/'s\b/g, 's')
    .split(/\W+/)
    .filter((word) => !/^(an?|the)$/i.test(word))
    .map((word, n) => (n === 0 ? word.toLowerCase() : word[0]!.toUpperCase() + word.slice(1)))
    .join('');

function operationObject(
  operation: DescribedOperation,
  facts: RouteFacts,
  { ids, named }: { ids: Record<string, PathId>; named: Named },
): OpenApiOperation {
  const { tag, summary, id = toOperationId(summary), description } = operation;
  const parameters = listParameters(operation, facts, ids);
  const body = operation.upload ? uploadBody(operation.upload) : requestBody(facts, operation.body, named);
  return {
    tags: [tag],
    operationId: id,
    summary,
    ...(description && { description }),
    security: buildSecurity(facts),
    ...(facts.capability && { 'x-roles': CAPABILITIES[facts.capability] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: buildResponses(operation, listErrorCodes(operation, facts, ids), named),
  };
}

/**
 * The API document (OpenAPI 3.1): routes, scopes, roles and requests as the router has them, the rest as the
 * resources describe it. Routes without a description are left out; a test fails for them.
 */
export function describeApi(
  { resources, events }: { resources: readonly ResourceDescription[]; events: EventDescriptions },
  routes: PublicRoute[],
  publicUrl: string,
): OpenApi {
  const ids = collectPathIds(resources);
  const { schemas, named } = nameSchemas(
    Object.assign(
      { Money: money, Event: anyEventSchema(events) },
      ...resources.map(({ schemas }) => schemas),
    ),
  );
  const paths: OpenApi['paths'] = {};
  for (const operation of listOperations(resources)) {
    const known = routes.find(({ route }) => route === operation.route);
    if (!known) continue;
    const [method, path] = operation.route.split(' ') as [string, string];
    const template = path.replace(/:(\w+)/g, '{$1}');
    (paths[template] ??= {})[method.toLowerCase()] = operationObject(operation, known.facts, { ids, named });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Holdfast', version: '1.0.0', description: OVERVIEW },
    servers: [{ url: publicUrl }],
    tags: [...new Set(resources.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks(events, named),
    components: {
      schemas: { ...schemas, Error: errorSchema },
      headers: HEADERS,
      responses: SHARED_RESPONSES,
      parameters: {
        IfMatch: {
          name: 'If-Match',
          in: 'header',
          description:
            'The version that is to be changed, as in the ETag. With another version the request fails ' +
            'with 412 `version_conflict`.',
          schema: { type: 'string', pattern: '^("?[0-9]{1,9}"?|\\*)$' },
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'A unique key for this request, such as a UUID. A repeat with the same key and body returns ' +
            'the original object without a second effect. A repeat with another body fails with 409 ' +
            '`idempotency_conflict`.',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
        },
      },
      securitySchemes: securitySchemes(publicUrl),
    },
  };
}
