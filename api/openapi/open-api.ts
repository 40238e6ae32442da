import type { JsonSchema } from './json-schema.js';

export interface Reference {
  $ref: string;
}

/** A body in one media type. */
export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  /** By name, in place of a single one. */
  examples?: Record<string, Reference>;
}

/** An example that is referenced. */
export interface Example {
  summary: string;
  value: unknown;
}

export type Content = Record<string, MediaType>;
export type JsonContent = Content & { 'application/json': MediaType };

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  deprecated?: boolean;
  style?: 'deepObject';
  explode?: true;
  schema: JsonSchema;
  example?: string | number;
}

export interface Header {
  required: boolean;
  description: string;
  schema: JsonSchema;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Content;
}

export interface RequestBody {
  required: boolean;
  content: JsonContent;
}

/** A body that is a file, without `application/json`. */
export interface FileBody {
  required: boolean;
  content: Content;
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  'x-sunset'?: string;
  tags: string[];
  security: Record<string, string[]>[];
  'x-roles'?: readonly string[];
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody | FileBody;
  responses: Record<string, Response | Reference>;
}

/** The API document: the parts of OpenAPI 3.1 that it uses. */
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<
    string,
    { post: Omit<OpenApiOperation, 'security' | 'requestBody'> & { requestBody: RequestBody } }
  >;
  components: {
    schemas: Record<string, JsonSchema>;
    headers: Record<string, Header>;
    examples: Record<string, Example>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
    securitySchemes: Record<string, object>;
  };
}

/** The bodies of a response, which is no reference. */
export const responseContent = (response: Response | Reference | undefined): Content | undefined =>
  response && !isReference(response) ? response.content : undefined;

export const isReference = (part: object): part is Reference => '$ref' in part;

/** A schema, also if it is a reference to a component. */
export const resolveSchema = ({ components }: OpenApi, schema: JsonSchema): JsonSchema =>
  schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
