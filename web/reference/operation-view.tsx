import { Fragment } from 'preact';
import {
  responseContent,
  isReference,
  type OpenApi,
  type OpenApiOperation as Described,
} from '../../api/openapi/open-api.js';
import type { PathId } from '../../api/resources/shared/resource.js';
import { curlExample } from './curl.js';
import { anchorOfCode } from './error-codes.js';
import { Code } from './code.js';
import { Fields, FieldTable, MarkedText, describeType } from './schema-view.js';

/** An operation with its method and path. */
export interface Endpoint {
  method: string;
  path: string;
  operation: Described;
}

/** All operations of a document, in its order. */
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

/** The required scope and roles. */
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
  const parameters = (operation.parameters ?? [])
    .map((parameter) => (isReference(parameter) ? all[parameter.$ref.split('/').at(-1)!]! : parameter))
    .filter((parameter) => parameter.in !== 'path');
  if (parameters.length === 0) return null;
  return (
    <>
      <h4>{parameters.every((parameter) => parameter.in === 'header') ? 'Headers' : 'Parameters'}</h4>
      <FieldTable
        request
        fields={parameters.map(({ name, schema, description, required = false }) => ({
          name,
          schema: { ...schema, description },
          required,
        }))}
      />
    </>
  );
}

function Body({ operation }: { operation: Described }) {
  const { content } = operation.requestBody ?? {};
  const schema = content?.['application/json']?.schema;
  if (!content || !schema?.properties || Object.keys(schema.properties).length === 0) return null;
  return (
    <>
      <h4>Body{content['application/x-www-form-urlencoded'] && ', JSON or a form'}</h4>
      <Fields schema={schema} request />
    </>
  );
}

/** The codes of an error response: the name of a shared one, or those that its schema lists. */
function codesIn(response: Described['responses'][string]): string[] {
  if (isReference(response)) return [response.$ref.split('/').at(-1)!];
  const [, narrowed] = response.content!['application/json']!.schema.allOf!;
  return narrowed!.properties!.error!.properties!.code!.enum as string[];
}

/**
 * Errors that most operations have. The reference explains them with all other codes, in a separate section.
 */
const COMMON_ERRORS = new Set(
  `auth_invalid https_required ip_not_allowed auth_scope_insufficient role_insufficient
   invalid_json payload_too_large unsupported_media_type rate_limited internal_error
   maintenance service_unavailable`.split(/\s+/),
);

function Responses({ operation }: { operation: Described }) {
  const responses = Object.entries(operation.responses);
  const successes = responses.filter(([status]) => Number(status) < 400);
  const failures = responses
    .map(([status, response]) => [status, Number(status) < 400 ? [] : codesIn(response)] as const)
    .map(([status, codes]) => [status, codes.filter((code) => !COMMON_ERRORS.has(code))] as const)
    .filter(([, codes]) => codes.length > 0);
  const [, first] = successes.find(([status]) => status !== '304') ?? [];
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
    <article id={operation.operationId} data-find={`${method} ${path} ${operation.summary}`}>
      <h3>{operation.summary}</h3>
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
      <Body operation={operation} />
      <Responses operation={operation} />
      <h4>Example</h4>
      <Code label="Request">{curlExample(document.servers[0]!.url, endpoint, ids)}</Code>
      <ExampleResponse operation={operation} />
    </article>
  );
}
