import { TypedSearchAttributes, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { searchAttributes } from './search-attributes.js';

/**
 * How long a workflow task of a checkout's run may take without a sign of its worker. It contains one call to
 * the processor, of at most 6 s, that a client waits for. If the worker dies, another one must repeat the
 * task within the client's 14 s.
 */
export const CHECKOUT_TASK = { workflowTaskTimeout: '8 seconds' } as const;

const { ALLOW_DUPLICATE, REJECT_DUPLICATE } = WorkflowIdReusePolicy;
const { USE_EXISTING, FAIL } = WorkflowIdConflictPolicy;

/** Joins a running workflow with the same id; runs a finished one again. The default policy of all starts. */
const JOIN = { workflowIdConflictPolicy: USE_EXISTING, workflowIdReusePolicy: ALLOW_DUPLICATE };
/** Joins a running workflow with the same id; never runs a finished one again. */
export const ONCE = { workflowIdConflictPolicy: USE_EXISTING, workflowIdReusePolicy: REJECT_DUPLICATE };
/** Fails with `WorkflowExecutionAlreadyStartedError` if a workflow with the same id is running. */
export const IF_MISSING = { workflowIdConflictPolicy: FAIL, workflowIdReusePolicy: ALLOW_DUPLICATE };

/** The workspace of a run, by which operators search and the dashboard finds runs that need attention. */
const ofWorkspace = (workspaceId: string): TypedSearchAttributes =>
  new TypedSearchAttributes([{ key: searchAttributes.workspace, value: workspaceId }]);

/** Returns an id for workflows of which several can run concurrently. */
export const uniqueId = (prefix: string): string =>
  `${prefix}-${Date.now()}-${Math.floor(Math.random() * 1_000_000)}`;

/**
 * Returns a function that makes the start options of runs for workers that poll `taskQueue`: id, input,
 * static summary, policy, and the workspace as a search attribute, unless it is null (unknown).
 */
export const startOn =
  (taskQueue: string) =>
  <Input>(workflowId: string, input: Input, staticSummary: string, workspaceId: string | null) => ({
    taskQueue,
    workflowId,
    args: [input] as [Input],
    staticSummary,
    ...(workspaceId !== null && { typedSearchAttributes: ofWorkspace(workspaceId) }),
    ...JOIN,
  });
export type Start = ReturnType<typeof startOn>;
