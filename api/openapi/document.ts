import type Router from '@koa/router';
import { CAPABILITIES } from '../../domain/policies.js';
import { mergeFacts, type RouteFacts } from '../http/route-facts.js';
import type { PathId, ResourceDescription } from '../resources/shared/resource.js';
import { TAGS } from '../resources/shared/tags.js';
import { createWriter, type Writer } from './components.js';
import { errorExamples } from './error-examples.js';
import { failure, listErrorCodes } from './errors.js';
import { HEADERS } from './headers.js';
import { describeDeprecated } from './json-schema.js';
import type { OpenApi, OpenApiOperation, Response } from './open-api.js';
import { listOperations, collectPathIds, type DescribedOperation } from './operations.js';
import { OVERVIEW } from './overview.js';
import { listParameters, requestBody, uploadBody } from './request.js';
import { RELEASE } from './release.js';
import { buildResponses } from './responses.js';
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

/** `List a room's API keys` → `listRoomsApiKeys`. */
const toOperationId = (summary: string): string =>
  summary
    .replace(/'s\b/g, 's')
    .split(/\W+/)
    .filter((word) => !/^(an?|the)$/i.test(word))
    .map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
    .map((word, n) => (n === 0 ? word.toLowerCase() : word[0]!.toUpperCase() + word.slice(1)))
    .join('');

function operationObject(
  operation: DescribedOperation,
  facts: RouteFacts,
  context: { ids: Record<string, PathId>; writer: Writer; shared: Record<string, Response> },
): OpenApiOperation {
  const { ids, writer } = context;
  const { tag, summary, id = toOperationId(summary), description, deprecated } = operation;
  const parameters = listParameters(operation, facts, context);
  const body = operation.upload ? uploadBody(operation.upload) : requestBody(facts, operation.body, writer);
  return {
    tags: [tag],
    operationId: id,
    summary,
    ...(description && { description }),
    ...(deprecated && describeDeprecated(description, deprecated)),
    security: buildSecurity(facts),
    ...(facts.capability && { 'x-roles': CAPABILITIES[facts.capability] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: buildResponses(operation, listErrorCodes(operation, facts, ids), context),
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
  const writer = createWriter();
  const shared: Record<string, Response> = {};
  writer.add('Error', writer.response(failure));
  writer.add('Event', writer.response(anyEventSchema(events)));
  const paths: OpenApi['paths'] = {};
  for (const operation of listOperations(resources)) {
    const known = routes.find(({ route }) => route === operation.route);
    if (!known) continue;
    const [method, path] = operation.route.split(' ') as [string, string];
    const template = path.replace(/:(\w+)/g, '{$1}');
    (paths[template] ??= {})[method.toLowerCase()] = operationObject(operation, known.facts, {
      ids,
      writer,
      shared,
    });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Holdfast', version: RELEASE, description: OVERVIEW },
    servers: [{ url: publicUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeWebhooks(events, writer),
    components: {
      schemas: writer.schemas(),
      headers: HEADERS,
      examples: errorExamples(),
      responses: shared,
      parameters: {
        IfMatch: {
          name: 'If-Match',
          in: 'header',
          description:
            'The version to change, from the ETag. If it is not the current version, the request ' +
            'fails with 412 `version_conflict`.',
          schema: { type: 'string', pattern: '^("?[0-9]{1,9}"?|\\*)$' },
        },
        IfNoneMatch: {
          name: 'If-None-Match',
          in: 'header',
          description: 'An earlier ETag. If it is still current, the response is a 304 without a body.',
          schema: { type: 'string' },
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'A unique key for this request, such as a UUID. A repeat with the same key and body has ' +
            'no further effect and returns the object that the first request created or changed. A ' +
            'repeat with another body fails with 409 `idempotency_conflict`.',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
        },
      },
      securitySchemes: securitySchemes(publicUrl),
    },
  };
}
