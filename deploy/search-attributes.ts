import type { Connection } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
import type { NativeConnection } from '@temporalio/worker';
import { searchAttributes } from '../contract/search-attributes.js';
import { MINUTE_MS } from '../domain/durations.js';

type Key = (typeof searchAttributes)[keyof typeof searchAttributes];
type Services = Pick<Connection | NativeConnection, 'workflowService' | 'operatorService'>;

const KEYS: Key[] = Object.values(searchAttributes);
/** gRPC status codes. */
const STATUS = {
  INVALID_ARGUMENT: 3,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  UNIMPLEMENTED: 12,
  UNAUTHENTICATED: 16,
};
/** With these, Temporal Cloud and clusters behind an authorizer refuse the operator service. */
const NOT_ALLOWED = [STATUS.PERMISSION_DENIED, STATUS.UNIMPLEMENTED, STATUS.UNAUTHENTICATED];
const errorCode = (error: unknown): number => (error as { code?: number }).code ?? -1;
/** True if Temporal refuses a call because of its credentials, whatever the call contains. */
export const isNotAllowed = (error: unknown): boolean => NOT_ALLOWED.includes(errorCode(error));
/** A new search attribute is available on all hosts of a cluster after some seconds. */
const KNOWN_WITHIN_MS = MINUTE_MS;
const PAUSE_MS = 500;

/**
 * True if the namespace has these search attributes: a query with an unknown one is refused. This needs no
 * more rights than the worker has, and works on Temporal Cloud too.
 */
export async function knowsSearchAttributes(
  { workflowService }: Pick<Services, 'workflowService'>,
  namespace: string,
  keys: Key[] = KEYS,
): Promise<boolean> {
  const query = keys.map(({ name }) => `${name} IS NOT NULL`).join(' AND ');
  try {
    await workflowService.countWorkflowExecutions({ namespace, query });
    return true;
  } catch (error) {
    if (errorCode(error) === STATUS.INVALID_ARGUMENT) return false;
    throw error;
  }
}

/** The search attributes that the namespace doesn't have yet. */
async function findMissing(services: Services, namespace: string): Promise<Key[]> {
  if (await knowsSearchAttributes(services, namespace)) return [];
  const known = await Promise.all(KEYS.map((key) => knowsSearchAttributes(services, namespace, [key])));
  return KEYS.filter((_, index) => !known[index]);
}

const CLOUD_TYPES: Record<Key['type'], string> = {
  KEYWORD: 'Keyword',
  DATETIME: 'Datetime',
  BOOL: 'Bool',
};

/** The commands that create search attributes on Temporal Cloud, where the service itself may not do so. */
const tcldCommands = (namespace: string, keys: Key[] = KEYS): string[] =>
  keys.map(
    ({ name, type }) =>
      `tcld namespace search-attributes add --namespace ${namespace} ` +
      `--search-attribute "${name}=${CLOUD_TYPES[type]}"`,
  );

/**
 * The service may not create search attributes in this namespace. The message contains the commands that
 * create them.
 */
class SearchAttributesNotAllowed extends Error {
  constructor(namespace: string, keys: Key[]) {
    const names = keys.map(({ name }) => name).join(', ');
    const commands = tcldCommands(namespace, keys).join('\n');
    super(
      `The namespace ${namespace} lacks the search attributes ${names}, and these credentials may ` +
        'not create them. Create them in the Temporal Cloud UI, with the Temporal CLI of the ' +
        `cluster, or with tcld:\n${commands}\n`,
    );
  }
}

/**
 * Creates the search attributes that the namespace lacks, and waits until it has them. Returns their names.
 */
export async function ensureSearchAttributes(services: Services, namespace: string): Promise<string[]> {
  const missing = await findMissing(services, namespace);
  if (missing.length === 0) return [];
  try {
    await services.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(
        missing.map((key) => [key.name, encodeSearchAttributeIndexedValueType(key.type)!]),
      ),
    });
  } catch (error) {
    if (isNotAllowed(error)) throw new SearchAttributesNotAllowed(namespace, missing);
    // Another deployment may be creating them at the same time.
    if (errorCode(error) !== STATUS.ALREADY_EXISTS) throw error;
  }
  const deadline = Date.now() + KNOWN_WITHIN_MS;
  while (!(await knowsSearchAttributes(services, namespace))) {
    if (Date.now() > deadline)
      throw new Error(
        `The new search attributes of the namespace ${namespace} are not available yet. Run this again.`,
      );
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return missing.map(({ name }) => name);
}
