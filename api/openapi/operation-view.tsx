import { curlOf } from './curl.js';
import type { JsonSchema } from './json-schema.js';
import { Fields, FieldTable, Prose, typeOf } from './schema-view.js';

/** An operation and where it is. */
export interface Placed {
  method: string;
  path: string;
  operation: JsonSchema;
}

/** All operations of a document, in its order. */
export const placed = (document: JsonSchema): Placed[] =>
  Object.entries<JsonSchema>(document.paths).flatMap(([path, operations]) =>
    Object.entries<JsonSchema>(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

export const Method = ({ method }: { method: string }) => <span class={`method ${method}`}>{method}</span>;

/** Who may: the scope and the roles. */
function Rights({ operation }: { operation: JsonSchema }) {
  const [{ apiKey: [scope] } = { apiKey: [] }] = operation.security;
  const roles: string[] = operation['x-roles'] ?? [];
  if (operation.security.length === 0) return <p class="soft">Needs no key.</p>;
  return (
    <p class="soft">
      {scope ? (
        <>
          Scope <code>{scope}</code>
        </>
      ) : (
        'Any scope'
      )}
      {roles.length > 0 && `; ${roles.length === 4 ? 'every role' : roles.join(', ').replaceAll('_', ' ')}`}.
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
        asked
        fields={parameters.map(({ name, schema, required = false }: JsonSchema) => ({
          name,
          schema,
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
      <Fields schema={schema} asked />
    </>
  );
}

const codesIn = (response: JsonSchema): string[] =>
  response.$ref
    ? [response.$ref.split('/').at(-1)]
    : response.content['application/json'].schema.allOf[1].properties.error.properties.code.enum;

/** What every operation can answer is said once, at the top. */
const EVERYWHERE = new Set(
  `auth_invalid https_required ip_not_allowed auth_scope_insufficient role_insufficient invalid_json payload_too_large
   unsupported_media_type rate_limited internal_error maintenance service_unavailable`.split(/\s+/),
);

function Answers({ operation }: { operation: JsonSchema }) {
  const responses = Object.entries<JsonSchema>(operation.responses);
  const good = responses.filter(([status]) => Number(status) < 400);
  const bad = responses
    .map(([status, response]) => [status, Number(status) < 400 ? [] : codesIn(response)] as const)
    .map(([status, codes]) => [status, codes.filter((code) => !EVERYWHERE.has(code))] as const)
    .filter(([, codes]) => codes.length > 0);
  const [, first] = good.find(([status]) => status !== '304') ?? [];
  const schema = first?.content?.['application/json']?.schema;
  return (
    <>
      <h4>Answer</h4>
      <p>
        {good.map(([status]) => status).join(', ')}
        {schema?.$ref && <>: {typeOf(schema)}</>}
        {first?.content && !schema && `: ${Object.keys(first.content)[0]}`}
      </p>
      {schema && !schema.$ref && <Fields schema={schema} />}
      {bad.length > 0 && (
        <ul class="codes">
          {bad.map(([status, codes]) => (
            <li key={status}>
              {status} <Prose text={codes.map((code) => `\`${code}\``).join(', ')} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** One operation: what it does, who may, what it takes and answers, and how to try it. */
export function Operation({ at, document }: { at: Placed; document: JsonSchema }) {
  const { method, path, operation } = at;
  return (
    <article id={operation.operationId}>
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
      <Answers operation={operation} />
      <pre>
        <code>{curlOf(document.servers[0].url, method, path, operation)}</code>
      </pre>
    </article>
  );
}
