import type { JsonSchema } from '../../api/openapi/json-schema.js';

interface Operation {
  operationId: string;
  summary: string;
  security: Record<string, string[]>[];
  'x-roles'?: string[];
  parameters?: JsonSchema[];
  requestBody?: JsonSchema;
  responses: Record<string, JsonSchema>;
}

/** The API document. */
export interface OpenApi {
  info: { version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, JsonSchema> };
}
