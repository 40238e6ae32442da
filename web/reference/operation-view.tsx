import { Fragment } from 'preact';
import { listCodes } from '../../api/openapi/responses.js';
import {
  resolveSchema,
  responseContent,
  isReference,
  type OpenApi,
  type OpenApiOperation as Described,
} from '../../api/openapi/open-api.js';
import type { PathId } from '../../api/resources/shared/resource.js';
import { curlExample } from './curl.js';
import { anchorOfCode } from './error-codes.js';
import { anchorOfHeader } from './response-headers.js';
import { Code } from './code.js';
import { Codes, Fields, FieldTable, MarkedText, describeType } from './schema-view.js';

export interface Endpoint {
  method: string;
  path: string;
  operation: Described;
}

export const listEndpoints = (document: OpenApi): Endpoint[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

export const Method = ({ method }: { method: string }) => <span class={`method ${method}`}>{method}</span>;

const ANY_OF = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function Rights({ operation }: { operation: Described }) {
  const scope = operation.security[0]?.apiKey?.[0];
  const roles = operation['x-roles'] ?? [];
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
        ` and ${roles.length === 4 ? 'any role' : `the role ${ANY_OF.format(roles).replaceAll('_', ' ')}`}`}
      .
    </p>
  );
}

function Parameters({ operation, all }: { operation: Described; all: OpenApi['components']['parameters'] }) {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    isReference(parameter) ? all[parameter.$ref.split('/').at(-1)!]! : parameter,
  );
  return [
    ['Parameters', 'query'],
    ['Headers', 'header'],
  ].map(([title, place]) => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, description, deprecated, required = false }) => ({
        name,
        schema: { ...schema, description, deprecated },
        required,
      }));
    if (fields.length === 0) return null;
    return (
      <Fragment key={title}>
        <h4>{title}</h4>
        <FieldTable request fields={fields} />
      </Fragment>
    );
  });
}

function Body({ operation, document }: { operation: Described; document: OpenApi }) {
  const { content } = operation.requestBody ?? {};
  const json = content?.['application/json'];
  const schema = json && resolveSchema(document, json.schema);
  if (!content || !schema?.properties || Object.keys(schema.properties).length === 0) return null;
  return (
    <>
      <h4>Body{content['application/x-www-form-urlencoded'] && ', JSON or a form'}</h4>
      <Fields schema={schema} request />
    </>
  );
}

/**
 * Errors that most operations have. The reference explains them with all other codes, in a separate section.
 */
const COMMON_ERRORS = new Set(
  `auth_invalid https_required ip_not_allowed auth_scope_insufficient role_insufficient
   invalid_json payload_too_large unsupported_media_type rate_limited internal_error
   maintenance service_unavailable`.split(/\s+/),
);

const headersIn = (response: Described['responses'][string]): string[] =>
  isReference(response) ? [] : Object.keys(response.headers ?? {});

/** The headers of a response, each with a link to what it is. */
const HeaderNames = ({ names }: { names: readonly string[] }) => (
  <p class="soft">
    Headers: <Codes of={names} link={(name) => `#${anchorOfHeader(name)}`} />
  </p>
);

function Responses({ operation, document }: { operation: Described; document: OpenApi }) {
  const responses = Object.entries(operation.responses);
  const successes = responses.filter(([status]) => Number(status) < 400);
  const failures = responses
    .map(([status, response]) => [status, Number(status) < 400 ? [] : listCodes(document, response)] as const)
    .map(([status, codes]) => [status, codes.filter((code) => !COMMON_ERRORS.has(code))] as const)
    .filter(([, codes]) => codes.length > 0);
  const [, first] = successes.find(([status]) => status !== '304') ?? [];
  const headers = [...new Set(successes.flatMap(([, response]) => headersIn(response)))];
  const content = responseContent(first);
  const schema = content?.['application/json']?.schema;
  return (
    <>
      <h4>Response</h4>
      <p>
        {successes.map(([status]) => status).join(', ')}
        {schema?.$ref && <>: {describeType(schema)}</>}
        {content && !schema && `: ${Object.keys(content)[0]}`}
      </p>
      {schema && !schema.$ref && <Fields schema={schema} />}
      <HeaderNames names={headers} />
      {failures.length > 0 && (
        <ul>
          {failures.map(([status, codes]) => (
            <li key={status}>
              {status} <Codes of={codes} link={(code) => `#${anchorOfCode(code)}`} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The example response to a request that is sent for the first time, not a repeat. */
function ExampleResponse({ operation }: { operation: Described }) {
  const status = operation.responses[201] ? 201 : 200;
  const example = responseContent(operation.responses[status])?.['application/json']?.example;
  return example ? <Code label={`Response ${status}`}>{JSON.stringify(example, null, 2)}</Code> : null;
}

/** One operation: its description, required rights, request, response and example. */
export function OperationView(props: { endpoint: Endpoint; document: OpenApi; ids: Record<string, PathId> }) {
  const { endpoint, document, ids } = props;
  const { method, path, operation } = endpoint;
  return (
    <article class="card" id={operation.operationId} data-find={`${method} ${path} ${operation.summary}`}>
      <h3>
        {operation.summary}
        {operation.deprecated && <span class="soft"> deprecated</span>}
      </h3>
      <p class="path">
        <Method method={method} /> <code>{path}</code>
      </p>
      {operation.description && (
        <p>
          <MarkedText text={operation.description} />
        </p>
      )}
      <Rights operation={operation} />
      <Parameters operation={operation} all={document.components.parameters} />
      <Body operation={operation} document={document} />
      <Responses operation={operation} document={document} />
      <h4>Example</h4>
      <Code label="Request">{curlExample(document.servers[0]!.url, endpoint, ids)}</Code>
      <ExampleResponse operation={operation} />
    </article>
  );
}
