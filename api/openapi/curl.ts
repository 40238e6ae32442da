import type { JsonSchema } from './json-schema.js';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A path with the examples of its parameters in their places, and those of the query behind it. */
function targetOf(path: string, parameters: JsonSchema[]): string {
  const given = parameters.filter(({ example }) => example !== undefined);
  const inPath = given.filter((parameter) => parameter.in === 'path');
  const filled = inPath.reduce((all, { name, example }) => all.replace(`{${name}}`, example), path);
  const query = given
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => [name, example]);
  return query.length > 0 ? `${filled}?${new URLSearchParams(query)}` : filled;
}

/** An operation's example as a shell command; the key is in `$API_KEY`. */
export function curlOf(server: string, method: string, path: string, operation: JsonSchema): string {
  const example = operation.requestBody?.content['application/json'].example;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(server + targetOf(path, operation.parameters ?? []))}`,
    operation.security.length > 0 && '-H "Authorization: Bearer $API_KEY"',
    example && "-H 'Content-Type: application/json'",
    example && `-d ${quoted(JSON.stringify(example, null, 2))}`,
  ];
  return lines.filter(Boolean).join(' \\\n  ');
}
