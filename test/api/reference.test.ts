import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { addApiFormats } from '../support/api-formats.js';
import type { JsonSchema } from '../../api/openapi/json-schema.js';
import { contentOf, type Parameter } from '../../api/openapi/open-api.js';
import { document, router } from './described-api.js';
import { endpointsOf } from '../../web/reference/operation-view.js';

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

test('every operation that returns JSON has an example of it, which matches the schema', (t) => {
  for (const { method, path, operation } of endpointsOf(document)) {
    const { 200: ok, 201: created = ok } = operation.responses;
    const json = contentOf(created)?.['application/json'];
    if (!json) continue;
    const name = `${method} ${path}`;
    t.truthy(json.example, name);
    const status = operation.responses[201] ? 201 : 200;
    const at = `paths/${pointer(path)}/${method.toLowerCase()}/responses/${status}`;
    const validate = ajv.getSchema(`api#/${at}/content/application~1json/schema`)!;
    t.true(validate(JSON.parse(JSON.stringify(json.example))), `${name} ${ajv.errorsText(validate.errors)}`);
  }
});

test('every field and parameter has a description', (t) => {
  const { paths, components, webhooks } = document;
  t.deepEqual(undescribed({ components, paths, webhooks }, ''), []);
});

test('every route that changes something validates its body, and refuses unknown fields', (t) => {
  for (const [path, operations] of Object.entries(document.paths))
    for (const method of ['post', 'put', 'patch']) {
      const operation = operations[method];
      if (!operation) continue;
      const { content = {} } = operation.requestBody ?? {};
      if (content['image/png']) continue;
      t.is(content['application/json']?.schema.additionalProperties, false, `${method} ${path}`);
    }
});

test('a path that is a route of its own has only its own methods', (t) => {
  for (const [path, operations] of Object.entries(document.paths)) {
    if (path.includes('{')) continue;
    const methods = router.match(path, 'OPTIONS').path.flatMap((layer) => layer.methods);
    const described = Object.keys(operations).map((method) => method.toUpperCase());
    t.deepEqual(methods.filter((method) => method !== 'HEAD').sort(), described.sort(), path);
  }
});
