import { EXAMPLE_IDS, EXAMPLE_KEY } from './examples.js';
import type { JsonSchema } from './json-schema.js';

/** What stands in a command where the document has an id that is nobody's: a shell variable for one's own. */
const OWN: [example: string, shell: string][] = [
  ...Object.entries(EXAMPLE_IDS).map(([thing, id]): [string, string] => [id, `$${thing.toUpperCase()}_ID`]),
  [EXAMPLE_KEY, '$(uuidgen)'],
];

const single = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Text in which the shell puts the variables in, and changes nothing else; null where there is none. */
function expanding(text: string): string | null {
  const escaped = text.replace(/[\\$`]/g, String.raw`\$&`);
  const shell = OWN.reduce((all, [example, own]) => all.replaceAll(example, own), escaped);
  return shell === escaped ? null : shell;
}

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

/** A URL has no quotes of either kind. */
function quotedUrl(url: string): string {
  const shell = expanding(url);
  return shell ? `"${shell}"` : single(url);
}

function dataOf(json: string): string {
  const shell = expanding(json);
  return shell ? `-d @- <<JSON\n${shell}\nJSON` : `-d ${single(json)}`;
}

/** An operation's example as a shell command; the key is in `$API_KEY`, ids of one's own in `$ROOM_ID` and the like. */
export function curlOf(server: string, method: string, path: string, operation: JsonSchema): string {
  const example = operation.requestBody?.content['application/json'].example;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quotedUrl(server + targetOf(path, operation.parameters ?? []))}`,
    operation.security.length > 0 && '-H "Authorization: Bearer $API_KEY"',
    example && "-H 'Content-Type: application/json'",
    example && dataOf(JSON.stringify(example, null, 2)),
  ];
  return lines.filter(Boolean).join(' \\\n  ');
}
