import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../api/openapi/json-schema.js';
import { responseContent, type Parameter } from '../../api/openapi/open-api.js';
import { document, router } from '../../test/support/described-api.js';
import { addApiFormats } from '../../test/support/api-formats.js';
import { listEndpoints } from '../../web/reference/operation-view.js';
import { differences, unless, type Rule } from './rule.js';

/** The fields and parameters without a description, by their place in the document. */
function undescribed(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { in: place, description, properties } = node as JsonSchema & Partial<Parameter>;
  // Error responses narrow a described schema to some codes.
  if (/\/(example|responses\/[^/]+\/content\/application\/json\/schema\/allOf)$/.test(path)) return [];
  return [
    ...(typeof place === 'string' && !description ? [path] : []),
    ...Object.entries(typeof properties === 'object' ? properties : {})
      .filter(([, field]) => !field.description)
      .map(([name]) => `${path}.${name}`),
    ...Object.entries(node).flatMap(([key, inner]) => undescribed(inner, `${path}/${key}`)),
  ];
}

const ajv = new Ajv2020({ strict: false, validateSchema: false });
addApiFormats(ajv);
ajv.addSchema(document, 'api');
const pointer = (part: string): string => encodeURIComponent(part.replaceAll('/', '~1'));

/** The API document describes every field, and has a valid example of every response. */
export const apiDocument: Rule = {
  name: 'API document',
  *check() {
    const { paths, components, webhooks } = document;
    for (const path of undescribed({ components, paths, webhooks }, '')) yield `${path} has no description`;
    for (const { method, path, operation } of listEndpoints(document)) {
      const name = `${method} ${path}`;
      if (['POST', 'PUT', 'PATCH'].includes(method)) {
        const { content = {} } = operation.requestBody ?? {};
        const schema = content['application/json']?.schema;
        yield* unless(
          schema?.additionalProperties === false || 'image/png' in content,
          `${name} accepts unknown fields`,
        );
      }
      const { 200: ok, 201: created = ok } = operation.responses;
      const json = responseContent(created)?.['application/json'];
      if (!json) continue;
      const status = operation.responses[201] ? 201 : 200;
      const at = `paths/${pointer(path)}/${method.toLowerCase()}/responses/${status}`;
      const validate = ajv.getSchema(`api#/${at}/content/application~1json/schema`)!;
      const example: unknown = json.example && JSON.parse(JSON.stringify(json.example));
      yield* unless(validate(example) === true, `${name}: the example: ${ajv.errorsText(validate.errors)}`);
    }
    for (const [path, operations] of Object.entries(paths)) {
      // One without parameters is a route of its own.
      if (path.includes('{')) continue;
      const methods = new Set(router.match(path, 'OPTIONS').path.flatMap((layer) => layer.methods));
      methods.delete('HEAD');
      yield* differences(
        path,
        [...methods],
        Object.keys(operations).map((method) => method.toUpperCase()),
      );
    }
  },
};
