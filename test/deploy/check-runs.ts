import { execFile } from 'node:child_process';
import { dev } from '../support/stack.js';

/** Runs `npm run deploy:check` on the open runs of a workspace, with a workflow bundle. */
export function checkRuns(
  workspaceId: string,
  bundle: string,
  taskQueue = 'holdfast',
): Promise<{ code: unknown; stdout: string }> {
  const env = {
    PUBLIC_URL: dev.baseUrl,
    TEMPORAL_ADDRESS: dev.temporalAddress,
    TEMPORAL_NAMESPACE: dev.temporalNamespace,
    TEMPORAL_TASK_QUEUE: taskQueue,
  };
  const args = ['build/deploy/check.js', '--where', `Workspace = '${workspaceId}'`, '--bundle', bundle];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env }, (error, stdout) =>
      error && stdout === '' ? reject(error) : resolve({ code: error?.code ?? 0, stdout }),
    );
  });
}
