import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { moduleFolder } from './go-modules.js';
import type { Manifest } from './manifests.js';

/** Where the schemas are published: the API of Kubernetes, and the autoscaler's own resources. */
const KUBERNETES = 'k8s.io/kubernetes@v1.34.2';
const KEDA = 'github.com/kedacore/keda/v2@v2.17.2';

interface Schema {
  [key: string]: unknown;
  properties?: Record<string, Schema>;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}
interface Definition {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
}

/** Like a schema, but unknown properties are errors, as with `kubectl apply --validate=strict`. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  const { format, ...own } = schema as Schema;
  if (format === 'int-or-string') return { type: ['integer', 'string'] };
  const inner = Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, key === 'required' ? value : strict(value)]),
  );
  return own.properties && !own.additionalProperties && !own['x-kubernetes-preserve-unknown-fields']
    ? { ...inner, additionalProperties: false }
    : inner;
}

const schemaId = (apiVersion: string, kind: string): string => `${apiVersion} ${kind}`;

/**
 * Reads the published schemas. Returns where a manifest does not conform, which includes a kind without a
 * schema.
 */
export function readSchemas(): (manifest: Manifest) => string[] {
  const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
  const schemas = new Map<string, () => ValidateFunction>();

  const { definitions } = JSON.parse(
    readFileSync(join(moduleFolder(KUBERNETES), 'api', 'openapi-spec', 'swagger.json'), 'utf8'),
  ) as { definitions: Record<string, Schema> };
  const properties = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [name, strict(schema)]),
  );
  ajv.addSchema({ $id: 'kubernetes', definitions: properties });
  for (const [name, schema] of Object.entries(definitions))
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
      const id = schemaId(group ? `${group}/${version}` : version, kind);
      schemas.set(id, () => ajv.getSchema(`kubernetes#/definitions/${name}`)!);
    }

  const folder = join(moduleFolder(KEDA), 'config', 'crd', 'bases');
  for (const file of ['keda.sh_scaledobjects.yaml', 'keda.sh_triggerauthentications.yaml']) {
    const { spec } = parse(readFileSync(join(folder, file), 'utf8')) as Definition;
    for (const { name, schema } of spec.versions) {
      const { properties: own, ...rest } = schema.openAPIV3Schema;
      // Its metadata is the same as for every object.
      const complete = { ...rest, properties: { ...own, metadata: {} } };
      schemas.set(schemaId(`${spec.group}/${name}`, spec.names.kind), () =>
        ajv.compile(strict(complete) as object),
      );
    }
  }

  return (manifest) => {
    const id = schemaId(manifest.apiVersion, manifest.kind);
    const validate = schemas.get(id)?.();
    if (!validate) return [`${id}: no schema`];
    validate(manifest);
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${id} ${manifest.metadata.name}: ${instancePath} ${message} ${params.additionalProperty ?? ''}`.trim(),
    );
  };
}
