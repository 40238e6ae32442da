import { isReference, type OpenApiOperation } from '../../api/openapi/open-api.js';
import { EXAMPLE_KEY } from '../../api/resources/shared/examples.js';
import type { PathId } from '../../api/resources/shared/resource.js';

/**
 * Shell expressions for the values that readers must replace by their own: `$ROOM_ID`
 * for a room's example id.
 */
const placeholdersFor = (ids: Record<string, PathId>): [example: string, shell: string][] => [
  ...Object.values(ids)
    // The token of a link begins with the id of its object.
    .sort((a, b) => b.example.length - a.example.length)
    .map(({ name, example }): [string, string] => [example, `$${name.toUpperCase()}_ID`]),
  [EXAMPLE_KEY, '$NEW_UUID'],
];

const singleQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Text with placeholders for the shell to expand and everything else escaped; null if
 * there is no placeholder.
 */
function withPlaceholders(text: string, ids: Record<string, PathId>): string | null {
  const escaped = text.replace(/[\\$`]/g, String.raw`\$&`);
  const shell = placeholdersFor(ids).reduce(
    (all, [example, variable]) => all.replaceAll(example, variable),
    escaped,
  );
  return shell === escaped ? null : shell;
}

/** A path with its parameters' examples, and the examples of its query. */
function exampleTarget(path: string, { parameters = [] }: OpenApiOperation): string {
  const given = parameters.flatMap((parameter) =>
    isReference(parameter) || parameter.example === undefined
      ? []
      : [{ ...parameter, example: String(parameter.example) }],
  );
  const inPath = given.filter((parameter) => parameter.in === 'path');
  const filled = inPath.reduce((all, { name, example }) => all.replace(`{${name}}`, example), path);
  const query = given
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => [name, example]);
  return query.length > 0 ? `${filled}?${new URLSearchParams(query)}` : filled;
}

/** A URL contains no quotes. */
function quotedUrl(url: string, ids: Record<string, PathId>): string {
  const shell = withPlaceholders(url, ids);
  return shell ? `"${shell}"` : singleQuoted(url);
}

function curlData(json: string, ids: Record<string, PathId>): string {
  const shell = withPlaceholders(json, ids);
  return shell ? `-d @- <<JSON\n${shell}\nJSON` : `-d ${singleQuoted(json)}`;
}

/** Sets `NEW_UUID` to a random UUID (version 4), with programs that every POSIX system has. */
const NEW_UUID = String.raw`NEW_UUID=$(od -An -N16 -tx2 /dev/urandom | awk '{
  print $1 $2 "-" $3 "-4" substr($4, 2) "-a" substr($5, 2) "-" $6 $7 $8 }')`;

/** The variable with the key that an operation takes. */
const keyVariable = ({ security: [first] }: OpenApiOperation): string =>
  'publishableKey' in first! ? '$PUBLISHABLE_KEY' : '$API_KEY';

/**
 * The example of an operation as a shell command, with the key in `$API_KEY` or `$PUBLISHABLE_KEY` and ids in
 * variables such as `$ROOM_ID`.
 */
export function curlExample(
  server: string,
  { method, path, operation }: { method: string; path: string; operation: OpenApiOperation },
  ids: Record<string, PathId>,
): string {
  const { content = {} } = operation.requestBody ?? {};
  const example = content['application/json']?.example;
  const [file] = Object.keys(content).filter((type) => type.startsWith('image/'));
  const url = server + exampleTarget(path, operation);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quotedUrl(url, ids)}`,
    operation.security.length > 0 && `-H "Authorization: Bearer ${keyVariable(operation)}"`,
    example && "-H 'Content-Type: application/json'",
    file && `-H 'Content-Type: ${file}'`,
    file && `--data-binary @picture.${file.split('/')[1]}`,
    example && curlData(JSON.stringify(example, null, 2), ids),
  ];
  const command = lines.filter(Boolean).join(' \\\n  ');
  return command.includes('$NEW_UUID') ? `${NEW_UUID}\n${command}` : command;
}
