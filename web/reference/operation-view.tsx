import { Fragment } from 'preact';
import type { JsonSchema } from '../../api/openapi/json-schema.js';
import type { PathId } from '../../api/resources/shared/resource.js';
import { curlOf } from './curl.js';
import { anchorOfCode } from './error-codes.js';
import { Code } from './code.js';
import { Fields, FieldTable, Prose, typeOf } from './schema-view.js';

/** An operation with its method and path. */
export interface Endpoint {
  method: string;
  path: string;
  operation: JsonSchema;
}

/** All operations of a document, in its order. */
export const endpointsOf = (document: JsonSchema): Endpoint[] =>
  Object.entries<JsonSchema>(document.paths).flatMap(([path, operations]) =>
    Object.entries<JsonSchema>(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

export const Method = ({ method }: { method: string }) => <span class={`method ${method}`}>{method}</span>;

/** The required scope and roles. */
function Rights({ operation }: { operation: JsonSchema }) {
  const [{ apiKey: [scope] } = { apiKey: [] }] = operation.security;
  const roles: string[] = operation['x-roles'] ?? [];
  if (operation.security.length === 0) return <p class="soft">Requires no key.</p>;
  return (
    <p class="soft">
      {scope ? (
        <>
          Requires the scope <code>{scope}</code>
        </>
      ) : (
        'Requires a key with any scope'
      )}
      {roles.length > 0 &&
        ` and ${roles.length === 4 ? 'any role' : `the role ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(roles).replaceAll('_', ' ')}`}`}
      .
    </p>
  );
}

function Parameters({ operation, all }: { operation: JsonSchema; all: JsonSchema }) {
  const parameters = (operation.parameters ?? [])
    .map((parameter: JsonSchema) => (parameter.$ref ? all.IdempotencyKey : parameter))
    .filter((parameter: JsonSchema) => parameter.in !== 'path');
  if (parameters.length === 0) return null;
  return (
    <>
      <h4>
        {parameters.every((parameter: JsonSchema) => parameter.in === 'header') ? 'Headers' : 'Parameters'}
      </h4>
      <FieldTable
        request
        fields={parameters.map(({ name, schema, description, required = false }: JsonSchema) => ({
          name,
          schema: { ...schema, description },
          required,
        }))}
      />
    </>
  );
}

function Body({ operation }: { operation: JsonSchema }) {
  const schema = operation.requestBody?.content['application/json'].schema;
  if (!schema?.properties || Object.keys(schema.properties).length === 0) return null;
  return (
    <>
      <h4>Body{operation.requestBody.content['application/x-www-form-urlencoded'] && ', JSON or a form'}</h4>
      <Fields schema={schema} request />
    </>
  );
}

const codesIn = (response: JsonSchema): string[] =>
  response.$ref
    ? [response.$ref.split('/').at(-1)]
    : response.content['application/json'].schema.allOf[1].properties.error.properties.code.enum;

/** Errors that most operations have. The reference explains them with all other codes, in a section of its own. */
const COMMON_ERRORS = new Set(
  `auth_invalid https_required ip_not_allowed auth_scope_insufficient role_insufficient invalid_json payload_too_large
   unsupported_media_type rate_limited internal_error maintenance service_unavailable`.split(/\s+/),
);

function Responses({ operation }: { operation: JsonSchema }) {
  const responses = Object.entries<JsonSchema>(operation.responses);
  const successes = responses.filter(([status]) => Number(status) < 400);
  const failures = responses
    .map(([status, response]) => [status, Number(status) < 400 ? [] : codesIn(response)] as const)
    .map(([status, codes]) => [status, codes.filter((code) => !COMMON_ERRORS.has(code))] as const)
    .filter(([, codes]) => codes.length > 0);
  const [, first] = successes.find(([status]) => status !== '304') ?? [];
  const schema = first?.content?.['application/json']?.schema;
  return (
    <>
      <h4>Response</h4>
      <p>
        {successes.map(([status]) => status).join(', ')}
        {schema?.$ref && <>: {typeOf(schema)}</>}
        {first?.content && !schema && `: ${Object.keys(first.content)[0]}`}
      </p>
      {schema && !schema.$ref && <Fields schema={schema} />}
      {failures.length > 0 && (
        <ul class="codes">
          {failures.map(([status, codes]) => (
            <li key={status}>
              {status}{' '}
              {codes.map((code, n) => (
                <Fragment key={code}>
                  {n > 0 && ', '}
                  <a href={`#${anchorOfCode(code)}`}>
                    <code>{code}</code>
                  </a>
                </Fragment>
              ))}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The example of the response of the first request. */
function ExampleResponse({ operation }: { operation: JsonSchema }) {
  const status = operation.responses[201] ? 201 : 200;
  const example = operation.responses[status]?.content?.['application/json']?.example;
  return example ? <Code label={`Response ${status}`}>{JSON.stringify(example, null, 2)}</Code> : null;
}

/** One operation: its description, required rights, request, response and example. */
export function Operation(props: { endpoint: Endpoint; document: JsonSchema; ids: Record<string, PathId> }) {
  const { endpoint, document, ids } = props;
  const { method, path, operation } = endpoint;
  return (
    <article id={operation.operationId} data-find={`${method} ${path} ${operation.summary}`}>
      <h3>{operation.summary}</h3>
      <p class="path">
        <Method method={method} /> <code>{path}</code>
      </p>
      {operation.description && (
        <p>
          <Prose text={operation.description} />
        </p>
      )}
      <Rights operation={operation} />
      <Parameters operation={operation} all={document.components.parameters} />
      <Body operation={operation} />
      <Responses operation={operation} />
      <h4>Example</h4>
      <Code label="Request">{curlOf(document.servers[0].url, endpoint, ids)}</Code>
      <ExampleResponse operation={operation} />
    </article>
  );
}
