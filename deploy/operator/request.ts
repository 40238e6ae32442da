import { parseArgs } from 'node:util';
import { COMMANDS, flagName, commandName, formatUsage, type Command } from './commands.js';

/** An error for the person at the terminal, in whole sentences. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** All commands with their flags. */
export const HELP = [
  'npm run operator -- <command>, one of:',
  ...COMMANDS.flatMap((command) => ['', `  ${formatUsage(command)}`, `      ${command.does}.`]),
  '',
  '--operator="Your Name" names you in the audit log; the default is your user name.',
].join('\n');

/** The request for these arguments: `{action, operator, …}`. Errors: `OperatorError`. */
export function parseRequest(args: string[], userName: string): Record<string, unknown> {
  const [name, ...rest] = args;
  const command = COMMANDS.find((each) => commandName(each) === name);
  if (!command)
    throw new OperatorError(`${name ? `There is no command ${name}.` : 'Name a command.'}\n\n${HELP}`);
  const values = parseFlags(command, rest);
  const missing = command.flags.filter((flag) => flag.required && values[flagName(flag)] === undefined);
  if (missing.length > 0)
    throw new OperatorError(
      `${name} needs ${missing.map((flag) => `--${flagName(flag)}`).join(' and ')}.\n\n  ` +
        `${formatUsage(command)}`,
    );
  const fields = command.flags.map((flag) => [flag.field, values[flagName(flag)]] as const);
  return {
    action: command.action,
    operator: values.operator ?? userName,
    ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
  };
}

function parseFlags(command: Command, args: string[]): Record<string, string | boolean | undefined> {
  const flags = command.flags.map(
    (flag) => [flagName(flag), { type: flag.value ? ('string' as const) : ('boolean' as const) }] as const,
  );
  try {
    const options = { ...Object.fromEntries(flags), operator: { type: 'string' as const } };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n  ${formatUsage(command)}`);
  }
}

/** Where the API serves internal actions. */
export interface InternalApi {
  url: string;
  token: string;
}

interface ApiFailure {
  error: { code: string; message: string; param?: string; request_id: string };
}

/** Sends an internal action to the API. Returns its response. Errors: `OperatorError`. */
export async function ask({ url, token }: InternalApi, request: Record<string, unknown>): Promise<unknown> {
  const response = await fetch(new URL('/internal/actions', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  }).catch((error: Error & { cause?: Error }) => {
    throw new OperatorError(
      `The API does not respond at ${url} (${error.cause?.message ?? error.message}). It serves internal ` +
        'actions only on INTERNAL_HOST and INTERNAL_PORT of its own process: run this where the API runs.',
    );
  });
  const text = await response.text();
  const body = parseJson(text);
  if (response.ok) return body;
  if (response.status === 401)
    throw new OperatorError('The API refuses the token: set INTERNAL_TOKEN to that of the API process.');
  const failure = (body as ApiFailure | null)?.error;
  if (!failure)
    throw new OperatorError(`${url} is not the API of this service: it responded with ${response.status}.`);
  const field = failure.param ? ` (--${failure.param.replaceAll('_', '-')})` : '';
  throw new OperatorError(`${failure.message}${field}\n${failure.code}, request ${failure.request_id}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
