import type { ResourceDescription } from '../resources/shared/resource.js';
import * as s from '../resources/shared/shapes.js';
import { RELEASE } from './release.js';

/**
 * The API document itself. It is not a `Resource`, because its routes need all other resources; see
 * `routes.ts`.
 */
export const reference: ResourceDescription = {
  tag: 'Reference',
  operations: [
    {
      route: 'GET /v1/openapi.json',
      summary: 'Get this document',
      id: 'getApiDocument',
      description: 'Returns the OpenAPI 3.1 document of this API.',
      etag: true,
      responses: { 200: s.anyObject, 304: null },
      examples: {
        response: { openapi: '3.1.0', info: { title: 'Holdfast', version: RELEASE }, paths: {} },
      },
    },
  ],
};
